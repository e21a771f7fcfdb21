import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { withValue } from '../../platform/data/json.ts';
import {
  type EntityReport,
  registryAction,
  registryAppointment,
  registryLicense,
  registryLine,
  type UnreadableRow,
  type WrittenRow,
} from './registry.ts';
import { plain } from './words.ts';

// Rows of licenses, appointments, and regulatory actions, each read by itself, wherever it comes from: one that cannot be read
// stops no other.

/** What was read of some rows. */
interface ReadRows<Row> {
  readonly rows: Row[];
  readonly unreadable: readonly UnreadableRow[];
  /** Fields that cannot be read, and so are null, of rows that count: by name, each once. */
  readonly nulled: readonly string[];
}

type Tidied = Record<string, unknown>;

/** What of a row counts, whatever its fields have to be. */
interface RowFields {
  /** Every field that is ours. */
  readonly fields: readonly string[];
  /** Fields of numbers; the others are texts. */
  readonly numbers: readonly string[];
  /** Fields without which a row cannot be read, also of what it contains. */
  readonly essential: readonly string[];
  /** Takes a row that is its own. */
  readonly tidied: (row: Tidied) => Tidied;
  /** Fields that cannot be read though each by itself could. */
  readonly faultsOf: (row: Tidied) => readonly string[];
  readonly kind: UnreadableRow['kind'];
}

/** How rows of a kind are read. */
interface RowReading<Schema extends z.core.$ZodType> extends RowFields {
  readonly schema: Schema;
}

/**
 * A text without spaces around it, and null for none. Files and JSON may have numbers where codes are meant; one that may have lost
 * digits stays a number, which is no text.
 */
function tidy(value: unknown, isNumber: boolean): unknown {
  if (typeof value === 'string') return value.trim() || null;
  if (Number.isSafeInteger(value) && !isNumber) return String(value);
  return value ?? null;
}

const blanks = new WeakMap<readonly string[], Tidied>();

/**
 * A row of some fields that says nothing: to fill it takes half the time that it takes to add each field of a report's thousands of
 * rows.
 */
function blankOf(fields: readonly string[]): Tidied {
  const blank = blanks.get(fields) ?? Object.fromEntries(fields.map((name) => [name, null]));
  blanks.set(fields, blank);
  return blank;
}

function tidiedFields(
  written: WrittenRow,
  { fields, numbers }: Pick<RowFields, 'fields' | 'numbers'>,
): Tidied {
  const tidied: Tidied = { ...blankOf(fields) };
  for (const name of fields) tidied[name] = tidy(written[name], numbers.includes(name));
  return tidied;
}

/** The fields of a row that are ours, each by itself as it would be read; null for what is not said. */
const tidiedRow = (written: WrittenRow, row: RowFields): Tidied => row.tidied(tidiedFields(written, row));

const isRow = (value: unknown): value is WrittenRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const stateOf = (row: Tidied): unknown => {
  const state = row['stateCode'];
  return typeof state === 'string' ? state.toUpperCase() : state;
};

/** The state of a row that cannot be read: one that is none of ours is a state all the same. */
const placeOf = (row: Tidied): string | null => {
  const state = row['stateCode'];
  return typeof state === 'string' && /^[A-Z]{2}$/.test(state) ? state : null;
};

function readRow<Schema extends z.core.$ZodType>(written: WrittenRow, reading: RowReading<Schema>) {
  let row = tidiedRow(written, reading);
  const nulled: string[] = [];
  const faults = [...reading.faultsOf(row)];
  let read = z.safeParse(reading.schema, row);
  for (const { path } of read.error?.issues ?? []) {
    const name = String(path.at(-1));
    if (reading.essential.includes(name)) faults.push(path.join('.'));
    else {
      nulled.push(name);
      row = withValue(row, path.map(String), null) as Tidied;
    }
  }
  if (nulled.length > 0 && faults.length === 0) {
    read = z.safeParse(reading.schema, row);
    faults.push(...(read.error?.issues ?? []).map(({ path }) => path.join('.')));
  }
  return { row, nulled, faults, data: faults.length === 0 ? read.data : undefined };
}

function readRows<Schema extends z.core.$ZodType>(
  written: readonly unknown[],
  reading: RowReading<Schema>,
): ReadRows<z.output<Schema>> {
  const rows: z.output<Schema>[] = [];
  const unreadable: UnreadableRow[] = [];
  const nulled = new Set<string>();
  for (const one of written) {
    const given = isRow(one) ? one : {};
    const { row, data, faults, ...read } = readRow(given, reading);
    if (data === undefined)
      unreadable.push({ kind: reading.kind, stateCode: placeOf(row), faults, written: row });
    else {
      rows.push(data);
      for (const name of read.nulled) nulled.add(name);
    }
  }
  return { rows, unreadable, nulled: [...nulled] };
}

