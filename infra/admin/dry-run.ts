// The dry run of an import: its lines are read here, as the import function reads them, and nothing is called.
import * as z from 'zod/mini';
import { agentLine } from '../../functions/import/agent/import.ts';
import { parseLine, parseRecord } from '../../functions/import/import-records.ts';
import { issuesOf } from '../../functions/import/lines.ts';
import { recordSchemas } from '../../functions/import/record-schemas.ts';
import { appointmentLine, licenseLine } from '../../functions/import/registry-records.ts';
import { registryReport } from '../../functions/import/registry-report.ts';
import { isUnread } from '../../functions/import/unread-lines.ts';
import { invalidAt, invalidFields } from '../../shared/platform/contract/errors.ts';
import type { Issue } from '../../shared/platform/errors/domain-error.ts';
import { parseInput } from '../../shared/platform/request/validation.ts';
import { recordTypes } from './fields.ts';
import type { SourceLine } from './report-lines.ts';

const typed = z.looseObject({ type: z.enum([...recordTypes, 'registry-report']) });

type TypedRecord = z.output<typeof typed>;

/** Reads a record as the import of its type does. @throws ApiError `validation_error`. */
function readRecord(record: TypedRecord): object {
  const line = { record, note: () => undefined };
  switch (record.type) {
    case 'agent':
      return agentLine(line);
    case 'license':
      return licenseLine(line);
    case 'appointment':
      return appointmentLine(line);
    case 'registry-report':
      return parseRecord(registryReport, record);
    default:
      return parseRecord<z.core.$ZodType<object>>(recordSchemas[record.type], record);
  }
}

/** The record of a line as it would be sent. @throws ApiError `validation_error` where it cannot be read. */
function recordOf({ text, fault = '' }: SourceLine): TypedRecord {
  if (text === undefined) throw invalidAt('', fault);
  const record = parseInput(typed, parseLine(text));
  const read = readRecord(record);
  if (isUnread(read)) {
    throw invalidFields(read.setAside.faults.map((path) => ({ path, message: 'cannot be read' })));
  }
  return record;
}

/** Valid records that the answer has whole. */
const recordsShown = 5;

/**
 * Reads the lines of a file: the numbers of valid ones by type, and the first records.
 * @param onRejected called with each line that is not valid.
 */
export async function dryRun(
  lines: AsyncIterable<SourceLine>,
  onRejected: (line: SourceLine, issues: readonly Issue[]) => Promise<void>,
) {
  const records: TypedRecord[] = [];
  const counts: Partial<Record<TypedRecord['type'], number>> = {};
  for await (const line of lines) {
    try {
      const record = recordOf(line);
      if (records.length < recordsShown) records.push(record);
      counts[record.type] = (counts[record.type] ?? 0) + 1;
    } catch (error) {
      await onRejected(line, issuesOf(error));
    }
  }
  return { records, counts };
}
