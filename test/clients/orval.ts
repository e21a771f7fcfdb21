// Both uploads by clients of orval, whose functions send one media type for each operation.
import { createFileDocument } from '../../dist/clients/orval/api.ts';
import { createFileDocument as createFromForm } from '../../dist/clients/orval/forms.ts';
import { announcement, baseUrl, file, headers, sendTo } from './upload.ts';

// Its functions call paths.
const { fetch } = globalThis;
globalThis.fetch = (url, init) => fetch(new URL(String(url), baseUrl), init);

export async function presigned(): Promise<string> {
  const answer = await createFileDocument(announcement, {
    headers: { ...headers, 'content-type': 'application/json' },
  });
  if (answer.status !== 201) throw new Error(answer.data.errorMessage.join());
  const { upload, _id } = answer.data.data;
  if (upload !== undefined) await sendTo(upload);
  return _id;
}

export async function multipart(): Promise<string> {
  const answer = await createFromForm({ file, category: 'W9' }, { headers });
  if (answer.status !== 201) throw new Error(answer.data.errorMessage.join());
  return answer.data.data._id;
}
