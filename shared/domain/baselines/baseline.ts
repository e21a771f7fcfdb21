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
import type { StoredRecording, StoredRecords } from '../registry-records/stored-records.ts';

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
  readonly records: StoredRecords;
  readonly configs: readonly RecordedConfig[];
  /** What was said of classes of licenses. */
  readonly classKinds: readonly RecordedClassKind[];
  /** The carrier's identities since the last report, in order. */
  readonly carriersBefore: readonly FormerIdentity[];
}

/** What the statuses of an NPN come from. */
interface Recorded extends Inputs {
  readonly carrier: CarrierIdentity;
}

/** What lists of the present were about at a time, in ISO 8601. */
const momentAt = (time: string): ConfigMoment => ({
  day: newYorkDate(new Date(time)),
  knownAt: time,
});

/** The statuses of a party that lists of the present answered at a time, in ISO 8601. */
export type StatusesAt = (party: Party, time: string) => DatedStatuses[];

export function createStatusesAt({
  records,
  configs,
  classKinds,
  carrier,
  carriersBefore,
}: Recorded): StatusesAt {
  // Both parties have the same records.
  const coverages = new Map<string, Coverage>();
  return (party, time) => {
    const known = configs.flatMap(({ head: { productId, deletions }, versions }) => {
      const [first, ...others] = versions.filter(({ recordedAt }) => recordedAt <= time);
      const isDeleted = deletions.some(({ from, until }) => from <= time && (until === null || time < until));
      return first === undefined || isDeleted ? [] : [{ productId, versions: [first, ...others] as const }];
    });
    const sales = records.sales.filter(({ recordedAt }) => recordedAt <= time);
    const coverage = coverages.get(time) ?? coverageOf({ ...records, sales }, time, classKinds);
    coverages.set(time, coverage);
    const identity = carriersBefore.find(({ until }) => time <= until) ?? carrier;
    return statusesOf(party, known, coverage, identity, momentAt(time));
  };
}

/** When something was recorded, and whether silently. */
type RecordingTime = Omit<StoredRecording, 'id'>;

/** Silent recordings of one day, one after another: the first and the last of their times. */
interface SilentTimes {
  readonly first: string;
  readonly last: string;
}

const justBefore = (time: string): string => new Date(Date.parse(time) - 1).toISOString();

/**
 * The time of what receivers hold of a party, but for what was recorded silently since: that of the last report, else the last at
 * which nothing was known.
 */
export function heldSince(
  party: Party,
  { recordings }: Pick<StoredRecords, 'recordings'>,
  last: Baseline | undefined,
  now: string,
): string {
  if (last?.[party] !== undefined) return last.knownAt;
  const [first] = recordings.map(({ recordedAt }) => recordedAt).sort(compare);
  return first === undefined ? now : justBefore(first);
}

/** The silent recordings since a time, in order, as far as nothing else was recorded between them. */
function silentTimes(
  { records, classKinds, configs, carriersBefore }: Inputs,
  since: string,
  now: string,
): SilentTimes[] {
  const ofConfigs = configs.flatMap(({ head: { deletions }, entries }): RecordingTime[] => [
    ...entries,
    ...deletions.map(({ from, isSilent }) => ({ recordedAt: from, isSilent })),
  ]);
  const ofCarrier = carriersBefore.map(({ until }) => ({ recordedAt: until, isSilent: false }));
  const all: readonly RecordingTime[] = [...records.recordings, ...classKinds, ...ofConfigs, ...ofCarrier];
  const times = (isOfSilent: boolean): string[] => {
    // What a long command stated from its beginning on may have been written since.
    const some = all.filter(
      ({ recordedAt, writtenAt = recordedAt, ...one }) => one.isSilent === isOfSilent && writtenAt > since,
    );
    const recordedAts = new Set(some.map(({ recordedAt }) => recordedAt));
    return [...recordedAts].filter((time) => time <= now).sort(compare);
  };
  const loud = times(false);
  const silent = times(true).filter((time) => !loud.includes(time));
  const between = (time: string): string =>
    `${loud.filter((other) => other < time).length} ${momentAt(time).day}`;
  return Array.from(Map.groupBy(silent, between).values(), (some) => ({
    first: some[0] ?? since,
    last: some.at(-1) ?? since,
  }));
}

/**
 * What receivers hold of a party: what was last reported, else the answers while nothing was known; and since then what was
 * recorded silently, where they held what was answered before (OpenAPI, "Events"). What other rules reported is made again from
 * what was known then: a change of the rules is no event.
 * @param last what was last reported, if anything was.
 * @param now ISO time.
 */
export function heldByReceivers(
  party: Party,
  inputs: Inputs,
  statusesAt: StatusesAt,
  last: Baseline | undefined,
  now: string,
): ReportedStatuses {
  const answered = (time: string): ReportedStatuses => reported(statusesAt(party, time));
  const since = heldSince(party, inputs.records, last, now);
  const reportedThen = last?.rules === rulesNumber ? last[party] : undefined;
  const start = reportedThen ?? answered(last?.[party] === undefined ? since : last.at);
  return silentTimes(inputs, since, now).reduce(
    (held, { first, last: lastTime }) => following(held, answered(justBefore(first)), answered(lastTime)),
    start,
  );
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
 * since each of them are answered, as far as receivers hold something by them.
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
    const found = await mapConcurrently(heads, concurrency, async (head) => ({
      head,
      entries: await entriesOf(table, owner, head, [...sinces, now].map(momentAt)),
      versions: [],
    }));
    const silent = sinces.flatMap((since) => silentTimes({ ...inputs, configs: found }, since, now));
    const times = [...sinces, ...silent.flatMap(({ first, last }) => [justBefore(first), last]), now];
    const moments = Array.from(new Set(times), momentAt);
    const deciding = found.map(({ head: { productId }, entries }) =>
      decidingAmong(entries, moments).map((entry) => ({ ...entry, productId })),
    );
    const read = await readVersions(table, owner, deciding.flat());
    return found.map((one, index) => ({ ...one, versions: (deciding[index] ?? []).map(read) }));
  };
