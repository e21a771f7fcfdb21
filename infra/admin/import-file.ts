import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import * as z from 'zod/mini';
import { importChunk } from '../../functions/import/import-records.ts';
import { invocationBytes, MB } from '../../shared/platform/aws/limits.ts';
import { invalidAt } from '../../shared/platform/contract/errors.ts';
import { parseInput } from '../../shared/platform/request/validation.ts';
import { splitLines } from '../lines.ts';
import { type Invoke, RefusedCommand } from './functions.ts';

const { organizationId, emitEvents } = importChunk.shape;

export const importInput = z.strictObject({
  organizationId,
  emitEvents,
  file: z.string().check(z.describe('Path of the NDJSON file.')),
  idsFile: z.optional(z.string().check(z.describe('Path of a file to write the ids to.'))),
});

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

/** What an import says of an imported line, or of several at once: then without a line, and in each chunk that has any. */
const note = z.object({
  line: z.nullable(z.number()),
  code: z.string(),
  message: z.string(),
  count: z.number(),
});

const outcome = z.object({
  imported: z.number(),
  rejected: z.array(z.unknown()),
  ids: z.array(z.unknown()),
  notes: z._default(z.array(note), []),
  commandId: z.optional(z.string()),
  commandAt: z.optional(z.string()),
});

/** Collects what is said of lines: the first ones for the answer, and how many more there are. */
function collector(name: string) {
  const shown: unknown[] = [];
  let total = 0;
  return {
    shown,
    add(some: readonly unknown[]): void {
      shown.push(...some.slice(0, mostShown - shown.length));
      total += some.length;
    },
    summary: (): object => ({
      [name]: shown,
      ...(total === shown.length ? {} : { [`${name}Omitted`]: total - shown.length }),
    }),
    isEmpty: (): boolean => total === 0,
  };
}

/** What is at a path, through links; undefined for nothing. As `bigint`, since a number does not hold every inode. */
const fileAt = (path: string) => stat(path, { bigint: true }).catch(() => undefined);

/** Opens the files. @throws ApiError `validation_error` where that fails, or where they are one. */
async function openFiles(file: string, idsFile: string | undefined) {
  const read = await fileAt(file);
  if (read?.isFile() !== true) throw invalidAt('file', `${file} cannot be read`);
  // The reader of the lines gets the error of a file that cannot be read to its end.
  const lines = () => pipeline(createReadStream(file), splitLines(), () => undefined);
  if (idsFile === undefined) return { lines };
  const written = await fileAt(idsFile);
  if (written?.ino === read.ino && written.dev === read.dev) {
    throw invalidAt('idsFile', `${idsFile} is the file to import, and would be overwritten`);
  }
  const ids = await open(idsFile, 'w').catch(() => undefined);
  if (ids === undefined) throw invalidAt('idsFile', `${idsFile} cannot be written`);
  return { lines, ids };
}

/**
 * Sends a file in chunks, in order, and adds up the results.
 * @throws ApiError `validation_error` for input that is not valid; what `invoke` throws, where it refuses with what was imported before.
 */
export async function importFile(invoke: Invoke, input: unknown): Promise<object> {
  const { file, idsFile, ...given } = parseInput(importInput, input);
  const files = await openFiles(file, idsFile);
  let imported = 0;
  // All chunks are one import: the function names it in its first answer.
  let command = {};
  const [rejected, ids, notes] = [collector('rejected'), collector('ids'), collector('notes')];
  const counted = new Map<string, z.output<typeof note>>();
  const summary = () => ({
    imported,
    ...rejected.summary(),
    ...(files.ids === undefined ? ids.summary() : {}),
    ...(notes.isEmpty() && counted.size === 0
      ? {}
      : { ...notes.summary(), notes: [...counted.values(), ...notes.shown] }),
  });
  try {
    for await (const { isUnreadable, ...chunk } of importChunks(files.lines())) {
      if (isUnreadable) {
        rejected.add([{ line: chunk.firstLine, issues: [{ path: '', message: 'is not UTF-8' }] }]);
        continue;
      }
      const result = await invoke('import', { ...given, ...command, ...chunk }).catch((error: unknown) => {
        if (!(error instanceof RefusedCommand)) throw error;
        const { details, ...refusal } = error.refusal;
        // Earlier chunks were imported: the details say where to continue.
        throw new RefusedCommand({
          ...refusal,
          details: { ...details, stoppedAtLine: chunk.firstLine, ...summary() },
        });
      });
      const { commandId, commandAt, ...part } = z.parse(outcome, result);
      command = { commandId, commandAt };
      imported += part.imported;
      rejected.add(part.rejected);
      notes.add(part.notes.filter(({ line }) => line !== null));
      for (const { count, ...one } of part.notes.filter(({ line }) => line === null)) {
        const key = JSON.stringify(one);
        counted.set(key, { ...one, count: count + (counted.get(key)?.count ?? 0) });
      }
      if (files.ids === undefined) ids.add(part.ids);
      else await files.ids.appendFile(part.ids.map((id) => `${JSON.stringify(id)}\n`).join(''));
    }
  } finally {
    await files.ids?.close();
  }
  return summary();
}
