// The statuses that receivers hold of an NPN, with which its answers are compared.
import * as z from 'zod/mini';
import { timestamp } from '#platform/contract/primitives.ts';
import { valueByKey } from '#platform/data/caches.ts';
import { isDeepStrictEqual } from '#platform/data/json.ts';
import { compare } from '#platform/data/keys.ts';
import { parseStored, storedItem, storedSchema } from '#platform/data/stored.ts';
import { retryOnConflict, type TransactionItem } from '#platform/data/transact.ts';
import { newYorkDate } from '#platform/dates/dates.ts';
import { statusesOf, statusNames } from '../compliance/status.ts';
import {
  type ConfigMoment,
  configHeads,
  createCarrierIdentityOf,
  createClassKindsOf,
  createComplianceConfigs,
  type RecordedClassKind,
} from '../compliance/store.ts';
import { complianceKeys, type StoredConfigHead, type StoredConfigVersion } from '../compliance/stored.ts';
import { carrierIdentity } from '../decision/carrier.ts';
import { configInForce, type Party } from '../decision/compliance-config.ts';
import { type Coverage, coverageOf } from '../decision/coverage.ts';
import { laterOf, never } from '../decision/dates.ts';
import { rulesNumber } from '../decision/reasons.ts';
import { type Recording, writtenAtOf } from '../decision/records.ts';
import type { WrittenRecords } from '../registry-records/holder-records.ts';
import { pack, packedValue, type StoredRecords, unpack } from '../registry-records/stored-records.ts';
import type { Tables } from '../tables.ts';

/** The status of a party with an NPN, in a state in which its carrier has configured a product. */
export type PartyStatus = ReturnType<typeof statusesOfParties>[number];

const heldStatuses = storedSchema('compliance/held-statuses', z.record(z.string(), z.string()));

/** The names of the statuses that receivers hold of an NPN, by party, product, and state. */
export type HeldStatuses = z.output<typeof heldStatuses>;

/** A product and state of a party among what is held. */
export const heldKey = (party: Party, productId: string, stateCode: string): string =>
  `${party} ${productId} ${stateCode}`;

/** The versions of a product's config. */
interface ConfiguredProduct {
  readonly productId: string;
  readonly versions: readonly [StoredConfigVersion, ...StoredConfigVersion[]];
}

/** Inputs of the statuses of an NPN. */
interface StatusInputs {
  readonly configs: readonly ConfiguredProduct[];
  readonly coverage: Coverage;
  readonly carrier: z.output<typeof carrierIdentity>;
  readonly moment: ConfigMoment;
}

/** The statuses of an NPN as an agent and as an agency. */
export const statusesOfParties = ({ configs, moment, ...facts }: StatusInputs) =>
  (['agent', 'agency'] as const).flatMap((party) =>
    configs.flatMap(({ productId, versions }) => {
      const { productName, states } = configInForce(versions, moment.day, moment.knownAt).config;
      return states.map(({ stateCode }) => {
        const { status, overdueFrom } = statusesOf({
          ...facts,
          ...moment,
          party,
          stateCode,
          configs: versions,
        });
        const { complianceStatus, licenseStatus, appointmentStatus } = status;
        const state = { stateCode, complianceStatus, licenseStatus, appointmentStatus };
        return { party, productId, productName, state, overdueFrom };
      });
    }),
  );

/** Statuses that receivers hold once all of these were reported. */
export const heldNamesAfter = (statuses: readonly PartyStatus[]): HeldStatuses =>
  Object.fromEntries(
    statuses.map(({ party, productId, state }) => [
      heldKey(party, productId, state.stateCode),
      statusNames(state),
    ]),
  );

const baseline = storedItem('compliance/reported', {
  /** Rises with every write, so that one of two concurrent writers is refused. */
  version: z.int(),
  /** Time until which recordings of the NPN are in it. */
  at: timestamp,
  /** The same for recordings of configs and of classes of licenses; empty where there was nothing. */
  knownAt: z.string(),
  /** The carrier's identity by which it was made. */
  carrier: carrierIdentity,
  /** The number of the rules that made it. */
  rules: z.int(),
  /** Compressed, since an item does not take every state of hundreds of products. */
  statuses: packedValue,
});

