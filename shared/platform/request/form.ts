import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { type ApiError, invalid } from '../contract/errors.ts';
import { keyName, malformedBody } from './validation.ts';

/** A file that came in a form, its bytes read. */
export class FormFile extends File {
  readonly content: Uint8Array;

  constructor(bytes: Uint8Array<ArrayBuffer>, name: string) {
    super([bytes], name);
    this.content = bytes;
  }

  /** Makes requests with files comparable under an idempotency key. */
  toJSON(): object {
    return { name: this.name, sha256: createHash('sha256').update(this.content).digest('hex') };
  }
}

/** The part of a form that holds a file. */
export const formFile = z.pipe(
  z.file(),
  z.custom<FormFile, File>((value) => value instanceof FormFile),
);

/** Reads a form; given to the groups that have one, so that the others need not bundle it. */
export type ParseForm = typeof parseForm;

/**
 * The parts of a form by name.
 * @throws ApiError `validation_error` for a body that is no form, text that is not UTF-8, and a part that is given twice.
 */
export async function parseForm(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
): Promise<Record<string, string | FormFile>> {
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

async function readForm(bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<FormData> {
  const noForm = (fault: string, cause?: unknown): ApiError =>
    malformedBody('The body is not a valid form.', fault, cause);
  if (!/;\s*boundary\s*=/i.test(contentType)) throw noForm('has no boundary in its content-type');
  try {
    return await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
  } catch (error) {
    // Node's parser reads from memory: what it cannot parse is no form.
    throw noForm('is not a valid form', error);
  }
}
