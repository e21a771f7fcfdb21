/** A part of an operator's NDJSON file that one call of the import function takes in. */
export interface ImportChunk {
  /** Number of the first of `lines` in the file, from 1. */
  readonly firstLine: number;
  readonly lines: readonly string[];
}

const mostLines = 500;

/** Lambda takes 6 MB of JSON, in which a line's quotes count double; a megabyte is far enough from that. */
const mostBytes = 1_024 * 1_024;

/** Cuts a file into chunks as it is read. Empty lines are left out, and lines keep the numbers they have in the file. */
export async function* importChunks(lines: AsyncIterable<string>): AsyncGenerator<ImportChunk> {
  let number = 0;
  let firstLine = 1;
  let chunk: string[] = [];
  let bytes = 0;
  for await (const line of lines) {
    number += 1;
    const length = Buffer.byteLength(line);
    const isEmpty = line.trim() === '';
    if (chunk.length > 0 && (isEmpty || chunk.length === mostLines || bytes + length > mostBytes)) {
      yield { firstLine, lines: chunk };
      chunk = [];
      bytes = 0;
    }
    if (isEmpty) continue;
    if (chunk.length === 0) firstLine = number;
    chunk.push(line);
    bytes += length;
  }
  if (chunk.length > 0) yield { firstLine, lines: chunk };
}
