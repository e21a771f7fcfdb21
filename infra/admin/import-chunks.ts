import * as z from 'zod/mini';
import { invocationBytes, MB } from '../../shared/platform/aws/limits.ts';

/** A part of an NDJSON file that one invocation of the import function imports. */
export interface ImportChunk {
  /** Number of the first of `lines` in the file, from 1. */
  readonly firstLine: number;
  readonly lines: readonly string[];
}

const mostLines = 500;

const mostBytes = MB;

/** For lines of one holder. What remains of a payload is ample room for JSON, which escapes each quote of a line. */
const mostBytesOfHolder = invocationBytes / 2;

const ofHolder = z.object({ type: z.string(), npn: z.string() });

/** Whether lines are records of one type about one NPN: what they say of a license or an appointment is one statement. */
function areOfOneHolder(...lines: readonly (string | undefined)[]): boolean {
  const [one, other] = lines.map((line = '') => {
    try {
      return z.parse(ofHolder, JSON.parse(line));
    } catch {
      // The import function says what is wrong with the line.
      return undefined;
    }
  });
  return one !== undefined && one.type === other?.type && one.npn === other.npn;
}

/**
 * Splits a file into chunks while reading it, not between neighboring lines about one holder. Empty lines end a chunk and
 * are skipped; line numbers are those of the file.
 */
export async function* importChunks(lines: AsyncIterable<string>): AsyncGenerator<ImportChunk> {
  let number = 0;
  let firstLine = 1;
  let chunk: string[] = [];
  let bytes = 0;
  for await (const line of lines) {
    number += 1;
    const length = Buffer.byteLength(line);
    const isEmpty = line.trim() === '';
    const isFull =
      (chunk.length >= mostLines || bytes + length > mostBytes) &&
      (bytes + length > mostBytesOfHolder || !areOfOneHolder(chunk.at(-1), line));
    if (chunk.length > 0 && (isEmpty || isFull)) {
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
