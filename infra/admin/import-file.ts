// The operators' import of a file: read in chunks, sent to the function, and its answers put together.
import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream';
import * as z from 'zod/mini';
import { invocationBytes, MB } from '#platform/aws/limits.ts';
import { invalidAt } from '#platform/contract/errors.ts';
import { chunks } from '#platform/data/concurrently.ts';
import { stepsOf, valueAt } from '#platform/data/json.ts';
import { parseInput } from '#platform/request/validation.ts';
import { importChunk } from '../../functions/import/run/import-records.ts';
import { splitLines } from '../text.ts';
import { type CompleteFile, dryRun, readCompleteFile } from './file-lines.ts';
import { type Invoke, RefusedCommand } from './functions.ts';
import { readMapping, rowReader, type TableMapping } from './mapping.ts';
import { reportLines, type SourceLine } from './report-lines.ts';
import { decoderOf, rowsOf } from './tables.ts';

const { organizationId, emitEvents, askedAt } = importChunk.shape;

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
  complete: flag(
    'Whether what the file says of a producer or an agency in a state is all that there is of its type there: what it leaves out ends.',
  ),
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
  readonly fault?: string | undefined;
  /** Whether no further chunk has lines of its statements; only of a complete file. */
  readonly isLast?: boolean;
}

/** The most lines of a chunk, and the most bytes of these. */
const chunkSize = { lines: 500, bytes: MB };

/** Size of a line in a call: its record as JSON within JSON, and its number. */
const sizeOf = ({ text = '' }: SourceLine): number => Buffer.byteLength(JSON.stringify(text)) + 12;

/** Size of the lines of a call, beside what is said of all of them. */
const callSize = {
  count: Number.POSITIVE_INFINITY,
  size: { bytes: invocationBytes - 10_000, of: sizeOf },
};

/** Size of the statements of a call, by their lines or their bytes. */
const statementsSize = {
  count: Number.POSITIVE_INFINITY,
  size: {
    bytes: chunkSize.bytes,
    of: (lines: readonly SourceLine[]): number =>
      Math.max(
        lines.reduce((sum, line) => sum + sizeOf(line), 0),
        (lines.length * chunkSize.bytes) / chunkSize.lines,
      ),
  },
};

/**
 * Lines of a file; one that no call takes has its fault in place of its text.
 * @throws ApiError `validation_error` where there are none.
 */
async function* fittingLines(lines: AsyncIterable<SourceLine>): AsyncGenerator<SourceLine> {
  let isAny = false;
  for await (const line of lines) {
    isAny = true;
    const { text, ...rest } = line;
    if (text === undefined || sizeOf(line) <= callSize.size.bytes) yield line;
    else yield { ...rest, text: undefined, fault: 'is too large: one call of the import takes 6 MB' };
  }
  if (!isAny) throw invalidAt('file', 'has nothing to import');
}

/** The lines of an NDJSON file that are not empty. */
export async function* recordLines(lines: AsyncIterable<Uint8Array>): AsyncGenerator<SourceLine> {
  const decode = decoderOf('utf-8');
  let line = 0;
  for await (const raw of lines) {
    line += 1;
    const text = decode(raw);
    if (text === undefined) yield { line, raw, text, fault: 'is not UTF-8' };
    else if (text.trim() !== '') yield { line, raw, text };
  }
}

const holderFields = [/"type":\s*"(license|appointment)"/, /"npn":\s*"\d+"/];

/** Whether two lines are of the licenses, or of the appointments, of one holder. */
const areOfOneHolder = (line: SourceLine, { text = '' }: SourceLine): boolean =>
  holderFields.every(
    (field) => field.test(text) && field.exec(text)?.[0] === field.exec(line.text ?? '')?.[0],
  );

/**
 * Splits the lines of a file into chunks while reading them. Those of one holder that follow each other stay together, as far as a call
 * takes them: each call works out anew what is known of it.
 */
export async function* importChunks(
  lines: AsyncIterable<SourceLine> | Iterable<SourceLine>,
): AsyncGenerator<ImportChunk> {
  let [chunk, bytes]: [SourceLine[], number] = [[], 0];
  for await (const line of lines) {
    const { text, fault } = line;
    const size = sizeOf(line);
    const isFull = chunk.length >= chunkSize.lines || bytes + size > chunkSize.bytes;
    const before = chunk.at(-1);
    const isOfHolder = isFull && before !== undefined && areOfOneHolder(before, line);
    // The records of a row stay together.
    const isFurther = before?.line === line.line || (isOfHolder && bytes + size <= callSize.size.bytes);
    if (chunk.length > 0 && ((isFull && !isFurther) || text === undefined)) {
      yield { lines: chunk };
      [chunk, bytes] = [[], 0];
    }
    if (text === undefined) yield { lines: [line], fault };
    else {
      chunk.push(line);
      bytes += size;
    }
  }
  if (chunk.length > 0) yield { lines: chunk };
}

