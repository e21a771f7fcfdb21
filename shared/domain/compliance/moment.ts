import { invalid } from '#platform/contract/errors.ts';
import { type CalendarDate, newYorkDate, yearAfter } from '#platform/dates/dates.ts';
import type { Issue } from '#platform/errors/domain-error.ts';
import { type RecordOnDay, recordsOnDay } from '../decision/held.ts';
import type { HeldAppointment, HeldLicense, License } from '../registry/resources.ts';
import type { RecordedHolders } from '../registry-records/store.ts';
import type { ClassKindsOf } from './class-kinds.ts';

/** The day that is asked about, and the moment whose knowledge counts. */
export interface Moment {
  readonly day: CalendarDate;
  /** ISO time in UTC. */
  readonly knownAt: string;
  /** The moment that was asked for; undefined: what is known now counts. */
  readonly knownThen: string | undefined;
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
    knownThen: knownAt?.toISOString(),
    isPresent: asOf === undefined && knownAt === undefined,
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

/** Filters of a list of licenses or of appointments; they combine. */
export interface HeldFilters {
  readonly stateCode?: License['stateCode'] | undefined;
  /** Status as it is written in the row that is shown. */
  readonly status?: string | undefined;
}

/** The licenses of an NPN: all that are known, or with `asOf` or `knownAt` those in force on a day. */
export const licensesOf = async function* (...question: HeldQuestion): AsyncGenerator<HeldLicense[]> {
  yield rowsShown((await readHoldings(...question)).licenses, question);
};

/** The appointments of an NPN, likewise. */
export const appointmentsOf = async function* (...question: HeldQuestion): AsyncGenerator<HeldAppointment[]> {
  yield rowsShown((await readHoldings(...question)).appointments, question);
};

type HeldQuestion = [
  owner: string,
  npn: string,
  filters: HeldFilters,
  moment: Moment,
  sources: { readonly classKindsOf: ClassKindsOf; readonly recordedHolders: RecordedHolders },
];

async function readHoldings(...[owner, npn, { stateCode }, { day, knownThen }, sources]: HeldQuestion) {
  const coverage = await sources.recordedHolders.coverageOf(owner, npn, {
    knownAt: knownThen,
    classKinds: sources.classKindsOf(owner),
    statesOf: () => (stateCode === undefined ? undefined : [stateCode]),
  });
  return recordsOnDay(coverage, day);
}

/** Rows of the filters' state, since the home states are read with it, and of their status. */
function rowsShown<Row extends { readonly status: string; readonly stateCode: string }>(
  holdings: readonly RecordOnDay<Row>[],
  [, , { status, stateCode }, { isPresent }]: HeldQuestion,
): (Row & { readonly isInForce: boolean })[] {
  return holdings
    .filter(
      ({ row }) => (status ?? row.status) === row.status && (stateCode ?? row.stateCode) === row.stateCode,
    )
    .map(({ row, isInForce }) => ({ ...row, isInForce }))
    .filter(({ isInForce }) => isPresent || isInForce);
}
