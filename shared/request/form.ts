import { ApiError, invalid } from '../contract/errors.ts';
import { FormFile } from '../contract/form-file.ts';

export const multipartForm = 'multipart/form-data';

/**
 * The parts of a form by name.
 * @throws ApiError `validation_error` for a body that is no form, and for a part that is given twice.
 */
export async function parseForm(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
): Promise<Record<string, string | FormFile>> {
  const parts = new Map<string, string | FormFile>();
  for (const [name, part] of await readForm(bytes, contentType)) {
    if (parts.has(name)) throw invalid({ path: name, message: 'is given more than once' });
    parts.set(
      name,
      typeof part === 'string' ? part : new FormFile(new Uint8Array(await part.arrayBuffer()), part.name),
    );
  }
  return Object.fromEntries(parts);
}

async function readForm(bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
  } catch (error) {
    // Node's parser reads from memory: what it cannot parse is no form.
    throw new ApiError('validation_error', {
      message: 'The body is not a valid form.',
      details: { issues: [{ path: '', message: 'is not a valid form' }] },
      cause: error,
    });
  }
}
