import { compare } from '../../platform/data/compare.ts';
import { newYorkDate } from '../../platform/dates/calendar.ts';
import type { RecordedClassKind } from '../compliance/class-kinds.ts';
import type { ConfigMoment } from '../compliance/store.ts';
import type { StoredConfigEntry, StoredConfigHead, StoredConfigVersion } from '../compliance/stored.ts';
import type { CarrierIdentity, FormerIdentity } from '../decision/carrier.ts';
import { coverageOf } from '../decision/coverage.ts';
import type { Party } from '../decision/decide.ts';
import { rulesNumber } from '../decision/reasons.ts';
import type { RecordingTime, StoredFacts } from '../registry-records/stored-facts.ts';
import {
  type DatedStatuses,
  differences,
  type ReportedOfParties,
  type ReportedStatuses,
  reported,
  statusesOf,
} from './statuses.ts';

/** What rules with a number made of an NPN, from what was known at a time. */
export interface ReportByRules extends ReportedOfParties {
  /** ISO time in UTC. */
  readonly at: string;
  readonly rules: number;
}

/** What was last reported of an NPN, as an agent and as an agency: what receivers hold of it. */
export interface Baseline extends ReportByRules {
  /** What was recorded silently after this time is not in it yet. ISO time in UTC. */
  readonly knownAt: string;
  /** The last report by the rules before, where those that made this one make something else of what was known then. */
  readonly byRulesBefore?: ReportByRules | undefined;
}

/** A product's config, deleted ones included: what was recorded of it since a time, and the versions that decide the times since. */
export interface RecordedConfig {
  readonly head: StoredConfigHead;
  readonly entries: readonly StoredConfigEntry[];
  readonly versions: readonly StoredConfigVersion[];
}

/** What the statuses of an NPN come from, but for the carrier. */
export interface Inputs {
  readonly facts: StoredFacts;
  readonly configs: readonly RecordedConfig[];
  /** What was said of classes of licenses. */
  readonly classKinds: readonly RecordedClassKind[];
}

/** What the statuses of an NPN come from, with the times since and until which it was so. */
export interface Recorded extends Inputs {
  readonly carrier: CarrierIdentity;
  /** The identities that it had since the last report, in order. */
  readonly carriersBefore: readonly FormerIdentity[];
}

/** What lists of the present were about at a time, in ISO 8601. */
export const momentAt = (time: string): ConfigMoment => ({
  day: newYorkDate(new Date(time)),
  knownAt: time,
});

/** The statuses that lists of the present answered at a time, in ISO 8601. */
export function statusesAt(
  party: Party,
  { facts, configs, classKinds, carrier, carriersBefore }: Recorded,
  time: string,
): DatedStatuses[] {
  const known = configs.flatMap(({ head: { productId, deletions }, versions }) => {
    const [first, ...others] = versions.filter(({ recordedAt }) => recordedAt <= time);
    const isDeleted = deletions.some(({ from, until }) => from <= time && (until === null || time < until));
    return first === undefined || isDeleted ? [] : [{ productId, versions: [first, ...others] as const }];
  });
  const identity = carriersBefore.find(({ until }) => time <= until) ?? carrier;
  return statusesOf(party, known, coverageOf(facts, time, classKinds), identity, momentAt(time));
}

/**
 * The time of what receivers hold of a party, but for what was recorded silently since: that of the last report, else the first at
 * which something was known.
 */
export function heldSince(
  party: Party,
  { recordings }: StoredFacts,
  last: Baseline | undefined,
  now: string,
): string {
  if (last?.[party] !== undefined) return last.knownAt;
  const first = firstOf(recordings);
  if (first === undefined) return now;
  return first.isSilent ? first.recordedAt : justBefore(first.recordedAt);
}

/** The times whose answers say what receivers hold now of what they held at one: around each silent recording, and now. */
export const timesSince = (recorded: Inputs, since: string, now: string): string[] => [
  since,
  ...silentTimes(recorded, since, now).flatMap((time) => [justBefore(time), time]),
  now,
];

/**
 * What was last reported of a party, as the present rules have it: a change of the rules is no event, so that what other rules
 * reported is made again from what was known then. Undefined where nothing was reported.
 */
function lastReported(
  party: Party,
  recorded: Recorded,
  last: Baseline | undefined,
): ReportedStatuses | undefined {
  const reportedThen = last?.[party];
  if (last === undefined || reportedThen === undefined || last.rules === rulesNumber) return reportedThen;
  return reported(statusesAt(party, recorded, last.at));
}