/** Splits a complete file into chunks: each statement is in one, or, where it is too large, in several that follow each other. */
async function* completeChunks({ lines, statements }: CompleteFile): AsyncGenerator<ImportChunk> {
  yield* importChunks(lines);
  for (const batch of chunks(statements, statementsSize)) {
    const parts = chunks(batch.flat(), callSize);
    for (const part of parts) yield { lines: part, isLast: part === parts.at(-1) };
  }
}

/** Lines of each kind that the answer shows. A file may have millions; the ids of all of them go to `idsFile`. */
const mostShown = 1_000;

/** A note on an imported line, or on several at once: then without a line, and in each chunk that has any. */
const note = z.object({
  line: z.nullable(z.number()),
  code: z.string(),
  message: z.string(),
  count: z.number(),
});

const partialNote = {
  line: null,
  code: 'counted_as_partial',
  message:
    'A line was rejected: what the file leaves out of so many holders, states, and types does not end. Correct it, and import the whole file again.',
};

const issueOfField = z.looseObject({ path: z.string(), column: z.optional(z.string()) });

/** An issue of a line's field. */
interface FieldIssue {
  readonly path: string;
  readonly message?: string;
  readonly value?: unknown;
  readonly column?: string | undefined;
}

/** Whether an issue is of what a record has in its field; the values of issues are cut off, and lists have none. */
function isOfRecord({ path: fieldPath, value }: FieldIssue, { text = '{}' }: SourceLine): boolean {
  const fieldValue = valueAt(JSON.parse(text), stepsOf(fieldPath));
  if (typeof value === 'string') return typeof fieldValue === 'string' && fieldValue.startsWith(value);
  return value === fieldValue || (value === undefined && typeof fieldValue === 'object');
}

/** An issue with the column that its field is read from in one of a row's records, and the forms of that column's dates. */
function withColumn(issue: FieldIssue, records: readonly SourceLine[]): FieldIssue {
  const source = records.find(
    (record) => record.columnOf?.(issue.path) !== undefined && isOfRecord(issue, record),
  );
  const { column, dates = [] } = source?.columnOf?.(issue.path) ?? {};
  const isDate = dates.length > 0 && issue.value !== undefined;
  return {
    ...issue,
    ...(column === undefined ? {} : { column }),
    ...(isDate
      ? { message: `must be a date such as 2026-03-01, or ${dates.join(' or ')}`, accepted: dates }
      : {}),
  };
}

/** Counts before the first transaction. */
const noParties = { agencies: 0, agents: 0, products: 0 };
const ofParties = z._default(z.record(z.string(), z.number()), noParties);

const outcome = z.object({
  imported: z.number(),
  rejected: z.array(z.object({ line: z.number(), issues: z.array(issueOfField) })),
  ids: z.array(z.unknown()),
  notes: z._default(z.array(note), []),
  importedByType: z._default(z.record(z.string(), z.number()), {}),
  matched: ofParties,
  review: ofParties,
  unmatched: ofParties,
  commandId: z.optional(z.string()),
  commandAt: z.optional(z.string()),
});

type Numbers = Readonly<Record<string, number>>;

/** Numbers, added up by their names. */
const addedUp = (a: Numbers, b: Numbers): Numbers => ({
  ...a,
  ...Object.fromEntries(Object.entries(b).map(([name, count]) => [name, count + (a[name] ?? 0)])),
});

/** Collects what is said of lines: the first ones for the answer, and how many more there are. */
function collector(name: string) {
  const shownItems: unknown[] = [];
  let total = 0;
  return {
    shown: shownItems,
    add(items: readonly unknown[]): void {
      shownItems.push(...items.slice(0, mostShown - shownItems.length));
      total += items.length;
    },
    summary: (): object => ({
      [name]: shownItems,
      ...(total === shownItems.length ? {} : { [`${name}Omitted`]: total - shownItems.length }),
    }),
    isEmpty: (): boolean => total === 0,
  };
}

/** Why a call failed: as it says itself or, where earlier ones were answered, so that those are not forgotten. */
function refusalOf(error: unknown, isBegun: boolean): RefusedCommand['refusal'] | undefined {
  if (error instanceof RefusedCommand) return error.refusal;
  if (!isBegun || !(error instanceof Error)) return undefined;
  return { errorType: 'internal_server_error', errorMessage: [error.message] };
}

