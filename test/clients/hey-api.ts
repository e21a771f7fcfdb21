// Both uploads by clients of hey-api, which supports one media type for each operation.
import { createFileDocument } from '../../dist/clients/hey-api/api/index.ts';
import { createFileDocument as createFromForm } from '../../dist/clients/hey-api/forms/index.ts';
import { announcement, file, sendTo } from './upload.ts';

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
