import { Transform } from 'node:stream';

/** A sentence's first letter in upper case. */
export const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Whether a JSON value is an object, which an array is not. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every object within a JSON value, itself included. */
export function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (isObject(value)) yield value;
  if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) yield* objectsIn(child);
  }
}

const lineFeed = 0x0a;

/**
 * Splits bytes into lines, at line feeds alone: `node:readline` also splits at the line and paragraph separators of Unicode, which
 * JSON can have within a text. Each line is a Buffer, so that its reader decides what to do with bytes that are no text.
 */
export function splitLines(): Transform {
  let lineParts: Buffer[] = [];
  return new Transform({
    readableObjectMode: true,
    transform(bytes: Buffer, _, done) {
      let start = 0;
      for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
        this.push(Buffer.concat([...lineParts, bytes.subarray(start, end)]));
        lineParts = [];
        start = end + 1;
      }
      lineParts.push(bytes.subarray(start));
      done();
    },
    flush(done) {
      const last = Buffer.concat(lineParts);
      done(null, last.length === 0 ? undefined : last);
    },
  });
}