const lineFeed = Buffer.from('\n');

/** The bytes of a file. The reader gets the error of one that cannot be read to its end. */
const bytesOf = (file: string): AsyncIterable<Buffer> => createReadStream(file);

/** The rows of a table as records. @param onHeader takes the table's first row, as it stands there. */
async function* mappedLines(
  file: string,
  mapping: TableMapping,
  onHeader: (raw: Uint8Array) => Promise<void>,
): AsyncGenerator<SourceLine> {
  let read: ReturnType<typeof rowReader> | undefined;
  for await (const row of rowsOf(bytesOf(file), mapping)) {
    if (read !== undefined) yield* read(row);
    else {
      read = rowReader(mapping, row);
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
    askedAt: givenTime,
    complete = false,
  }: Pick<z.output<typeof importInput>, 'idsFile' | 'rejectedFile' | 'mapping' | 'askedAt' | 'complete'>,
) {
  if ((await stat(file).catch(() => undefined))?.isFile() !== true)
    throw invalidAt('file', `${file} cannot be read`);
  if (mapping === undefined && /\.(csv|tsv|txt)$/i.test(file)) {
    throw invalidAt('mapping', 'is required for a table');
  }
  if (isReport(file) && givenTime === undefined) {
    throw invalidAt('askedAt', 'is required for reports: when the registry was asked for them');
  }
  if (isReport(file) && complete)
    throw invalidAt('complete', 'is not for reports in XML (.xml): each has all that the registry knows');
  const columns = mapping === undefined ? undefined : await readMapping(mapping);
  const paths = [file, mapping, idsFile, rejectedFile].flatMap((path) =>
    path === undefined ? [] : resolve(path),
  );
  if (new Set(paths).size < paths.length) throw invalidAt('', 'each file must be another one');
  const openedFiles: FileHandle[] = [];
  const close = () => Promise.all(openedFiles.map((openedFile) => openedFile.close()));
  const output = async (field: 'idsFile' | 'rejectedFile', path: string | undefined) => {
    if (path === undefined) return undefined;
    const outputFile = await open(path, 'w').catch(() => undefined);
    if (outputFile === undefined) throw invalidAt(field, `${path} cannot be written`);
    openedFiles.push(outputFile);
    return outputFile;
  };
  try {
    const ids = await output('idsFile', idsFile);
    const rejectedOutput = await output('rejectedFile', rejectedFile);
    const reject = async (...raw: readonly Uint8Array[]): Promise<void> =>
      rejectedOutput?.appendFile(Buffer.concat(raw.flatMap((line) => [line, lineFeed])));
    const lines = () => {
      if (isReport(file)) return fittingLines(reportLines(bytesOf(file)));
      return fittingLines(
        columns === undefined
          ? recordLines(pipeline(bytesOf(file), splitLines(), () => undefined))
          : mappedLines(file, columns, reject),
      );
    };
    return { lines, ids, reject, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Sends a file in chunks, in order, and adds up the results; of a dry run, only reads it.
 * @throws ApiError `validation_error` for input that is not valid; what `invoke` throws, where it refuses with what was imported
 * before.
 */
export async function importFile(
  invoke: Invoke,
  input: unknown,
  report: (line: string) => void = () => undefined,
): Promise<object> {
  const importOptions = parseInput(importInput, input);
  const { file, organizationId: owner, emitEvents: isEmitting, complete = false } = importOptions;
  if (importOptions.dryRun === true && importOptions.idsFile !== undefined)
    throw invalidAt('idsFile', 'is for an import: a dry run makes no ids');
  const files = await openFiles(file, importOptions);
  let importedCount = 0;
  const counts: Record<'importedByType' | 'matched' | 'review' | 'unmatched', Numbers> = {
    importedByType: {},
    matched: noParties,
    review: noParties,
    unmatched: noParties,
  };
  // All chunks are one import: the function names it in its first answer.
  let command: { readonly commandId?: string | undefined; readonly commandAt?: string | undefined } = {};
  const [rejections, ids, notes] = [collector('rejected'), collector('ids'), collector('notes')];
  const countByNote = new Map<string, z.output<typeof note>>();
  const countNote = ({ count, ...noteText }: z.output<typeof note>): void => {
    const key = JSON.stringify(noteText);
    countByNote.set(key, { ...noteText, count: count + (countByNote.get(key)?.count ?? 0) });
  };
  const summary = () => ({
    imported: importedCount,
    ...rejections.summary(),
    ...(files.ids === undefined ? ids.summary() : {}),
    ...(notes.isEmpty() && countByNote.size === 0
      ? {}
      : { ...notes.summary(), notes: [...countByNote.values(), ...notes.shown] }),
    ...counts,
  });
  // The records of a row are rejected as one line, which is the last one as long as they come.
  let last: { readonly line: number; readonly issues: FieldIssue[] } | undefined;
  const reject = async (
    sentLines: readonly SourceLine[],
    lineIssues: readonly { readonly line: number; readonly issues: readonly FieldIssue[] }[],
  ): Promise<void> => {
    for (const { line, issues } of lineIssues) {
      const records = sentLines.filter((sentLine) => sentLine.line === line);
      const namedIssues = issues.map((issue) => withColumn(issue, records));
      if (last?.line === line) {
        const { issues: knownIssues } = last;
        const isKnown = ({ path: fieldPath, column }: FieldIssue) =>
          knownIssues.some((knownIssue) => knownIssue.path === fieldPath && knownIssue.column === column);
        knownIssues.push(...namedIssues.filter((issue) => !isKnown(issue)));
        continue;
      }
      last = { line, issues: namedIssues };
      rejections.add([last]);
      await files.reject(...records.slice(0, 1).map(({ raw }) => raw));
    }
  };
  try {
    if (importOptions.dryRun === true) {
      const read = await dryRun(files.lines(), (line, issues) =>
        reject([line], [{ line: line.line, issues }]),
      );
      return { ...read, ...rejections.summary() };
    }
    const completeFile = complete ? await readCompleteFile(files.lines(), owner) : undefined;
    if (completeFile !== undefined && completeFile.partial > 0)
      countNote({ ...partialNote, count: completeFile.partial });
    // Whether no line was rejected of the statement that a further chunk completes.
    let isWhole = true;
    const send = async (lines: readonly SourceLine[], isComplete: boolean) => {
      const [{ line: firstLine } = { line: 1 }] = lines;
      const lineNumbers = lines.map(({ line }) => line);
      const isInOrder = lineNumbers.every((line, index) => line === firstLine + index);
      const payload: object = {
        organizationId: owner,
        emitEvents: isEmitting,
        askedAt: importOptions.askedAt,
        ...(isComplete ? { complete } : {}),
        ...command,
        firstLine,
        lines: lines.map(({ text }) => text),
        ...(isInOrder ? {} : { lineNumbers }),
      };
      const result = await invoke('import', payload).catch((error: unknown) => {
        const callRefusal = refusalOf(error, command.commandId !== undefined);
        if (callRefusal === undefined) throw error;
        const { details, ...refusal } = callRefusal;
        // Earlier chunks were imported: the details say where to continue. A complete file is imported again as a whole.
        const stopDetails = complete ? {} : { stoppedAtLine: firstLine };
        throw new RefusedCommand({ ...refusal, details: { ...details, ...stopDetails, ...summary() } });
      });
      return z.parse(outcome, result);
    };
    for await (const chunk of completeFile === undefined
      ? importChunks(files.lines())
      : completeChunks(completeFile)) {
      const [{ line: firstLine } = { line: 1 }] = chunk.lines;
      if (chunk.fault !== undefined) {
        await reject(chunk.lines, [{ line: firstLine, issues: [{ path: '', message: chunk.fault }] }]);
        continue;
      }
      const { commandId, commandAt, ...part } = await send(chunk.lines, chunk.isLast === true && isWhole);
      command = { commandId, commandAt };
      report(`From line ${firstLine}: ${part.imported} imported, ${part.rejected.length} rejected.`);
      importedCount += part.imported;
      for (const name of ['importedByType', 'matched', 'review', 'unmatched'] as const) {
        counts[name] = addedUp(counts[name], part[name]);
      }
      await reject(chunk.lines, part.rejected);
      isWhole = chunk.isLast !== false || (isWhole && part.rejected.length === 0);
      // Of a statement that spans several chunks, the last one tells.
      const isTold = (code: string): boolean => chunk.isLast !== false || code !== 'end_unmatched';
      notes.add(part.notes.filter(({ line, code }) => line !== null && isTold(code)));
      for (const lineNote of part.notes.filter(({ line }) => line === null)) countNote(lineNote);
      if (files.ids === undefined) ids.add(part.ids);
      else await files.ids.appendFile(part.ids.map((id) => `${JSON.stringify(id)}\n`).join(''));
    }
  } finally {
    await files.close();
  }
  return summary();
}
