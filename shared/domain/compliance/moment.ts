import { invalid } from '../../platform/contract/errors.ts';
import { type CalendarDate, newYorkDate, yearAfter } from '../../platform/dates/dates.ts';
import type { Issue } from '../../platform/errors/domain-error.ts';
import { coverageOf, coveringOn } from '../decision/coverage.ts';
import type { Appointment, License } from '../registry/resources.ts';
import type {
  AppointmentFilters,
  LicenseFilters,
  RecordedFacts,
  RegistryRecords,
} from '../registry-records/store.ts';
import type { ClassKindsOf } from './class-kinds.ts';

/** The day that is asked about, and the moment whose knowledge counts. */
export interface Moment {
  readonly day: CalendarDate;
  /** ISO time in UTC. */
  readonly knownAt: string;
  /** Whether neither was given: the present is asked about. */
  readonly isPresent: boolean;
  /** Whether it is today, by what is known now. */
  readonly isToday: boolean;
}

/** `asOf` and `knownAt` of a list. */
export interface AskedMoment {
  readonly asOf?: CalendarDate | undefined;
  readonly knownAt?: Date | undefined;
}

/**
 * The moment of a question; the present by default.
 * @throws ApiError `validation_error` for a day that has not begun in New York, and for a time to come.
 */
export function momentOf({ asOf, knownAt }: AskedMoment, now: Date): Moment {
  const today = newYorkDate(now);
  const time = knownAt ?? now;
  const issues = [
    ...(asOf !== undefined && asOf > today ? [{ path: 'asOf', message: 'must not be in the future' }] : []),
    ...(time > now ? [{ path: 'knownAt', message: 'must not be in the future' }] : []),
  ];
  if (issues.length > 0) throw invalid(...issues);
  return {
    day: asOf ?? today,
    knownAt: time.toISOString(),
    isPresent: asOf === undefined && knownAt === undefined,
    isToday: (asOf ?? today) === today && knownAt === undefined,
  };
}

/** What is wrong with days of sales: those of more than a year ahead, of which nothing can be known yet. */
export function tooFarAhead(
  now: Date,
  days: readonly { readonly path: string; readonly day: CalendarDate | undefined }[],
): Issue[] {
  const last = yearAfter(newYorkDate(now));
  return days
    .filter(({ day }) => day !== undefined && day > last)
    .map(({ path }) => ({ path, message: 'must not be more than a year ahead' }));
}

/** Reads of what an NPN holds, now or as it was known of a day. */
interface RecordsOfDay {
  readonly registryRecords: Pick<RegistryRecords, 'licensesOf' | 'appointmentsOf'>;
  readonly recordedFacts: RecordedFacts;
  readonly classKindsOf: ClassKindsOf;
}

/** The licenses of an NPN: all that are held, or those that cover a day. */
export async function* licensesOf(
  owner: string,
  npn: string,
  filters: LicenseFilters,
  moment: Moment,
  records: RecordsOfDay,
): AsyncGenerator<License[]> {
  if (moment.isPresent) yield* records.registryRecords.licensesOf(owner, npn, filters);
  else yield matching((await coveringOf(owner, npn, filters, moment, records)).licenses, filters);
}

/** The appointments of an NPN: all that are held, or those that cover a day. */
export async function* appointmentsOf(
  owner: string,
  npn: string,
  filters: AppointmentFilters,
  moment: Moment,
  records: RecordsOfDay,
): AsyncGenerator<Appointment[]> {
  if (moment.isPresent) yield* records.registryRecords.appointmentsOf(owner, npn, filters);
  else yield matching((await coveringOf(owner, npn, filters, moment, records)).appointments, filters);
}

/** What covers a day. */
async function coveringOf(
  owner: string,
  npn: string,
  { stateCode }: LicenseFilters,
  { day, knownAt }: Moment,
  { recordedFacts, classKindsOf }: RecordsOfDay,
) {
  const [facts, classKinds] = await Promise.all([
    recordedFacts.factsOf(owner, npn, stateCode),
    classKindsOf(owner),
  ]);
  return coveringOn(coverageOf(facts, knownAt, classKinds), day);
}

/** Those of the filters' state, since what is read of a state has the home states with it, and of their status. */
const matching = <Row extends { readonly status: string; readonly stateCode: string }>(
  rows: readonly Row[],
  { status, stateCode }: LicenseFilters,
): Row[] =>
  rows.filter(
    (row) => (status ?? row.status) === row.status && (stateCode ?? row.stateCode) === row.stateCode,
  );
