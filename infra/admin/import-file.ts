// The operators' import of a file: read in chunks, sent to the function, and its answers put together.
import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import * as z from 'zod/mini';
import { completeImportInput } from '../../functions/import/complete.ts';
import { importChunk } from '../../functions/import/import-records.ts';
import { statementOf } from '../../functions/import/lines.ts';
import { invocationBytes, MB } from '../../shared/platform/aws/limits.ts';
import { invalidAt } from '../../shared/platform/contract/errors.ts';
import { chunks } from '../../shared/platform/data/chunks.ts';
import { parseInput } from '../../shared/platform/request/validation.ts';
import { splitLines } from '../text.ts';
import { completeImport } from './complete-import.ts';
import { dryRun } from './dry-run.ts';
import { type Invoke, RefusedCommand } from './functions.ts';
import { type CsvMapping, readMapping, rowReader, rowsOf } from './mapping.ts';
import { decoded, notUtf8, reportLines, type SourceLine } from './report-lines.ts';

const { organizationId, emitEvents } = importChunk.shape;

const { lists } = completeImportInput.shape;

/** When the registry was asked for reports. */
const askedAt = z.optional(
  z.iso
    .datetime({ offset: true })
    .check(z.describe('When the registry was asked for the reports of an XML file; required for one.')),
);

/** Options, by what they mean. */
const path = (words: string) => z.optional(z.string().check(z.describe(words)));
const flag = (words: string) => z.optional(z.boolean().check(z.describe(words)));

export const importInput = z.strictObject({
  organizationId,
  emitEvents,
  file: z
    .string()
    .check(
      z.describe(
        'Path of the file: NDJSON; with `mapping`, a table such as a CSV file; or reports of the registry in XML (`.xml`).',
      ),
    ),
  askedAt,
  mapping: path('Path of a JSON file that says how the columns of the table are read.'),
  complete: z.optional(
    lists.check(
      z.describe(
        'Lists that the file has completely: what they leave out ends. Requires `organizationId`; a list is there once.',
      ),
    ),
  ),
  force: flag('Whether it is right that a complete file ends a large part of what is in force.'),
  dryRun: flag(
    'Whether the lines are only read and checked: nothing is sent, and the answer has the first records.',
  ),
  idsFile: path('Path of a file to write the ids to.'),
  rejectedFile: path('Path of a file to write the rejected lines to, as they are, to be corrected there.'),
});

/** A part of a file that one invocation of the import function imports. */
interface ImportChunk {
  readonly lines: readonly SourceLine[];
  /** Why it is one line that cannot be read; undefined for others. */
  readonly fault: string | undefined;
  /** The first line of the file that no chunk before has. */
  readonly from: number;
}

/** The most lines of a chunk, and the most bytes of these. */
interface ChunkSize {
  readonly lines: number;
  readonly bytes: number;
}

const chunkSize: ChunkSize = { lines: 500, bytes: MB };

/** For lines of one statement. What remains of a payload is ample room for JSON, which escapes each quote of a line. */
const mostBytesOfStatement = invocationBytes / 2;

const sizeOfStatement = { bytes: mostBytesOfStatement, of: ({ raw }: SourceLine): number => raw.length };

const bytesOfLines = (lines: readonly SourceLine[]): number =>
  lines.reduce((sum, { raw }) => sum + raw.length, 0);

/** The lines of an NDJSON file that are not empty. */
export async function* recordLines(lines: AsyncIterable<Uint8Array>): AsyncGenerator<SourceLine> {
  let line = 0;
  for await (const raw of lines) {
    line += 1;
    const text = decoded(raw);
    if (text === undefined) yield { line, raw, text, fault: notUtf8 };
    else if (text.trim() !== '') yield { line, raw, text };
  }
}

/** Which lines a line is one statement with; undefined for one that is none with others. */
function statementIn({ text }: SourceLine): string | undefined {
  try {
    return text === undefined ? undefined : statementOf(JSON.parse(text));
  } catch {
    // The import function says what is wrong with the line.
    return undefined;
  }
}

