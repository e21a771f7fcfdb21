import { Transform } from 'node:stream';

const lineFeed = 0x0a;

/**
 * Splits bytes into lines, at line feeds alone: `node:readline` also splits at the line and paragraph separators of Unicode, which
 * JSON can have within a text. Each line is a Buffer, so that whoever reads it decides what to do with bytes that are no text.
 */
export function splitLines(): Transform {
  let begun: Buffer[] = [];
  return new Transform({
    readableObjectMode: true,
    transform(bytes: Buffer, _, done) {
      let start = 0;
      for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
        this.push(Buffer.concat([...begun, bytes.subarray(start, end)]));
        begun = [];
        start = end + 1;
      }
      begun.push(bytes.subarray(start));
      done();
    },
    flush(done) {
      const last = Buffer.concat(begun);
      done(null, last.length === 0 ? undefined : last);
    },
  });
}
