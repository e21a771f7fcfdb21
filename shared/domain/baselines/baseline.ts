// The statuses that receivers hold of an NPN, with which its changes are compared.
import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import { timestamp } from '../../platform/contract/primitives.ts';
import { mapConcurrently } from '../../platform/data/concurrently.ts';
import { compare } from '../../platform/data/keys.ts';
import { parseStored, storedItem } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import { type CalendarDate, newYorkDate } from '../../platform/dates/dates.ts';
import type { RecordedClassKind } from '../compliance/class-kinds.ts';
import { type Compliance, statusesOf as statusesOfParty, statusNames } from '../compliance/status.ts';
import { type ConfigMoment, decidingAmong, entriesOf, readVersions } from '../compliance/store.ts';
import {
  complianceKeys,
  type StoredConfigEntry,
  type StoredConfigHead,
  type StoredConfigVersion,
} from '../compliance/stored.ts';
import type { CarrierIdentity, FormerIdentity } from '../decision/carrier.ts';
import { configInForce } from '../decision/compliance-config.ts';
import { type Coverage, coverageOf } from '../decision/coverage.ts';
import type { Party } from '../decision/decide.ts';
import { rulesNumber } from '../decision/reasons.ts';
import type { License } from '../registry/resources.ts';
import type { RecordingTime, StoredFacts } from '../registry-records/stored-facts.ts';

type Statuses = Pick<Compliance, 'complianceStatus' | 'licenseStatus' | 'appointmentStatus'>;

/** The statuses of an NPN for every product and state that its carrier has configured. */
export interface ProductStatuses {
  readonly productId: string;
  readonly productName: string;
  readonly states: readonly (Statuses & { readonly stateCode: License['stateCode'] })[];
}

/** The same, with the days to come from which an appointment is overdue in one of the states. */
interface DatedStatuses extends ProductStatuses {
  readonly overdueFrom: readonly CalendarDate[];
}

/** What was last reported of an NPN: for each product its name and, by state, the names of the three statuses. */
const reportedStatuses = z.record(
  z.string(),
  z.object({ productName: z.string(), states: z.record(z.string(), z.string()) }),
);

export type ReportedStatuses = z.output<typeof reportedStatuses>;

const reportedOfParties = storedItem('compliance/reported-statuses', () => ({
  agent: z.optional(reportedStatuses),
  agency: z.optional(reportedStatuses),
}));

/** What was last reported of the agent and of the agency of an NPN; absent where there is none. */
type ReportedOfParties = z.output<typeof reportedOfParties>;

/** The versions of a product's config. */
interface ConfiguredProduct {
  readonly productId: string;
  readonly versions: readonly [StoredConfigVersion, ...StoredConfigVersion[]];
}

export const statusesOf = (
  party: Party,
  configs: readonly ConfiguredProduct[],
  coverage: Coverage,
  carrier: CarrierIdentity,
  { day, knownAt }: { readonly day: CalendarDate; readonly knownAt: string },
): DatedStatuses[] =>
  configs.map(({ productId, versions }) => {
    const { productName, states } = configInForce(versions, day, knownAt).config;
    const found = states.map(({ stateCode }) => {
      const question = { party, stateCode, day, knownAt, coverage, configs: versions, carrier };
      return { stateCode, ...statusesOfParty(question) };
    });
    return {
      productId,
      productName,
      states: found.map(({ stateCode, status: { complianceStatus, licenseStatus, appointmentStatus } }) => ({
        stateCode,
        complianceStatus,
        licenseStatus,
        appointmentStatus,
      })),
      overdueFrom: found.flatMap(({ overdueFrom }) => overdueFrom ?? []),
    };
  });

export const reported = (statuses: readonly ProductStatuses[]): ReportedStatuses =>
  Object.fromEntries(
    statuses.map(({ productId, productName, states }) => [
      productId,
      {
        productName,
        states: Object.fromEntries(states.map((state) => [state.stateCode, statusNames(state)])),
      },
    ]),
  );

export const compressed = (value: object): Uint8Array => gzipSync(JSON.stringify(value));

export const expanded = (bytes: Uint8Array): unknown => JSON.parse(gunzipSync(bytes).toString());

/** The beginning of a product's name: names can be long, and hundreds of them are in one item. */
export const shortName = (name: string): string => [...name].slice(0, 60).join('');