/** The lines of a file, statement by statement: lines of one that stand apart are held until its last one is read. */
async function* statements(
  lines: AsyncIterable<SourceLine>,
  counted: AsyncIterable<SourceLine>,
): AsyncGenerator<Pick<ImportChunk, 'lines' | 'from'>> {
  const missing = new Map<string, number>();
  for await (const one of counted) {
    const statement = statementIn(one);
    if (statement !== undefined) missing.set(statement, (missing.get(statement) ?? 0) + 1);
  }
  const held = new Map<string, SourceLine[]>();
  for await (const one of lines) {
    const statement = statementIn(one) ?? '';
    const read = held.get(statement) ?? [];
    read.push(one);
    held.set(statement, read);
    const further = (missing.get(statement) ?? 1) - 1;
    missing.set(statement, further);
    if (further > 0) continue;
    const [[{ line: from } = one] = []] = held.values();
    held.delete(statement);
    yield { lines: read, from };
  }
  // The file has lost lines since they were counted.
  for (const read of held.values()) yield { lines: read, from: read[0]?.line ?? 1 };
}

/**
 * Splits the lines of a file into chunks while reading them, but no statement.
 * @param counted the same lines, which are read before.
 */
export async function* importChunks(
  lines: AsyncIterable<SourceLine>,
  counted: AsyncIterable<SourceLine>,
  size: ChunkSize = chunkSize,
): AsyncGenerator<ImportChunk> {
  let [chunk, from, bytes]: [SourceLine[], number, number] = [[], 1, 0];
  for await (const { lines: statement, from: first } of statements(lines, counted)) {
    for (const part of chunks(statement, { count: Number.POSITIVE_INFINITY, size: sizeOfStatement })) {
      const [{ text, fault } = { text: undefined, fault: undefined }] = part;
      const more = bytesOfLines(part);
      const isFull = chunk.length + part.length > size.lines || bytes + more > size.bytes;
      if (chunk.length > 0 && (isFull || text === undefined)) {
        yield { lines: chunk, fault: undefined, from };
        [chunk, bytes] = [[], 0];
      }
      if (text === undefined) yield { lines: part, fault, from: first };
      else {
        if (chunk.length === 0) from = first;
        chunk.push(...part);
        bytes += more;
      }
    }
  }
  if (chunk.length > 0) yield { lines: chunk, fault: undefined, from };
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
  rejected: z.array(z.looseObject({ line: z.number() })),
  ids: z.array(z.unknown()),
  notes: z._default(z.array(note), []),
  matched: z._default(z.number(), 0),
  review: z._default(z.number(), 0),
  unmatched: z._default(z.number(), 0),
  setAside: z._default(z.number(), 0),
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

/**
 * Opens a file to be written.
 * @throws ApiError `validation_error` where that fails, or where it is one of those that are used already.
 */
async function openOutput(field: 'idsFile' | 'rejectedFile', path: string, used: readonly string[]) {
  const file = await fileAt(path);
  for (const other of used) {
    const { ino, dev } = (await fileAt(other)) ?? {};
    if (file !== undefined && file.ino === ino && file.dev === dev) {
      throw invalidAt(field, `${path} is another file of this import, and would be overwritten`);
    }
  }
  const opened = await open(path, 'w').catch(() => undefined);
  if (opened === undefined) throw invalidAt(field, `${path} cannot be written`);
  return opened;
}

const lineFeed = Buffer.from('\n');

/** The bytes of a file. The reader gets the error of one that cannot be read to its end. */
const bytesOf = (file: string): AsyncIterable<Buffer> => createReadStream(file);

/** For a table that is read once more: its first row is rejected already. */
const noHeader = async (): Promise<void> => undefined;

/** The rows of a table as records. @param onHeader takes the table's first row, as it stands there. */
async function* mappedLines(
  file: string,
  mapping: CsvMapping,
  onHeader: (raw: Uint8Array) => Promise<void>,
): AsyncGenerator<SourceLine> {
  let read: ReturnType<typeof rowReader> | undefined;
  for await (const row of rowsOf(bytesOf(file), mapping.delimiter)) {
    if (read !== undefined) yield read(row);
    else {
      read = rowReader(mapping, row.cells ?? []);
      await onHeader(row.raw);
    }
  }
}

/** Whether a file has reports of the registry. */
const isReport = (file: string): boolean => /\.xml$/i.test(file);

/** Opens the files. @throws ApiError `validation_error` where that fails, or where two of them are one. */
async function openFiles(
  file: string,
  {
    idsFile,
    rejectedFile,
    mapping,
    askedAt: reportedAt,
  }: Pick<z.output<typeof importInput>, 'idsFile' | 'rejectedFile' | 'mapping' | 'askedAt'>,
) {
  if ((await fileAt(file))?.isFile() !== true) throw invalidAt('file', `${file} cannot be read`);
  if (mapping === undefined && /\.(csv|tsv|txt)$/i.test(file)) {
    throw invalidAt('mapping', 'is required for a table');
  }
  if (isReport(file) && reportedAt === undefined) {
    throw invalidAt('askedAt', 'is required for reports: when the registry was asked for them');
  }
  if (!isReport(file) && reportedAt !== undefined)
    throw invalidAt('askedAt', 'is for reports in XML (.xml) alone');
  const columns = mapping === undefined ? undefined : await readMapping(mapping);
  const used = [file, ...(mapping === undefined ? [] : [mapping])];
  const opened: FileHandle[] = [];
  const close = () => Promise.all(opened.map((one) => one.close()));
  const output = async (field: 'idsFile' | 'rejectedFile', path: string | undefined) => {
    if (path === undefined) return undefined;
    const one = await openOutput(field, path, used);
    used.push(path);
    opened.push(one);
    return one;
  };
  try {
    const ids = await output('idsFile', idsFile);
    const rejected = await output('rejectedFile', rejectedFile);
    const reject = async (...raw: readonly Uint8Array[]): Promise<void> =>
      rejected?.appendFile(Buffer.concat(raw.flatMap((line) => [line, lineFeed])));
    const lines = (onHeader = reject) => {
      if (reportedAt !== undefined) return reportLines(bytesOf(file), reportedAt);
      return columns === undefined
        ? recordLines(pipeline(bytesOf(file), splitLines(), () => undefined))
        : mappedLines(file, columns, onHeader);
    };
    return { lines, ids, reject, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @throws ApiError `validation_error` for what is said of a complete file in vain. */
function checkComplete({
  complete = [],
  force,
  file,
  organizationId: owner,
}: z.output<typeof importInput>): void {
  if (complete.length === 0) {
    if (force !== undefined) throw invalidAt('force', 'is for a file that is `complete`');
    return;
  }
  if (isReport(file))
    throw invalidAt('complete', 'is not for reports in XML (.xml): each has all that the registry knows');
  if (owner === undefined)
    throw invalidAt(
      'organizationId',
      'is required: it is whose licenses and appointments a `complete` file ends',
    );
  const places = complete.map(({ kind, stateCode }) => `${kind} ${stateCode}`);
  const twice = places.findIndex((place, index) => places.indexOf(place) < index);
  if (twice !== -1) throw invalidAt(`complete[${twice}]`, 'is the same list as an earlier one');
}

/**
 * Sends a file in chunks, in order, and adds up the results; of a dry run, only reads it.
 * @throws ApiError `validation_error` for input that is not valid; what `invoke` throws, where it refuses with what was imported
 * before.
 */
export async function importFile(invoke: Invoke, input: unknown): Promise<object> {
  const given = parseInput(importInput, input);
  const { file, organizationId: owner, emitEvents: isEmitting } = given;
  const { complete = [] } = given;
  checkComplete(given);
  if (given.dryRun === true && given.idsFile !== undefined)
    throw invalidAt('idsFile', 'is for an import: a dry run makes no ids');
  const files = await openFiles(file, given);
  const counts = { imported: 0, setAside: 0, matched: 0, review: 0, unmatched: 0 };
  // All chunks are one import: the function names it in its first answer.
  let command: { readonly commandId?: string | undefined; readonly commandAt?: string | undefined } = {};
  const [rejected, ids, notes] = [collector('rejected'), collector('ids'), collector('notes')];
  const counted = new Map<string, z.output<typeof note>>();
  let completed: object | undefined;
  const summary = () => ({
    imported: counts.imported,
    ...(counts.setAside === 0 ? {} : { setAside: counts.setAside }),
    ...rejected.summary(),
    ...(files.ids === undefined ? ids.summary() : {}),
    ...(notes.isEmpty() && counted.size === 0
      ? {}
      : { ...notes.summary(), notes: [...counted.values(), ...notes.shown] }),
    matched: counts.matched,
    review: counts.review,
    unmatched: counts.unmatched,
    ...(completed === undefined ? {} : { complete: completed }),
  });
  const reject = async (
    sent: readonly SourceLine[],
    some: z.output<typeof outcome>['rejected'],
  ): Promise<void> => {
    rejected.add(some);
    const lines = new Set(some.map(({ line }) => line));
    await files.reject(...sent.flatMap((one) => (lines.has(one.line) ? [one.raw] : [])));
  };
  try {
    if (given.dryRun === true) {
      const read = await dryRun(files.lines(), (one, issues) => reject([one], [{ line: one.line, issues }]));
      return { ...read, ...rejected.summary() };
    }
    const completing =
      owner === undefined || complete.length === 0
        ? undefined
        : await completeImport(invoke, { organizationId: owner, lists: complete }, files.lines(noHeader));
    const unread = (await completing?.check(given.force === true)) ?? [];
    for await (const chunk of importChunks(files.lines(), files.lines(noHeader))) {
      const [{ line: firstLine } = { line: 1 }] = chunk.lines;
      if (chunk.fault !== undefined) {
        await reject(chunk.lines, [{ line: firstLine, issues: [{ path: '', message: chunk.fault }] }]);
        continue;
      }
      const lines = chunk.lines.map(({ text }) => text);
      const lineNumbers = chunk.lines.map(({ line }) => line);
      const isInOrder = lineNumbers.every((line, index) => line === firstLine + index);
      const payload = {
        organizationId: owner,
        emitEvents: isEmitting,
        ...command,
        firstLine,
        lines,
        ...(isInOrder ? {} : { lineNumbers }),
      };
      const result = await invoke('import', payload).catch((error: unknown) => {
        if (!(error instanceof RefusedCommand)) throw error;
        const { details, ...refusal } = error.refusal;
        // Earlier chunks were imported: the details say where to continue.
        throw new RefusedCommand({
          ...refusal,
          details: { ...details, stoppedAtLine: chunk.from, ...summary() },
        });
      });
      const { commandId, commandAt, ...part } = z.parse(outcome, result);
      command = { commandId, commandAt };
      for (const name of ['imported', 'setAside', 'matched', 'review', 'unmatched'] as const) {
        counts[name] += part[name];
      }
      await reject(chunk.lines, part.rejected);
      notes.add(part.notes.filter(({ line }) => line !== null));
      for (const { count, ...one } of part.notes.filter(({ line }) => line === null)) {
        const key = JSON.stringify(one);
        counted.set(key, { ...one, count: count + (counted.get(key)?.count ?? 0) });
      }
      if (files.ids === undefined) ids.add(part.ids);
      else await files.ids.appendFile(part.ids.map((id) => `${JSON.stringify(id)}\n`).join(''));
    }
    if (completing !== undefined) {
      completed =
        completing.isReadable && rejected.isEmpty()
          ? {
              ...(await completing.end({ ...command, emitEvents: isEmitting })),
              ...(unread.length === 0
                ? {}
                : { unread, because: 'A row of each of `unread` cannot be read, so that they end nothing.' }),
            }
          : { lists: [], because: 'A line was rejected, so the file ends nothing.' };
    }
  } finally {
    await files.close();
  }
  return summary();
}
