// Both uploads by clients of hey-api, which supports one media type for each operation.
import { client } from '../../dist/clients/hey-api/api/client.gen.ts';
import { createFileDocument } from '../../dist/clients/hey-api/api/index.ts';
import { client as formClient } from '../../dist/clients/hey-api/forms/client.gen.ts';
import { createFileDocument as createFromForm } from '../../dist/clients/hey-api/forms/index.ts';
import { announcement, baseUrl, file, headers, sendTo } from './upload.ts';

for (const one of [client, formClient]) one.setConfig({ baseUrl, headers });

export async function presigned(): Promise<string> {
  const { data, error } = await createFileDocument({ body: announcement });
  if (data === undefined) throw new Error(error.errorMessage.join());
  if (data.data.upload !== undefined) await sendTo(data.data.upload);
  return data.data._id;
}

export async function multipart(): Promise<string> {
  const { data, error } = await createFromForm({ body: { file, category: 'W9' } });
  if (data === undefined) throw new Error(error.errorMessage.join());
  return data.data._id;
}
