import { invalid } from '../../platform/contract/errors.ts';
import { collect } from '../../platform/data/collect.ts';
import { type CalendarDate, newYorkDate } from '../../platform/dates/calendar.ts';
import type { Appointment } from '../registry-records/appointment.ts';
import { asOf } from '../registry-records/as-of.ts';
import type { License } from '../registry-records/license.ts';
import type { RecordHistories } from '../registry-records/record-histories.ts';
import type { RecordHistory } from '../registry-records/versions.ts';
import type { ComplianceBasis } from './compliance-statuses.ts';

/** The records on which compliance depends on a day, and what is known of that day. */
export interface RecordsOfDay {
  readonly licenses: readonly License[];
  readonly appointments: readonly Appointment[];
  readonly basis: ComplianceBasis;
}

/** The versions of the records of an NPN. */
export interface HeldHistories {
  readonly licenses: readonly RecordHistory<License>[];
  readonly appointments: readonly RecordHistory<Appointment>[];
}

/** @throws ApiError `validation_error` for a day that has not begun in New York. */
export function checkAsOf(day: CalendarDate | undefined, now: Date): void {
  if (day !== undefined && day > newYorkDate(now)) {
    throw invalid({ path: 'asOf', message: 'must not be in the future' });
  }
}

/** The present records of an NPN in a state; none for an agency without an NPN. */
async function presentRecords(
  records: RecordHistories,
  owner: string,
  npn: string | null,
  stateCode: License['stateCode'],
): Promise<RecordsOfDay> {
  if (npn === null) return { licenses: [], appointments: [], basis: 'current' };
  const [licenses, appointments] = await Promise.all([
    collect(records.licensesOf(owner, npn, { stateCode })),
    collect(records.appointmentsOf(owner, npn, { stateCode })),
  ]);
  return { licenses, appointments, basis: 'current' };
}

/** The versions of the records of an NPN, in one state or in all. */
export async function historiesOf(
  records: RecordHistories,
  owner: string,
  npn: string | null,
  stateCode?: License['stateCode'],
): Promise<HeldHistories> {
  if (npn === null) return { licenses: [], appointments: [] };
  const [licenses, appointments] = await Promise.all([
    collect(records.licenseHistoriesOf(owner, npn, stateCode)),
    collect(records.appointmentHistoriesOf(owner, npn, stateCode)),
  ]);
  return { licenses, appointments };
}

/** The records as they are now. */
export function currentOf({ licenses, appointments }: HeldHistories): RecordsOfDay {
  const current = <Item>(history: RecordHistory<Item>): Item[] => {
    const last = history.at(-1);
    return last === undefined || last.isDeleted ? [] : [last.record];
  };
  return {
    licenses: licenses.flatMap(current),
    appointments: appointments.flatMap(current),
    basis: 'current',
  };
}

/**
 * The records as they were at the end of a day: what was live, and what was not but says why. What is known of the day is
 * history only if every record that counts has a version that old.
 */
export function recordsOf({ licenses, appointments }: HeldHistories, day: CalendarDate): RecordsOfDay {
  const known: boolean[] = [];
  const ofDay = <Item>(history: RecordHistory<Item>): Item[] => {
    const { record, isRecorded } = asOf(history, day);
    if (record !== undefined || isRecorded) known.push(isRecorded);
    return record === undefined ? [] : [record];
  };
  const records = { licenses: licenses.flatMap(ofDay), appointments: appointments.flatMap(ofDay) };
  const isHistory = known.length > 0 && known.every((isRecorded) => isRecorded);
  return { ...records, basis: isHistory ? 'history' : 'registry dates' };
}

/** The records of a day in a state, or the present ones: the same two queries. */
export const recordsAsOf = async (
  records: RecordHistories,
  owner: string,
  npn: string | null,
  {
    asOf: day,
    stateCode,
  }: { readonly stateCode: License['stateCode']; readonly asOf: CalendarDate | undefined },
): Promise<RecordsOfDay> =>
  day === undefined
    ? presentRecords(records, owner, npn, stateCode)
    : recordsOf(await historiesOf(records, owner, npn, stateCode), day);

/**
 * The records of any days, each day's put together once; the present ones where no day is given, or it is in the future: what
 * will be recorded by then is not known.
 */
export function recordsByDay(
  histories: HeldHistories,
  today: CalendarDate,
): (day: CalendarDate | undefined) => RecordsOfDay {
  const current = currentOf(histories);
  const known = new Map<CalendarDate, RecordsOfDay>();
  return (day) => {
    if (day === undefined || day > today) return current;
    const found = known.get(day) ?? recordsOf(histories, day);
    if (known.size < mostDays) known.set(day, found);
    return found;
  };
}

/** Days that are remembered: policies take effect on some hundreds of days a year. */
const mostDays = 1_000;
