import { createHash } from 'node:crypto';
import * as z from 'zod/mini';

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
