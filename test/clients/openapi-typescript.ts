// Both uploads by a client of openapi-typescript and openapi-fetch. The types are used as they are: no cast anywhere.
import createClient from 'openapi-fetch';
import type { paths } from '../../dist/clients/openapi-typescript/api.ts';
import { announcement, baseUrl, file, headers, sendTo } from './upload.ts';

const api = createClient<paths, 'application/json'>({ baseUrl, headers });

export async function presigned(): Promise<string> {
  const { data, error } = await api.POST('/v2/upstream/file-documents', { body: announcement });
  if (data === undefined) throw new Error(error.errorMessage.join());
  if (data.data.upload !== undefined) await sendTo(data.data.upload);
  return data.data._id;
}

export async function multipart(): Promise<string> {
  const { data, error } = await api.POST('/v2/upstream/file-documents', {
    body: { file, category: 'W9' },
    bodySerializer(body) {
      const form = new FormData();
      for (const [name, value] of Object.entries(body)) form.set(name, value);
      return form;
    },
  });
  if (data === undefined) throw new Error(error.errorMessage.join());
  return data.data._id;
}