/** Compressed, since an item does not take every state of hundreds of products. */
export function packedReport({ agent, agency }: ReportedOfParties): Uint8Array {
  const short = (statuses: ReportedStatuses | undefined) =>
    statuses &&
    Object.fromEntries(
      Object.entries(statuses).map(([productId, { productName, states }]) => [
        productId,
        { productName: shortName(productName), states },
      ]),
    );
  return compressed({ agent: short(agent), agency: short(agency) });
}

const unpackedReport = (bytes: Uint8Array): ReportedOfParties =>
  parseStored(reportedOfParties, expanded(bytes));

/** What was last reported of an NPN, as an agent and as an agency: what receivers hold of it. */
export interface Baseline extends ReportedOfParties {
  /** What was recorded silently after this time is not in it yet. ISO time in UTC. */
  readonly knownAt: string;
  /** When it was made. ISO time in UTC. */
  readonly at: string;
  /** The number of the rules that made it. */
  readonly rules: number;
}

/**
 * A product's config, deleted ones included: what was recorded of it since a time, and the versions that decide the times since.
 */
interface RecordedConfig {
  readonly head: StoredConfigHead;
  readonly entries: readonly StoredConfigEntry[];
  readonly versions: readonly StoredConfigVersion[];
}

/** What the statuses of an NPN come from, but for the carrier. */
interface Inputs {
  readonly facts: StoredFacts;
  readonly configs: readonly RecordedConfig[];
  /** What was said of classes of licenses. */
  readonly classKinds: readonly RecordedClassKind[];
}

/** What the statuses of an NPN come from, with the times since and until which it was so. */
interface Recorded extends Inputs {
  readonly carrier: CarrierIdentity;
  /** The identities that it had since the last report, in order. */
  readonly carriersBefore: readonly FormerIdentity[];
}

/** What lists of the present were about at a time, in ISO 8601. */
const momentAt = (time: string): ConfigMoment => ({
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
const timesSince = (recorded: Inputs, since: string, now: string): string[] => [
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

const reportedItem = storedItem('compliance/reported', () => ({
  knownAt: timestamp,
  at: timestamp,
  rules: z.int(),
  /** `packedReport`. */
  statuses: z.instanceof(Uint8Array),
  /** While events of it are still to be emitted: what changed with it, and the change for which it was decided. */
  unsent: z.optional(z.object({ windowId: z.uuid(), version: z.int(), changed: z.instanceof(Uint8Array) })),
}));

/** The item of a baseline, none of whose events are still to be emitted. */
export const baselineItem = (owner: string, npn: string, { knownAt, at, rules, ...statuses }: Baseline) => ({
  ...complianceKeys.reported(owner, npn),
  knownAt,
  at,
  rules,
  statuses: packedReport(statuses),
});

/** Reads what was last reported of an NPN. */
export const createBaselineOf = (compliance: Table) => async (owner: string, npn: string) => {
  const found = await compliance.get(reportedItem, complianceKeys.reported(owner, npn));
  if (found === undefined) return undefined;
  const { statuses, ...rest } = found;
  return { ...unpackedReport(statuses), ...rest };
};

/** Products that are read at once. */
const concurrency = 16;

/**
 * Reads what was recorded of a carrier's configs since the first of some times, and of their versions those by which the times
 * since each of them are answered.
 */
export const createRecordedConfigs =
  (table: Table) =>
  async (
    owner: string,
    heads: readonly StoredConfigHead[],
    inputs: Omit<Inputs, 'configs'>,
    sinces: readonly string[],
    now: string,
  ): Promise<RecordedConfig[]> => {
    const moments = [...sinces, now].map(momentAt);
    const found = await mapConcurrently(heads, concurrency, async (head) => ({
      head,
      entries: await entriesOf(table, owner, head, moments),
      versions: [],
    }));
    const times = new Set(sinces.flatMap((since) => timesSince({ ...inputs, configs: found }, since, now)));
    const deciding = found.map(({ head: { productId }, entries }) =>
      decidingAmong(entries, Array.from(times, momentAt)).map((entry) => ({ ...entry, productId })),
    );
    const read = await readVersions(table, owner, deciding.flat());
    return found.map((one, index) => ({ ...one, versions: (deciding[index] ?? []).map(read) }));
  };
