// The dry run of an import: its lines are read here, as the import function reads them, and nothing is called.
import * as z from 'zod/mini';
import { invalidAt } from '#platform/contract/errors.ts';
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
export type LineReading =
  | { readonly record: TypedRecord; readonly read: object }
  | { readonly issues: RejectedLine['issues']; readonly source: unknown };

/** Reads a line as the import would. */
export function readLine({ text, fault = '' }: SourceLine): LineReading {
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