/** How a line of authority is read. */
const lineReading = {
  fields: Object.keys(registryLine.shape),
  numbers: ['ceCreditsNeeded'],
};

/** A line of which only the name is known has the code ''. */
function tidiedLine(line: unknown): unknown {
  if (!isRow(line)) return line;
  const row = tidiedFields(line, lineReading);
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
  schema: registryLicense,
  fields: Object.keys(registryLicense.shape),
  numbers: [],
  essential: [
    'stateCode',
    'licenseNumber',
    'status',
    'residencyStatus',
    'issueDate',
    'nextRenewalDate',
    'expirationDate',
    'statusDate',
    'linesOfAuthority',
  ],
  tidied(row) {
    const { residencyStatus: written, linesOfAuthority: lines } = row;
    return {
      ...row,
      stateCode: stateOf(row),
      residencyStatus: typeof written === 'string' ? (residencies[plain(written)] ?? written) : written,
      linesOfAuthority: Array.isArray(lines) ? lines.map(tidiedLine) : lines,
    };
  },
  faultsOf: () => [],
  kind: 'license',
};

const companyFields = ['companyCode', 'ein', 'carrierName'];

const appointmentReading: RowReading<typeof registryAppointment> = {
  schema: registryAppointment,
  fields: Object.keys(registryAppointment.shape),
  numbers: [],
  essential: [
    'stateCode',
    'status',
    'terminationReason',
    'statusChangeDate',
    'renewalDate',
    'effectiveDate',
    ...companyFields,
  ],
  tidied: (row) => Object.assign(row, { stateCode: stateOf(row) }),
  faultsOf: (row) => (companyFields.every((name) => row[name] === null) ? ['companyCode'] : []),
  kind: 'appointment',
};

/**
 * An order whose date cannot be read counts without it, from when it became known: what is not known of an order makes it no
 * weaker. One without a number is known by what it says.
 */
const actionReading: RowReading<typeof registryAction> = {
  schema: registryAction,
  fields: Object.keys(registryAction.shape),
  numbers: ['penaltyFineForfeitureInUSD', 'lengthOfOrderInDays'],
  essential: ['stateCode', 'actionId'],
  tidied: (row) => ({
    ...row,
    stateCode: stateOf(row),
    actionId:
      row['actionId'] ??
      `unnumbered-${createHash('sha256').update(JSON.stringify(row)).digest('hex').slice(0, 16)}`,
  }),
  faultsOf: () => [],
  kind: 'regulatory action',
};

const readLicenses = (written: readonly unknown[]) => readRows(written, licenseReading);

const readAppointments = (written: readonly unknown[]) => readRows(written, appointmentReading);

/** What the rows of an answer come to, each read by itself. */
export function entityReport(
  { kind, name, residentStateCode }: Pick<EntityReport, 'kind' | 'name' | 'residentStateCode'>,
  licenseRows: readonly unknown[],
  appointmentRows: readonly unknown[],
  actionRows: readonly unknown[],
): EntityReport {
  const licenses = readLicenses(licenseRows);
  const appointments = readAppointments(appointmentRows);
  const actions = readRows(actionRows, actionReading);
  return {
    kind,
    name,
    residentStateCode,
    licenses: licenses.rows,
    appointments: appointments.rows,
    actions: actions.rows,
    unreadable: [...licenses.unreadable, ...appointments.unreadable, ...actions.unreadable],
    nulled: [...new Set([...licenses.nulled, ...appointments.nulled, ...actions.nulled])],
  };
}

/** A report as it is written: the rows of its lists are read by `reportOf`. */
export interface WrittenReport {
  readonly npn: string | null;
  readonly kind: EntityReport['kind'];
  readonly name: string;
  readonly licenses: readonly unknown[];
  readonly appointments: readonly unknown[];
  readonly regulatoryActions: readonly unknown[];
}

/** What the rows of a report come to. */
export function reportOf({
  licenses,
  appointments,
  regulatoryActions,
  ...of
}: Omit<WrittenReport, 'npn'>): EntityReport {
  const report = entityReport({ ...of, residentStateCode: null }, licenses, appointments, regulatoryActions);
  const resident = report.licenses.find(({ residencyStatus }) => residencyStatus === 'resident');
  return { ...report, residentStateCode: resident?.stateCode ?? null };
}