/** Statuses last reported of an NPN, as silent changes moved them since. */
export type Baseline = z.output<typeof baseline>;

/** Inputs of answers about a carrier's holders besides their records, as they were read. */
export interface Settings extends Pick<StatusInputs, 'configs' | 'carrier' | 'moment'> {
  /** Heads of all products, deleted ones too. */
  readonly heads: readonly StoredConfigHead[];
  readonly classKinds: readonly RecordedClassKind[];
}

/** Times and carrier's identity by which a baseline was made. */
type Making = Pick<Baseline, 'at' | 'knownAt' | 'carrier'>;

/** A change of a product or a class, and whether it was silent. */
interface SettingChange {
  readonly recordedAt: string;
  readonly isSilent: boolean;
}

const deletionsOf = ({ deletions }: StoredConfigHead): SettingChange[] =>
  deletions.map(({ from, isSilent }) => ({ recordedAt: from, isSilent }));

/** The times of silent changes since a time that no other change came before: of each day, the last one. */
function silentTimes(changes: readonly SettingChange[], since: string): string[] {
  const laterChanges = changes.filter(({ recordedAt }) => recordedAt > since);
  const loudTimes = laterChanges.flatMap(({ isSilent, recordedAt }) => (isSilent ? [] : recordedAt));
  const times = laterChanges.map(({ recordedAt }) => recordedAt).sort(compare);
  const silent = times.filter((time) => loudTimes.every((loud) => time < loud));
  return [...new Map(silent.map((time) => [newYorkDate(new Date(time)), time])).values()];
}

/**
 * The silent changes of each product since a time, in order, and the time of the one before. Each changes the answers of its own
 * day: what begins on a later day is a difference then.
 */
const silentChanges = ({ heads, classKinds }: Pick<Settings, 'heads' | 'classKinds'>, knownAt: string) =>
  heads
    .flatMap((head) => {
      const times = silentTimes([...head.versions, ...deletionsOf(head), ...classKinds], knownAt);
      return times.map((until, index) => ({ head, since: times[index - 1] ?? knownAt, until }));
    })
    .sort((one, other) => compare(one.until, other.until));

/** Moves held statuses along with a silent change of the answers: those that equal the answer before it. */
const following = (heldNames: HeldStatuses, before: HeldStatuses, after: HeldStatuses): HeldStatuses =>
  Object.fromEntries(
    Object.keys({ ...heldNames, ...after }).flatMap((key) => {
      const status = heldNames[key] === before[key] ? after[key] : heldNames[key];
      return status === undefined ? [] : [[key, status]];
    }),
  );

const momentAt = (now: Date): ConfigMoment => ({ day: newYorkDate(now), knownAt: now.toISOString() });

/** Recordings as of when they were written: rows of an import are recorded at its beginning. */
const withWriteTimes = <Kind extends Recording>(recordings: readonly Kind[]): Kind[] =>
  recordings.map((recording) => ({ ...recording, recordedAt: writtenAtOf(recording) }));

/** Coverage of an NPN as it was known at a time. */
const coverageAt = (
  { statements, reports, sales }: StoredRecords,
  time: string,
  classKinds: readonly RecordedClassKind[],
): Coverage =>
  coverageOf(
    {
      statements: withWriteTimes(statements),
      reports: withWriteTimes(reports),
      sales: sales.filter(({ recordedAt }) => recordedAt <= time),
    },
    time,
    // What the classes of its licenses are said to be, at a time of its own.
    classKinds.map((kind) => ({ ...kind, recordedAt: '' })),
  );

