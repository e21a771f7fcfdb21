// The dry run of an import: its lines are read here, as the import function reads them, and nothing is called.
import * as z from 'zod/mini';
import { invalidAt } from '#platform/contract/errors.ts';
import { parseInput } from '#platform/request/validation.ts';
import { agentLine } from '../../functions/import/agent/import.ts';
import { parseLine, parseRecord } from '../../functions/import/import-records.ts';
import { issuesOf, type RejectedLine, withValues } from '../../functions/import/lines.ts';
import { recordSchemas } from '../../functions/import/record-schemas.ts';
import { registryReport } from '../../functions/import/registry-report.ts';
import { recordTypes } from './fields.ts';
import type { SourceLine } from './report-lines.ts';

const typed = z.looseObject({ type: z.enum([...recordTypes, 'registry-report']) });

type TypedRecord = z.output<typeof typed>;

/** Reads a record as the import of its type does. @throws ApiError `validation_error`. */
function readRecord(record: TypedRecord): object {
  switch (record.type) {
    case 'agent':
      return agentLine({ record, note: () => undefined });
    case 'registry-report':
      return parseRecord(registryReport, record);
    default:
      return parseRecord<z.core.$ZodType<object>>(recordSchemas[record.type], record);
  }
}

/** What a line says: a valid record, as it would be sent and as it is read, or what is wrong with it. */
export type LineReading =
  | { readonly sent: TypedRecord; readonly read: object }
  | { readonly issues: RejectedLine['issues']; readonly given: unknown };

/** Reads a line as the import would. */
export function readLine({ text, fault = '' }: SourceLine): LineReading {
  let given: unknown;
  try {
    if (text === undefined) throw invalidAt('', fault);
    given = parseLine(text);
    const sent = parseInput(typed, given);
    return { sent, read: readRecord(sent) };
  } catch (error) {
    return { issues: withValues(issuesOf(error), given), given };
  }
}

/** Valid records that the answer has whole. */
const recordsShown = 5;

/**
 * Reads the lines of a file: the numbers of valid ones by type, and the first records.
 * @param onRejected called with each line that is not valid.
 */
export async function dryRun(
  lines: AsyncIterable<SourceLine>,
  onRejected: (line: SourceLine, issues: RejectedLine['issues']) => Promise<void>,
) {
  const records: TypedRecord[] = [];
  const counts: Partial<Record<TypedRecord['type'], number>> = {};
  for await (const line of lines) {
    const reading = readLine(line);
    if ('issues' in reading) await onRejected(line, reading.issues);
    else {
      const { sent } = reading;
      if (records.length < recordsShown) records.push(sent);
      counts[sent.type] = (counts[sent.type] ?? 0) + 1;
    }
  }
  return { records, counts };
}
