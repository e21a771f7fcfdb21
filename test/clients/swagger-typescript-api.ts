// Both uploads by clients of swagger-typescript-api, which supports one media type for each operation.
import { Api } from '../../dist/clients/swagger-typescript-api/api.ts';
import { Api as FormApi } from '../../dist/clients/swagger-typescript-api/forms.ts';
import { announcement, baseUrl, file, headers, sendTo } from './upload.ts';

const options = { baseUrl, baseApiParams: { headers } };

export async function presigned(): Promise<string> {
  const { data } = await new Api(options).v2.createFileDocument(announcement);
  if (data.data.upload !== undefined) await sendTo(data.data.upload);
  return data.data._id;
}

export async function multipart(): Promise<string> {
  const { data } = await new FormApi(options).v2.createFileDocument({ file, category: 'W9' });
  return data.data._id;
}
