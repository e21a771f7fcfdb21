import { invalid } from '#platform/contract/errors.ts';
import type { AppliedQuery } from '#platform/contract/list-queries.ts';
import { type CalendarDate, newYorkDate, yearAfter } from '#platform/dates/dates.ts';
import type { Issue } from '#platform/errors/domain-error.ts';
import { type RecordOnDay, recordsOnDay } from '../decision/held.ts';
import {
  type FilteredRow,
  type HeldAppointment,
  type HeldLicense,
  meetsFilters,
  type RegistryFilters,
} from '../registry/resources.ts';
import type { RecordedHolders } from '../registry-records/store.ts';
import type { ClassKindsOf } from './store.ts';

/** The day that is asked about, and the moment whose knowledge counts. */
export type Moment = ReturnType<typeof momentOf>;

/** `asOf` and `knownAt` of a list. */
export interface AskedMoment {
  readonly asOf?: CalendarDate | undefined;
  readonly knownAt?: Date | undefined;
}

/**
 * The moment of a question; the present by default.
 * @throws ApiError `validation_error` for a day that has not begun in New York, and for a time to come.
 */
export function momentOf({ asOf, knownAt }: AskedMoment, now: Date) {
  const today = newYorkDate(now);
  const time = knownAt ?? now;
  const issues = [
    ...(asOf !== undefined && asOf > today ? [{ path: 'asOf', message: 'must not be in the future' }] : []),
    ...(time > now ? [{ path: 'knownAt', message: 'must not be in the future' }] : []),
  ];
  if (issues.length > 0) throw invalid(...issues);
  return {
    day: asOf ?? today,
    /** ISO time in UTC. */
    knownAt: time.toISOString(),
    /** The moment that was asked for; undefined: what is known now counts. */
    knownThen: knownAt?.toISOString(),
    /** Whether neither was given: the present is asked about. */
    isPresent: asOf === undefined && knownAt === undefined,
    /** Whether it is today, by what is known now. */
    isToday: (asOf ?? today) === today && knownAt === undefined,
  };
}

/** Issues of days of sales more than a year ahead, of which nothing can be known yet. */
export function tooFarAhead(
  now: Date,
  days: readonly { readonly path: string; readonly day: CalendarDate | undefined }[],
): Issue[] {
  const last = yearAfter(newYorkDate(now));
  return days
    .filter(({ day }) => day !== undefined && day > last)
    .map(({ path }) => ({ path, message: 'must not be more than a year ahead' }));
}

/** What the licenses or the appointments of an NPN are asked for by a row's query, all of which is applied. */
interface HeldQuestion<Query> {
  readonly owner: string;
  readonly npn: string;
  readonly query: AppliedQuery<Query, keyof RegistryFilters | keyof AskedMoment>;
  readonly moment: Moment;
}

interface HeldSources {
  readonly classKindsOf: ClassKindsOf;
  readonly recordedHolders: RecordedHolders;
}

/** The licenses of an NPN: all that are known, or with `asOf` or `knownAt` those in force on a day. */
export async function* licensesOf<Query extends RegistryFilters>(
  question: HeldQuestion<Query>,
  sources: HeldSources,
): AsyncGenerator<HeldLicense[]> {
  yield rowsShown((await readHoldings(question, sources)).licenses, question);
}

/** The appointments of an NPN, likewise. */
export async function* appointmentsOf<Query extends RegistryFilters>(
  question: HeldQuestion<Query>,
  sources: HeldSources,
): AsyncGenerator<HeldAppointment[]> {
  yield rowsShown((await readHoldings(question, sources)).appointments, question);
}

async function readHoldings(
  { owner, npn, query: { stateCode }, moment: { day, knownThen } }: HeldQuestion<RegistryFilters>,
  { classKindsOf, recordedHolders }: HeldSources,
) {
  const coverage = await recordedHolders.coverageOf(owner, npn, {
    knownAt: knownThen,
    classKinds: classKindsOf(owner),
    statesOf: () => (stateCode === undefined ? undefined : [stateCode]),
  });
  return recordsOnDay(coverage, day);
}

/** Rows that meet the filters: those of other states are read with the home states. */
const rowsShown = <Row extends FilteredRow>(
  holdings: readonly RecordOnDay<Row>[],
  { query, moment: { isPresent } }: HeldQuestion<RegistryFilters>,
): (Row & { readonly isInForce: boolean })[] =>
  holdings
    .filter(({ row, isInForce }) => (isPresent || isInForce) && meetsFilters(row, query))
    .map(({ row, isInForce }) => ({ ...row, isInForce }));
