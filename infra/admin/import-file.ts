import { once } from 'node:events';
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { finished } from 'node:stream/promises';
import * as z from 'zod/mini';
import { invocationBytes, MB } from '../../shared/platform/aws/limits.ts';
import { splitLines } from '../lines.ts';
import { type Answer, type Invoke, refused } from './functions.ts';

/** A part of an NDJSON file that one invocation of the import function imports. */
interface ImportChunk {
  /** Number of the first of `lines` in the file, from 1. */
  readonly firstLine: number;
  readonly lines: readonly string[];
  /** Whether it stands for one line that is not UTF-8, and has no `lines`. */
  readonly isUnreadable?: true;
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

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A line without a byte order mark; undefined if it is not UTF-8. */
function decoded(line: Uint8Array): string | undefined {
  try {
    return utf8.decode(line);
  } catch {
    return undefined;
  }
}

/**
 * Splits a file into chunks while reading it, not between neighboring lines about one holder. Empty lines end a chunk and
 * are skipped; line numbers are those of the file.
 */
export async function* importChunks(lines: AsyncIterable<Uint8Array>): AsyncGenerator<ImportChunk> {
  let number = 0;
  let firstLine = 1;
  let chunk: string[] = [];
  let bytes = 0;
  for await (const encoded of lines) {
    number += 1;
    const line = decoded(encoded);
    const isSkipped = line === undefined || line.trim() === '';
    const isFull =
      (chunk.length >= mostLines || bytes + encoded.length > mostBytes) &&
      (bytes + encoded.length > mostBytesOfHolder || !areOfOneHolder(chunk.at(-1), line));
    if (chunk.length > 0 && (isSkipped || isFull)) {
      yield { firstLine, lines: chunk };
      chunk = [];
      bytes = 0;
    }
    if (line === undefined) yield { firstLine: number, lines: [], isUnreadable: true };
    if (isSkipped) continue;
    if (chunk.length === 0) firstLine = number;
    chunk.push(line);
    bytes += encoded.length;
  }
  if (chunk.length > 0) yield { firstLine, lines: chunk };
}

/** Lines of each kind that the answer shows. A file may have millions; the ids of all of them go to `idsFile`. */
const mostShown = 1_000;

/** The function checks what it gets; the files are the program's own. */
const importInput = z.object({
  file: z.string(),
  idsFile: z.optional(z.string()),
  organizationId: z.optional(z.unknown()),
  emitEvents: z.optional(z.unknown()),
});

const outcome = z.object({
  imported: z.number(),
  rejected: z.array(z.unknown()),
  ids: z.array(z.unknown()),
  notes: z.optional(z.array(z.unknown())),
  commandId: z.optional(z.string()),
  commandAt: z.optional(z.string()),
});

/** Collects what is said of lines: the first ones for the answer, and how many more there are. */
function collector(name: string) {
  const shown: unknown[] = [];
  let omitted = 0;
  return {
    add(some: readonly unknown[]): void {
      const room = mostShown - shown.length;
      shown.push(...some.slice(0, room));
      omitted += Math.max(0, some.length - room);
    },
    summary: (): object => ({ [name]: shown, ...(omitted === 0 ? {} : { [`${name}Omitted`]: omitted }) }),
    isEmpty: (): boolean => shown.length === 0,
  };
}

/** Collects the ids of imported lines, for the answer or all of them in a file. */
function idCollector(file: WriteStream | undefined) {
  const ids = collector('ids');
  return {
    async add(some: readonly unknown[]): Promise<void> {
      if (file === undefined) return ids.add(some);
      const isFull = !file.write(some.map((id) => `${JSON.stringify(id)}\n`).join(''));
      if (isFull) await once(file, 'drain');
    },
    summary: (): object => (file === undefined ? ids.summary() : {}),
  };
}

/** What is at a path, through links; undefined for nothing. As `bigint`, since a number does not hold every inode. */
const fileAt = (path: string) => stat(path, { bigint: true }).catch(() => undefined);

/** Sends a file in chunks, in order, and adds up the results. */
export async function importFile(invoke: Invoke, input: Readonly<Record<string, unknown>>): Promise<Answer> {
  const { success, data } = z.safeParse(importInput, input);
  if (!success) return refused('file: is required: the path of an NDJSON file');
  const fields = Object.keys(importInput.shape);
  const unknown = Object.keys(input).filter((name) => !fields.includes(name));
  if (unknown.length > 0) {
    return refused(`${unknown.join(', ')}: not a field of import, which takes ${fields.join(', ')}`);
  }
  const { file, idsFile, ...rest } = data;
  const read = await fileAt(file);
  if (read?.isFile() !== true) return refused(`file: ${file} cannot be read`);
  const written = idsFile === undefined ? undefined : await fileAt(idsFile);
  if (written?.ino === read.ino && written.dev === read.dev) {
    return refused(`idsFile: ${idsFile} is the file to import, and would be overwritten`);
  }
  const idStream = idsFile === undefined ? undefined : createWriteStream(idsFile);
  try {
    if (idStream !== undefined) await once(idStream, 'open');
  } catch {
    return refused(`idsFile: ${idsFile} cannot be written`);
  }
  const ids = idCollector(idStream);
  let imported = 0;
  // All chunks are one import: the function names it in its first answer.
  let command = {};
  const rejected = collector('rejected');
  const notes = collector('notes');
  const summary = () => ({
    imported,
    ...rejected.summary(),
    ...ids.summary(),
    ...(notes.isEmpty() ? {} : notes.summary()),
  });
  // The reader of the lines gets the error of a file that cannot be read to its end.
  const lines = pipeline(createReadStream(file), splitLines(), () => undefined);
  try {
    for await (const { isUnreadable, ...chunk } of importChunks(lines)) {
      if (isUnreadable) {
        rejected.add([{ line: chunk.firstLine, issues: [{ path: '', message: 'is not UTF-8' }] }]);
        continue;
      }
      const response = await invoke('import', { ...rest, ...command, ...chunk });
      if (!response.ok) {
        // Earlier chunks were imported: the details say where to continue.
        const done = { stoppedAtLine: chunk.firstLine, ...summary() };
        return { ok: false, error: { ...response.error, details: { ...response.error.details, ...done } } };
      }
      const part = z.parse(outcome, response.result);
      const { commandId, commandAt } = part;
      command = { commandId, commandAt };
      imported += part.imported;
      rejected.add(part.rejected);
      notes.add(part.notes ?? []);
      await ids.add(part.ids);
    }
  } finally {
    idStream?.end();
    if (idStream !== undefined) await finished(idStream);
  }
  return { ok: true, result: summary() };
}