/** Baseline of an NPN that was never reported: just before anything was recorded, by no rules. */
function unreportedBaseline({ statements, reports, sales }: StoredRecords, { carrier, moment }: Settings) {
  const recordings = [...statements, ...reports, ...sales];
  const [first] = recordings.map(({ recordedAt }) => recordedAt).sort(compare);
  const at = first === undefined ? moment.knownAt : new Date(Date.parse(first) - 1).toISOString();
  return { at, knownAt: at, carrier, rules: 0, statuses: '' };
}

/** Reads and writes what receivers hold of NPNs. */
export function createBaselines(tables: Tables<'compliance' | 'organizations'>) {
  const { compliance } = tables;
  const carrierIdentityOf = createCarrierIdentityOf(tables.organizations);
  const classKindsOf = createClassKindsOf(compliance);
  const { versions } = createComplianceConfigs(compliance);

  /** Configs of products at a moment, as far as they were not deleted. */
  async function configsAt(
    owner: string,
    heads: readonly StoredConfigHead[],
    { day, knownAt }: ConfigMoment,
  ): Promise<ConfiguredProduct[]> {
    const existing = heads.filter(
      ({ deletions }) =>
        !deletions.some(({ from, until }) => from <= knownAt && (until === null || knownAt < until)),
    );
    const asked = existing.map((head) => ({ head, days: [day] }));
    const versionsByProduct = await versions(owner, asked, knownAt);
    return Array.from(versionsByProduct).flatMap(([productId, ofProduct]) => {
      const [first, ...laterVersions] = ofProduct.filter(({ recordedAt }) => recordedAt <= knownAt);
      return first === undefined ? [] : [{ productId, versions: [first, ...laterVersions] }];
    });
  }

  async function settingsOf(owner: string, now: Date): Promise<Settings> {
    const moment = momentAt(now);
    const [heads, carrier, classKinds] = await Promise.all([
      configHeads(compliance, owner),
      carrierIdentityOf(owner),
      classKindsOf(owner),
    ]);
    return { heads, carrier, classKinds, moment, configs: await configsAt(owner, heads, moment) };
  }

  const find = (owner: string, npn: string) => compliance.get(baseline, complianceKeys.reported(owner, npn));

  /**
   * Reads the statuses that receivers hold of an NPN: the baseline, with the answers that silent changes of configs and of classes changed since; without
   * one, the answers just before anything was recorded of it. What other rules reported is made again: a change of the rules is no
   * event.
   * @param recordsOf reads what is recorded of the NPN; called only where something is to be made again.
   */
  async function heldNamesOf(
    owner: string,
    last: Baseline | undefined,
    settings: Settings,
    recordsOf: () => StoredRecords | Promise<StoredRecords>,
  ): Promise<{ readonly heldNames: HeldStatuses; readonly making: Making }> {
    const { rules, statuses, ...making } = last ?? unreportedBaseline(await recordsOf(), settings);
    const { at, knownAt, carrier } = making;
    const madeOn = { day: newYorkDate(new Date(at)), knownAt };
    const silent = silentChanges(settings, knownAt);
    const reportedNames = rules === rulesNumber ? parseStored(heldStatuses, unpack(statuses)) : undefined;
    if (reportedNames !== undefined && silent.length === 0) return { heldNames: reportedNames, making };
    const records = await recordsOf();
    const answersAt = async (heads: readonly StoredConfigHead[], moment: ConfigMoment, knownTime: string) => {
      const kinds = settings.classKinds.filter(({ recordedAt }) => recordedAt <= moment.knownAt);
      const coverage = coverageAt(records, knownTime, kinds);
      const configs = await configsAt(owner, heads, moment);
      return heldNamesAfter(statusesOfParties({ configs, coverage, carrier, moment }));
    };
    let heldNames = reportedNames ?? (await answersAt(settings.heads, madeOn, at));
    for (const [until, group] of Map.groupBy(silent, (change) => change.until)) {
      const heads = group.map(({ head }) => head);
      const day = newYorkDate(new Date(until));
      const since = group.map((change) => change.since).reduce(laterOf);
      const [before, after] = [
        await answersAt(heads, { day, knownAt: since }, until),
        await answersAt(heads, { day, knownAt: until }, until),
      ];
      heldNames = following(heldNames, before, after);
    }
    return { heldNames, making };
  }

  /** The write of the statuses that are held from now on, upon what was read. */
  const write = (
    owner: string,
    npn: string,
    last: Pick<Baseline, 'version'> | undefined,
    statuses: HeldStatuses,
    { carrier: { name, naicCodes, eins }, heads, classKinds, moment }: Settings,
    making?: Making,
  ): TransactionItem =>
    compliance.items.put(
      {
        ...complianceKeys.reported(owner, npn),
        at: moment.knownAt,
        knownAt: [...heads.flatMap((head) => [...head.versions, ...deletionsOf(head)]), ...classKinds]
          .map(({ recordedAt }) => recordedAt)
          .reduce(laterOf, ''),
        carrier: { name, naicCodes, eins },
        rules: rulesNumber,
        ...making,
        statuses: pack(statuses),
        version: (last?.version ?? 0) + 1,
      },
      { version: last?.version },
    );

  return {
    find,
    settingsOf,
    heldOf: heldNamesOf,
    write,

    /** Refuses a transaction where another writer has written the baseline since. */
    check: (owner: string, npn: string, { version }: Pick<Baseline, 'version'>): TransactionItem =>
      compliance.items.check(complianceKeys.reported(owner, npn), { version }),

    /**
     * The write by which a silent change of what is known of an NPN moves what receivers hold: the answers that it changes, where they
     * held what was answered before. Other changes that are still to be reported stay to be.
     */
    async move(
      owner: string,
      npn: string,
      { before, after, recordsOf }: SilentChange,
      settings: Settings,
    ): Promise<TransactionItem[]> {
      const answersOf = (coverage: Coverage) => heldNamesAfter(statusesOfParties({ ...settings, coverage }));
      const [namesBefore, namesAfter] = [answersOf(before), answersOf(after)];
      const last = await find(owner, npn);
      // The first one is written in any case: it says by which codes of the carrier nothing was answered.
      if (last !== undefined && isDeepStrictEqual(namesBefore, namesAfter)) return [];
      const { heldNames, making } = await heldNamesOf(owner, last, settings, recordsOf);
      const isReported = isDeepStrictEqual(heldNames, namesBefore);
      return [
        write(
          owner,
          npn,
          last,
          following(heldNames, namesBefore, namesAfter),
          settings,
          isReported ? undefined : making,
        ),
      ];
    },
  };
}

