import { MB } from '../../shared/platform/aws/limits.ts';

/** A part of an NDJSON file that one invocation of the import function imports. */
export interface ImportChunk {
  /** Number of the first of `lines` in the file, from 1. */
  readonly firstLine: number;
  readonly lines: readonly string[];
}

const mostLines = 500;

/** Lambda accepts 6 MB of JSON, where each quote of a line is escaped. 1 MB leaves ample room. */
const mostBytes = MB;

/** Splits a file into chunks while reading it. Empty lines are skipped; line numbers are those of the file. */
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
