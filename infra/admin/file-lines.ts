// The dry run of an import: its lines are read here, as the import function reads them, and nothing is called.
import * as z from 'zod/mini';
import { npn } from '#domain/identifiers/identifiers.ts';
import { invalidAt } from '#platform/contract/errors.ts';
import { stateCode } from '#platform/contract/primitives.ts';
import { parseInput } from '#platform/request/validation.ts';
import { recordSchemas } from '../../functions/import/record-schemas.ts';
import { parseLine, parseRecord } from '../../functions/import/run/import-records.ts';
import { issuesOf, type RejectedLine, withValues } from '../../functions/import/run/lines.ts';
import { registryReport } from '../../functions/import/types/registry-records.ts';
import { recordTypes } from './fields.ts';
import type { SourceLine } from './report-lines.ts';

const typedRecord = z.looseObject({ type: z.enum([...recordTypes, 'registry-report']) });

type TypedRecord = z.output<typeof typedRecord>;

/** Reads a record as the import of its type does. @throws ApiError `validation_error`. */
const readRecord = (record: TypedRecord): object =>
  parseRecord<z.core.$ZodType<object>>(
    record.type === 'registry-report' ? registryReport : recordSchemas[record.type],
    record,
  );

/** A line as it is read: a valid record, as it would be sent and as the import reads it, or its issues. */
type LineReading =
  | { readonly record: TypedRecord; readonly read: object }
  | { readonly issues: RejectedLine['issues']; readonly source: unknown };

/** Reads a line as the import would. */
function readLine({ text, fault = '' }: SourceLine): LineReading {
  let source: unknown;
  try {
    if (text === undefined) throw invalidAt('', fault);
    source = parseLine(text);
    const typedLine = parseInput(typedRecord, source);
    return { record: typedLine, read: readRecord(typedLine) };
  } catch (error) {
    return { issues: withValues(issuesOf(error), source), source: source };
  }
}

/** Valid records that the answer has whole. */
const recordsShown = 5;

/**
 * Reads the lines of a file: the numbers of valid ones by type, and the first records.
 * @param onRejection called with each line that is not valid.
 */
export async function dryRun(
  lines: AsyncIterable<SourceLine>,
  onRejection: (line: SourceLine, issues: RejectedLine['issues']) => Promise<void>,
) {
  const records: TypedRecord[] = [];
  const counts: Partial<Record<TypedRecord['type'], number>> = {};
  for await (const line of lines) {
    const reading = readLine(line);
    if ('issues' in reading) await onRejection(line, reading.issues);
    else {
      const { record: sent } = reading;
      if (records.length < recordsShown) records.push(sent);
      counts[sent.type] = (counts[sent.type] ?? 0) + 1;
    }
  }
  return { records, counts };
}

const kind = z.enum(['license', 'appointment', 'regulatory-action']);

const ofHolder = z.object({ type: kind, npn, stateCode, upstreamEntityId: z.optional(z.unknown()) });

const ofLicense = z.object({ type: kind, npn: z.optional(z.undefined()), licenseNumber: z.string() });

const otherRecord = z.object({
  type: z.enum(recordTypes.filter((type) => !z.safeParse(kind, type).success)),
});

/** The lines of one holder, state, and kind. */
interface Statement {
  readonly lines: SourceLine[];
  isPartial: boolean;
}

/** A complete file: the lines that are sent as those of any file, and those that are all of a holder, a state, and a kind. */
export interface CompleteFile {
  readonly lines: readonly SourceLine[];
  readonly statements: readonly (readonly SourceLine[])[];
  /** Number of further statements, which count as partial because of a rejected line. */
  readonly partial: number;
}

/**
 * Reads a complete file. A line that is to be rejected makes the statement partial that it is of; where that cannot be read, all.
 * @throws ApiError `validation_error` for a file without a line that can be read, and one that names a holder by a license.
 */
export async function readCompleteFile(
  source: AsyncIterable<SourceLine>,
  organizationId: string | undefined,
): Promise<CompleteFile> {
  const statements = new Map<string, Statement>();
  const lines: SourceLine[] = [];
  let areAllPartial = false;
  let isAnyRead = false;
  for await (const line of source) {
    const reading = readLine(line);
    const isRejected = 'issues' in reading;
    isAnyRead ||= !isRejected;
    const record = isRejected ? reading.source : reading.read;
    if (!isRejected && z.safeParse(ofLicense, record).success) {
      throw invalidAt('complete', `needs the npn of each holder: line ${line.line} has none`);
    }
    const { data: holder } = z.safeParse(ofHolder, record);
    if (holder === undefined) {
      areAllPartial ||= isRejected && !z.safeParse(otherRecord, record).success;
      lines.push(line);
      continue;
    }
    // In a file of one organization, another owner is a fault.
    const { upstreamEntityId: owner = organizationId } = holder;
    const isOfOther = organizationId !== undefined && owner !== organizationId;
    const key = JSON.stringify([
      holder.type,
      holder.npn,
      holder.stateCode,
      organizationId === undefined ? owner : '',
    ]);
    const statement = statements.get(key) ?? { lines: [], isPartial: false };
    statements.set(key, statement);
    statement.lines.push(line);
    statement.isPartial ||= isRejected || isOfOther;
  }
  if (!isAnyRead) throw invalidAt('file', 'has no line that can be read');
  const { whole = [], partial = [] } = Object.groupBy(statements.values(), ({ isPartial }) =>
    areAllPartial || isPartial ? 'partial' : 'whole',
  );
  return {
    lines: [...lines, ...partial.flatMap((statement) => statement.lines)],
    statements: whole.map((statement) => statement.lines),
    partial: partial.length,
  };
}
