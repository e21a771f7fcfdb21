import { createHash, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { KB } from '../aws/limits.ts';
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

/** Most parts of a form: no route has as many, and each is an object in memory before its name is known. */
const mostParts = 20;

/** Most bytes of a part's headers: no browser writes as many, and each name in them is read several times. */
const largestHeaders = 8 * KB;

/**
 * The parts of a form by name.
 * @throws ApiError `validation_error` for a body that is no form, has too many parts, a part with too large headers, or text that is
 *   not UTF-8, and for a part that is given twice.
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

const noForm = (fault: string, cause?: unknown): ApiError =>
  malformedBody('The body is not a valid form.', fault, cause);

/** A line of headers with its quotes escaped as browsers do. The last quote ends a name, which may have a backslash there. */
function asBrowsersEscape(line: string): string {
  const last = Math.max(line.lastIndexOf('"'), 0);
  return line.slice(0, last).replaceAll('\\"', '%22') + line.slice(last);
}

/**
 * The form as Node's parser takes it. That finds a boundary anywhere, where RFC 2046 (section 5.1.1) has it begin a line, so that a
 * short one, which that allows, would be found inside a file; it takes no spaces after one; and in a name it knows a quote only as
 * browsers escape it, not as RFC 2045 (section 5.1) does.
 */
function forParser(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
): { readonly body: Buffer<ArrayBuffer>; readonly boundary: string } {
  const [, quotedName, plain] =
    /;\s*boundary\s*=\s*(?:"([^"]{1,70})"|([^";\s]{1,70})(?:[;\s]|$))/i.exec(contentType) ?? [];
  const fieldName = quotedName ?? plain;
  if (fieldName === undefined) throw noForm('has no boundary of 1 to 70 characters in its content-type');
  const boundary = randomUUID();
  const delimiter = new RegExp(
    `(^|\r\n)--${fieldName.replace(/\W/g, '\\$&')}(--)?[ \\t]*(?=\r\n|$)((?:\r\n[^\r\n]+)*)`,
    'g',
  );
  let delimiters = 0;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const body = text.replace(delimiter, (_, prefix: string, end = '', headers: string) => {
    delimiters += 1;
    // One is at the start of each part, and one at the end.
    if (delimiters > mostParts + 1) throw noForm(`has more than ${mostParts} parts`);
    if (headers.length > largestHeaders) {
      throw noForm(`has a part whose headers are larger than ${largestHeaders} bytes`);
    }
    return `${prefix}--${boundary}${end}${headers.split('\r\n').map(asBrowsersEscape).join('\r\n')}`;
  });
  return { body: Buffer.from(body, 'latin1'), boundary };
}

async function readForm(bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<FormData> {
  const { body, boundary } = forParser(bytes, contentType);
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  try {
    return await new Response(body, { headers }).formData();
  } catch (error) {
    // Node's parser reads from memory: what it cannot parse is no form.
    throw noForm('is not a valid form', error);
  }
}
