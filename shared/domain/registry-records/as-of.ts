import type { CalendarDate } from '../../platform/dates/calendar.ts';
import type { RecordHistory, RecordVersion } from './versions.ts';

/** A record as it was at the end of a day. */
export interface RecordOfDay<Item> {
  /** The record as it was; undefined where it did not exist yet, or no longer. */
  readonly record: Item | undefined;
  /** Whether it was in force. */
  readonly isLive: boolean;
  /** Whether a version is that old; else the record's dates alone say what it was. */
  readonly isRecorded: boolean;
}

/**
 * The rule by which every answer about a day is given (OpenAPI, `asOf`). A record is live on a day if the version recorded
 * by then, or any later one, covers it by its own dates, unless a change of status dated by that day ended it. A version
 * that begins on the day of an earlier one's end, or later, is a new beginning.
 */
export function asOf<Item>(history: RecordHistory<Item>, day: CalendarDate): RecordOfDay<Item> {
  const recorded = history.findLastIndex(({ recordedOn }) => recordedOn <= day);
  const versions = history.slice(Math.max(recorded, 0));
  const isRecorded = recorded >= 0 || versions.some((one) => one.isDated && startsBy(one, day));
  const started = versions.filter((version) => startsBy(version, day));
  const live = started
    .filter((one) => one.isInForce && (one.until ?? day) >= day && !isEnded(one, started))
    .reduce<Version<Item> | undefined>(prevailing, undefined);
  if (live !== undefined) return { record: live.record, isLive: true, isRecorded };
  const last =
    started.filter(({ isInForce }) => !isInForce).reduce<Version<Item> | undefined>(lastEnd, undefined) ??
    started[0];
  return { record: last?.isDeleted === true ? undefined : last?.record, isLive: false, isRecorded };
}

type Version<Item> = RecordVersion<Item>;

/** The first day of a version; one whose day is not known was always there. */
const startOf = ({ validFrom }: Version<unknown>): CalendarDate => validFrom ?? '';

const startsBy = (version: Version<unknown>, day: CalendarDate): boolean => startOf(version) <= day;

/** Whether one of the versions that have started, in the order in which they were recorded, ended this one. */
function isEnded(version: Version<unknown>, started: readonly Version<unknown>[]): boolean {
  const index = started.indexOf(version);
  return started.some(
    (other, otherIndex) => !other.isInForce && (otherIndex > index || startOf(other) > startOf(version)),
  );
}

/**
 * Of the versions that cover a day, the one that starts last. Where several start at once, it is the one recorded first,
 * which is nearest to the day, but of those that an import dated the one recorded last, which corrects the others.
 */
const prevailing = <Item>(best: Version<Item> | undefined, later: Version<Item>): Version<Item> =>
  best === undefined || startOf(later) > startOf(best) || (startOf(later) === startOf(best) && later.isDated)
    ? later
    : best;

const lastEnd = <Item>(best: Version<Item> | undefined, later: Version<Item>): Version<Item> =>
  best === undefined || startOf(later) >= startOf(best) ? later : best;