/** Coverage of an NPN before a silent change and with it, and its records before. */
interface SilentChange {
  readonly before: Coverage;
  readonly after: Coverage;
  readonly recordsOf: () => StoredRecords | Promise<StoredRecords>;
}

/** Moves baselines with the silent changes of one piece of work, which reads once what a carrier's answers come from. */
export type SilentMoves = ReturnType<typeof createSilentMoves>;

export function createSilentMoves(tables: Tables<'compliance' | 'organizations'>, now: () => Date) {
  const baselines = createBaselines(tables);
  const read = new Map<string, Promise<Settings>>();
  async function settingsOf(owner: string): Promise<Settings> {
    const settings = await valueByKey(read, owner, () => baselines.settingsOf(owner, now()));
    return { ...settings, moment: momentAt(now()) };
  }
  return {
    /** The writes that go with a silent change of the records of an NPN. */
    ofRecords: (owner: string, npn: string) => async (before: StoredRecords, after: WrittenRecords) => {
      const settings = await settingsOf(owner);
      const coverage = (records: WrittenRecords) => coverageOf(records, never, settings.classKinds);
      const change = { before: coverage(before), after: coverage(after), recordsOf: () => before };
      return baselines.move(owner, npn, change, settings);
    },

    /** Moves a baseline with a silent change of the sales of an NPN. */
    ofSales: (owner: string, npn: string, change: SilentChange): Promise<void> =>
      retryOnConflict(async () =>
        tables.compliance.transact(await baselines.move(owner, npn, change, await settingsOf(owner))),
      ),
  };
}