/** What is to be kept of reports by other rules (`byRulesBefore`) once the present ones report. */
export function byRulesBefore(recorded: Recorded, last: Baseline | undefined): ReportByRules | undefined {
  if (last === undefined || last.rules === rulesNumber) return last?.byRulesBefore;
  const { at, rules, agent, agency } = last;
  const isChanged = (['agent', 'agency'] as const).some(
    (party) => differences(last[party] ?? {}, lastReported(party, recorded, last) ?? {}).length > 0,
  );
  return isChanged ? { at, rules, agent, agency } : undefined;
}

/**
 * What receivers hold of a party: what was last reported, else the first that was known; and since then what was recorded
 * silently, where they held what was answered before (OpenAPI, "Events").
 * @param last what was last reported, if anything was.
 * @param now ISO time.
 */
export function heldByReceivers(
  party: Party,
  recorded: Recorded,
  last: Baseline | undefined,
  now: string,
): ReportedStatuses {
  const answered = (time: string, configs = recorded.configs): ReportedStatuses =>
    reported(statusesAt(party, { ...recorded, configs }, time));
  const since = heldSince(party, recorded.facts, last, now);
  return silentTimes(recorded, since, now).reduce(
    (before, time) => {
      // A carrier imports dozens of configs; each of them has one product's answers change.
      const configs = changedAt(recorded, time);
      return following(before, answered(justBefore(time), configs), answered(time, configs));
    },
    lastReported(party, recorded, last) ?? answered(since),
  );
}

/** The configs whose answers may change with what was recorded at a time: all of them where it was no config. */
const changedAt = (recorded: Recorded, time: string): readonly RecordedConfig[] =>
  ofAllConfigs(recorded).some(({ recordedAt }) => recordedAt === time)
    ? recorded.configs
    : recorded.configs.filter((config) => recordingsOf(config).some(({ recordedAt }) => recordedAt === time));

/** When something was recorded that concerns every config: facts, and what was said of classes in the states of the facts. */
function ofAllConfigs({ facts, classKinds }: Pick<Inputs, 'facts' | 'classKinds'>): readonly RecordingTime[] {
  const states = new Set(facts.licenses.map(({ stateCode }) => stateCode));
  return [...facts.recordings, ...classKinds.filter(({ stateCode }) => states.has(stateCode))];
}

const recordingsOf = ({ head: { deletions }, entries }: RecordedConfig): readonly RecordingTime[] => [
  ...entries,
  ...deletions.map(({ from, isSilent }) => ({ recordedAt: from, isSilent })),
];

const firstOf = (recordings: readonly RecordingTime[]): RecordingTime | undefined =>
  recordings.reduce<RecordingTime | undefined>(
    (first, one) => (first === undefined || one.recordedAt < first.recordedAt ? one : first),
    undefined,
  );

const justBefore = (time: string): string => new Date(Date.parse(time) - 1).toISOString();

/** When something was recorded since a time that is to send no events, in order. */
function silentTimes(inputs: Inputs, since: string, now: string): string[] {
  const recordings = [...ofAllConfigs(inputs), ...inputs.configs.flatMap(recordingsOf)].filter(
    ({ recordedAt }) => recordedAt > since && recordedAt <= now,
  );
  const loud = new Set(recordings.filter(({ isSilent }) => !isSilent).map(({ recordedAt }) => recordedAt));
  const silent = new Set(recordings.filter(({ isSilent }) => isSilent).map(({ recordedAt }) => recordedAt));
  return [...silent].filter((time) => !loud.has(time)).sort(compare);
}

/** What is held once a silent change took an answer from one to another: that follows which was the one before. */
function following(
  held: ReportedStatuses,
  before: ReportedStatuses,
  after: ReportedStatuses,
): ReportedStatuses {
  const products = Object.fromEntries(
    [...new Set([...Object.keys(held), ...Object.keys(after)])].map((productId) => {
      const [its, was, is] = [held[productId], before[productId], after[productId]];
      const states = [
        ...new Set([...Object.keys(its?.states ?? {}), ...Object.keys(is?.states ?? {})]),
      ].flatMap((stateCode): [string, string][] => {
        const isFollowed = its?.states[stateCode] === was?.states[stateCode];
        const status = (isFollowed ? is : its)?.states[stateCode];
        return status === undefined ? [] : [[stateCode, status]];
      });
      return [productId, { productName: (is ?? its)?.productName ?? '', states: Object.fromEntries(states) }];
    }),
  );
  return Object.fromEntries(
    Object.entries(products).filter(([, { states }]) => Object.keys(states).length > 0),
  );
}
