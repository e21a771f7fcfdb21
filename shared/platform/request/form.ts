import { type ApiError, invalid } from '../contract/errors.ts';
import { FormFile } from '../contract/form-file.ts';
import { keyName, malformed } from './validation.ts';

/** Reads a form; given to the groups that have one, so that the others need not bundle it. */
export type ParseForm = typeof parseForm;

/** Most parts of a form: no route has as many, and each is an object in memory before its name is known. */
const mostParts = 20;

/**
 * The parts of a form by name.
 * @throws ApiError `validation_error` for a body that is no form, has too many parts, or text that is not UTF-8, and for a part
 *   that is given twice.
 */
export async function parseForm(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
): Promise<Record<string, string | FormFile>> {
  if (hasTooManyParts(bytes, contentType)) throw noForm(`has more than ${mostParts} parts`);
  const parts = new Map<string, string | FormFile>();
  for (const [name, part] of await readForm(bytes, contentType)) {
    if (parts.has(name)) throw invalid({ path: keyName(name), message: 'is given more than once' });
    // The parser puts it where bytes are not UTF-8.
    if ((typeof part === 'string' ? part : part.name).includes('\uFFFD')) {
      throw invalid({ path: keyName(name), message: 'is not UTF-8' });
    }
    parts.set(
      name,
      typeof part === 'string'
        ? part
        : new FormFile(new Uint8Array(await part.arrayBuffer()), part.name.trim().normalize()),
    );
  }
  return Object.fromEntries(parts);
}

const noForm = (fault: string, cause?: unknown): ApiError =>
  malformed('The body is not a valid form.', fault, cause);

/** Counts boundaries, of which there is one at the start of each part and one at the end. */
function hasTooManyParts(bytes: Uint8Array<ArrayBuffer>, contentType: string): boolean {
  const [, boundary] = /;\s*boundary\s*=\s*"?([^";\s]+)/i.exec(contentType) ?? [];
  if (boundary === undefined) return false;
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const delimiter = `--${boundary}`;
  let at = -1;
  for (let count = 0; count <= mostParts + 1; count += 1) {
    at = body.indexOf(delimiter, at + 1);
    if (at === -1) return false;
  }
  return true;
}

async function readForm(bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
  } catch (error) {
    // Node's parser reads from memory: what it cannot parse is no form.
    throw noForm('is not a valid form', error);
  }
}
