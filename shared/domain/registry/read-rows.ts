import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { withValue } from '#platform/data/json.ts';
import {
  type EntityReport,
  type RegistryHolder,
  registryAction,
  registryAppointment,
  registryLicense,
  type UnreadableRow,
  type WrittenRow,
} from './registry.ts';
import { lineOfAuthority } from './resources.ts';
import { plain } from './words.ts';

// Rows of licenses, appointments, and regulatory actions, each read by itself, wherever it comes from: one that cannot be read
// stops no other.

type Row = Record<string, unknown>;

/** Reading of the rows of a kind, by the fields of their schema, each by itself. */
interface RowReading<Schema extends z.core.$ZodType> {
  readonly kind: UnreadableRow['kind'];
  readonly schema: Schema;
  /** Fields without which a row counts all the same, also of what it contains. */
  readonly dispensable: readonly string[];
  /** Completes a row of tidy fields, which is its own. */
  readonly complete?: (row: Row) => Row;
}

/** Fields of numbers; the others are texts. */
const numbers = new Set(['penaltyFineForfeitureInUSD', 'lengthOfOrderInDays', 'ceCreditsNeeded']);

const blankOf = ({ shape }: { readonly shape: object }): Row =>
  Object.fromEntries(Object.keys(shape).map((name) => [name, null]));

/**
 * A text without spaces around it, and null for none. Files and JSON may have numbers where codes are meant; one that may have lost
 * digits stays a number, which is no text.
 */
function tidy(value: unknown, isNumber: boolean): unknown {
  if (typeof value === 'string') return value.trim() || null;
  if (Number.isSafeInteger(value) && !isNumber) return String(value);
  return value ?? null;
}

/** The fields of a row that are ours; null for what is not said. @param blank a row of them that says nothing. */
function tidyRow(writtenRow: WrittenRow, blank: Row): Row {
  // To fill a blank takes half the time that it takes to add each field of a report's thousands of rows.
  const row = { ...blank };
  for (const name of Object.keys(blank)) row[name] = tidy(writtenRow[name], numbers.has(name));
  return row;
}

const isRow = (value: unknown): value is WrittenRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const stateOf = (row: Row): unknown => {
  const state = row['stateCode'];
  return typeof state === 'string' ? state.toUpperCase() : state;
};

/** The state of a row that cannot be read: one that is none of ours is a state all the same. */
const placeOf = (row: Row): string | null => {
  const state = row['stateCode'];
  return typeof state === 'string' && /^[A-Z]{2}$/.test(state) ? state : null;
};

/** Reads rows. Dispensable fields that cannot be read are null. */
function readRows<Schema extends z.core.$ZodType & { readonly shape: object }>(
  writtenRows: readonly unknown[],
  { kind, schema, dispensable, complete = (row) => row }: RowReading<Schema>,
) {
  const blank = blankOf(schema);
  const rows: z.output<Schema>[] = [];
  const unreadable: UnreadableRow[] = [];
  for (const writtenRow of writtenRows) {
    const tidiedRow = tidyRow(isRow(writtenRow) ? writtenRow : {}, blank);
    let row = complete(Object.assign(tidiedRow, { stateCode: stateOf(tidiedRow) }));
    let read = z.safeParse(schema, row);
    const paths = read.error?.issues.map(({ path }) => path.map(String)) ?? [];
    const dispensablePaths = paths.filter((path) => dispensable.includes(path.at(-1) ?? ''));
    for (const path of dispensablePaths) row = withValue(row, path, null) as Row;
    if (dispensablePaths.length > 0) read = z.safeParse(schema, row);
    if (read.success) rows.push(read.data);
    else {
      const faults = read.error.issues.map(({ path }) => path.join('.'));
      unreadable.push({ kind, stateCode: placeOf(row), faults, written: row });
    }
  }
  return { rows, unreadable };
}

const blankLine = blankOf(lineOfAuthority);

/** A line of which only the name is known has the code ''. */
function completedLine(line: unknown): unknown {
  if (!isRow(line)) return line;
  const row = tidyRow(line, blankLine);
  row['name'] ??= row['code'] ?? '';
  row['code'] ??= '';
  return row;
}

const residencies: Readonly<Record<string, string>> = {
  r: 'resident',
  resident: 'resident',
  nr: 'non-resident',
  nonresident: 'non-resident',
  'non resident': 'non-resident',
};

const licenseReading: RowReading<typeof registryLicense> = {
  kind: 'license',
  schema: registryLicense,
  dispensable: [
    'licenseClassCode',
    'licenseClassName',
    'statusReason',
    'ceCompliance',
    'ceCreditsNeeded',
    'ceRenewalDate',
  ],
  complete(row) {
    const { residencyStatus: residency, linesOfAuthority: lines } = row;
    return Object.assign(row, {
      residencyStatus:
        typeof residency === 'string' ? (residencies[plain(residency)] ?? residency) : residency,
      linesOfAuthority: Array.isArray(lines) ? lines.map(completedLine) : lines,
    });
  },
};

const appointmentReading = {
  kind: 'appointment',
  schema: registryAppointment.check(
    z.refine((row) => (row.companyCode ?? row.ein ?? row.carrierName) !== null, { path: ['companyCode'] }),
  ),
  dispensable: ['appointerStateCoId', 'countyName'],
} as const satisfies RowReading<z.core.$ZodType>;

/** An order counts only where all that its force depends on can be read. One without a number is known by what it says. */
const actionReading: RowReading<typeof registryAction> = {
  kind: 'regulatory action',
  schema: registryAction,
  dispensable: ['originOfAction', 'reasonForAction', 'fileRef', 'penaltyFineForfeitureInUSD'],
  complete(row) {
    const hash = createHash('sha256').update(JSON.stringify(row)).digest('hex');
    return { ...row, actionId: row['actionId'] ?? `unnumbered-${hash.slice(0, 16)}` };
  },
};

/** A report as it is written: the rows of its lists are read by `reportOf`. */
export interface WrittenReport extends RegistryHolder {
  readonly npn: string | null;
  readonly licenses: readonly unknown[];
  readonly appointments: readonly unknown[];
  readonly regulatoryActions: readonly unknown[];
}

/** Reads the rows of a report, each by itself. */
export function reportOf({ kind, name, ...rows }: Omit<WrittenReport, 'npn'>): EntityReport {
  const licenses = readRows(rows.licenses, licenseReading);
  const appointments = readRows(rows.appointments, appointmentReading);
  const actions = readRows(rows.regulatoryActions, actionReading);
  return {
    kind,
    name,
    licenses: licenses.rows,
    appointments: appointments.rows,
    actions: actions.rows,
    unreadable: [licenses, appointments, actions].flatMap(({ unreadable }) => unreadable),
  };
}
