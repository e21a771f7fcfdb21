import * as z from 'zod/mini';
import { fields, object } from '../../platform/contract/object.ts';
import { collect, mapConcurrently } from '../../platform/data/concurrently.ts';
import { above, atMost } from '../../platform/data/expressions.ts';
import { storedItem } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import { organizationKeys } from '../../platform/data/table-design.ts';
import { type CalendarDate, newYorkDate } from '../../platform/dates/dates.ts';
import { carrierIdentity } from '../decision/carrier.ts';
import { type ComplianceConfig, configInForce, type VersionTimes } from '../decision/compliance-config.ts';
import type { Moment } from './moment.ts';
import {
  complianceKeys,
  isDeleted,
  type StoredConfigEntry,
  type StoredConfigHead,
  type StoredConfigVersion,
  storedConfigEntry,
  storedConfigHead,
  storedConfigVersion,
} from './stored.ts';

/** A day, and the time whose knowledge counts: one question to a config. */
export type ConfigMoment = Pick<Moment, 'day' | 'knownAt'>;

/** A product with a config that is not deleted, and what it is called today. */
export interface Product extends Pick<ComplianceConfig, 'productId' | 'productName' | 'productCode'> {
  readonly head: StoredConfigHead;
}

/** A product with the versions of its config that decide the moments it was read for; of other moments they say nothing. */
export interface ProductConfig extends Pick<Product, 'productId' | 'productName' | 'productCode'> {
  readonly versions: ConfigVersions;
}

/** What a product requires today. */
type PresentConfig = ComplianceConfig & ProductConfig;

type ConfigVersions = readonly [StoredConfigVersion, ...StoredConfigVersion[]];

/** Products whose versions are looked up at the same time. */
const concurrency = 16;

/** Entries that are read at once, newest first: most questions end within them. */
const entriesAtOnce = 20;

/** Whether the version that was in force when the head was written is the one that decides a moment. */
function isDecidedByPresent(
  { present, isFirst, nextFrom, recordedAt }: StoredConfigHead,
  { day, knownAt }: ConfigMoment,
): boolean {
  const isOnly = isFirst && recordedAt === present.recordedAt && [null, present.validFrom].includes(nextFrom);
  const isBegun = isFirst || present.validFrom <= day;
  return isOnly || (recordedAt <= knownAt && isBegun && (nextFrom === null || day < nextFrom));
}

const earliest = (texts: readonly string[]): string =>
  texts.reduce((one, other) => (other < one ? other : one));

/**
 * What there is to know of the versions among which are those that decide these moments: one page as a rule, and nothing beyond the
 * head where that knows.
 */
export async function entriesOf(
  table: Table,
  owner: string,
  head: StoredConfigHead,
  moments: readonly ConfigMoment[],
  { consistent = false } = {},
): Promise<readonly StoredConfigEntry[]> {
  if (moments.every((moment) => isDecidedByPresent(head, moment))) return [head.present];
  const from = earliest(moments.map(({ day }) => day));
  const since = earliest(moments.map(({ knownAt }) => knownAt));
  const until = moments.reduce((last, { day }) => (day > last ? day : last), from);
  const { pk } = complianceKeys.configEntry(owner, { ...head.present, productId: head.productId });
  const read: StoredConfigEntry[] = [];
  const newestFirst = { sort: atMost(`${until}~`), descending: true, limit: entriesAtOnce, consistent };
  for await (const page of table.query(storedConfigEntry, pk, newestFirst)) {
    read.push(...page);
    // In force at all of these moments, but for what came after it.
    if (page.some(({ validFrom, recordedAt }) => validFrom <= from && recordedAt <= since)) return read;
  }
  // Where none had begun, or none was known, the first one stands in.
  const later = await collect(table.query(storedConfigEntry, pk, { sort: above(`${until}~`), consistent }));
  return [...later, ...read];
}

/** The versions that decide these moments. */
export function decidingAmong<Version extends VersionTimes>(
  versions: readonly Version[],
  moments: readonly ConfigMoment[],
): Version[] {
  const [first, ...others] = versions;
  if (first === undefined) return [];
  return [
    ...new Set(moments.map(({ day, knownAt }) => configInForce([first, ...others], day, knownAt).config)),
  ];
}

/** An entry of a product. */
type EntryOf = VersionTimes & Pick<ComplianceConfig, 'productId'>;

/**
 * Reads what versions require, and answers a function of an entry. A caller that sees an entry must find its version, so that reads
 * are consistent.
 */
export async function readVersions(
  table: Table,
  owner: string,
  entries: readonly EntryOf[],
): Promise<(entry: EntryOf) => StoredConfigVersion> {
  const keyOf = (entry: EntryOf) => complianceKeys.configVersion(owner, entry);
  const found = await table.getByKey(storedConfigVersion, entries.map(keyOf));
  return (entry) => {
    const version = found(keyOf(entry));
    if (version === undefined) throw new Error(`The version ${keyOf(entry).pk} is missing.`);
    return version;
  };
}

/** The heads of an owner's configs, deleted ones included, by product id. */
export const configHeads = (table: Table, owner: string): Promise<StoredConfigHead[]> =>
  collect(table.query(storedConfigHead, complianceKeys.config(owner, '').pk));

const liveHeads = async (table: Table, owner: string): Promise<StoredConfigHead[]> =>
  (await configHeads(table, owner)).filter((head) => !isDeleted(head));

/**
 * Days on which something is decided, as known at a time, by product: reads what decides it.
 * @param after what the versions are not to be read before, so that their call is that of what follows it (`joiningBatches`).
 */
const versionsIn =
  (table: Table) =>
  async (
    owner: string,
    daysOf: ReadonlyMap<StoredConfigHead, Iterable<CalendarDate>>,
    knownAt: string,
    after?: Promise<unknown>,
  ): Promise<Map<string, ConfigVersions>> => {
    const deciding = await mapConcurrently(daysOf, concurrency, async ([head, days]) => {
      const { productId } = head;
      const moments = Array.from(new Set(days), (day) => ({ day, knownAt }));
      const entries = decidingAmong(await entriesOf(table, owner, head, moments), moments);
      return { productId, entries: entries.map((one) => ({ ...one, productId })) };
    });
    await after;
    const read = await readVersions(
      table,
      owner,
      deciding.flatMap(({ entries }) => entries),
    );
    return new Map(
      deciding.flatMap(({ productId, entries }): [string, ConfigVersions][] => {
        const [first, ...others] = entries.map(read);
        return first === undefined ? [] : [[productId, [first, ...others]]];
      }),
    );
  };

/** What products require today. */
const presentOf = (table: Table, owner: string, heads: readonly StoredConfigHead[], now: Date) =>
  versionsIn(table)(owner, new Map(heads.map((head) => [head, [newYorkDate(now)]])), now.toISOString());

/** What products are called today: the head knows, unless another version has begun since it was written. */
async function namesOf(
  table: Table,
  owner: string,
  heads: readonly StoredConfigHead[],
  now: Date,
): Promise<Map<string, Product>> {
  const today = { day: newYorkDate(now), knownAt: now.toISOString() };
  const others = heads.filter((head) => !isDecidedByPresent(head, today));
  const present = await presentOf(table, owner, others, now);
  return new Map(
    heads.map((head) => {
      const { productId } = head;
      const [{ productName, productCode }] = present.get(productId) ?? [head.present];
      return [productId, { productId, productName, productCode, head }];
    }),
  );
}

/** Reads what a carrier's products require today. */
export function createPresentConfigs(table: Table) {
  return {
    /** What every product requires today, by product id. */
    async all(owner: string, now: Date): Promise<PresentConfig[]> {
      const found = await presentOf(table, owner, await liveHeads(table, owner), now);
      return Array.from(found.values(), (versions) => {
        const [{ recordedAt: _recordedAt, isSilent: _isSilent, ...config }] = versions;
        return { ...config, versions };
      });
    },
  };
}

export type PresentConfigs = ReturnType<typeof createPresentConfigs>;

export type ComplianceConfigs = ReturnType<typeof createComplianceConfigs>;

/** Reads of one carrier's compliance configs; those of another organization cannot even be addressed. */
export function createComplianceConfigs(table: Table) {
  const versions = versionsIn(table);

  /** Every product with a config that is not deleted, by product id. */
  const byProduct = async (owner: string, now: Date): Promise<Map<string, Product>> =>
    namesOf(table, owner, await liveHeads(table, owner), now);

  return {
    ...createPresentConfigs(table),
    versions,
    byProduct,

    /** Every product with a config that is not deleted, by product id. */
    products: async (owner: string, now: Date): Promise<Product[]> =>
      Array.from((await byProduct(owner, now)).values()),

    /** A product with what decides a moment; undefined where it has no config, or a deleted one. */
    async find(
      owner: string,
      productId: string,
      { day, knownAt }: ConfigMoment,
      now: Date,
    ): Promise<ProductConfig | undefined> {
      const key = complianceKeys.config(owner, productId);
      const head = await table.get(storedConfigHead, key, { consistent: false });
      if (head === undefined || isDeleted(head)) return undefined;
      const [names, read] = await Promise.all([
        namesOf(table, owner, [head], now),
        versions(owner, new Map([[head, [day]]]), knownAt),
      ]);
      const [product, found] = [names.get(productId), read.get(productId)];
      return product === undefined || found === undefined ? undefined : { ...product, versions: found };
    },
  };
}

/** What a carrier decided of how its own policies and sales are judged, today and of days past. */
const carrierSettings = fields(() => ({
  /** Whether each of its policies names who sold it. */
  policiesNameAgents: z._default(z.boolean(), true),
  /** Days within which the registry must have confirmed what an answer rests on; null for any. */
  verifiedWithinDays: z._default(z.nullable(z.int()), null),
}));

const storedCarrier = storedItem(
  'organizations/carrier-identity',
  object(() => ({ ...carrierIdentity.shape, ...carrierSettings.shape })),
);

/** What governs a carrier's answers now, whatever was recorded when. */
export type CarrierOfNow = z.output<typeof storedCarrier>;

/**
 * The identity and the settings of an organization, from its item: a read that needs no other and is sent together with those of
 * the records. That of an organization that does not exist matches no appointment.
 */
export type CarrierIdentityOf = (organizationId: string) => Promise<CarrierOfNow>;

const nobody: CarrierOfNow = {
  name: '',
  naicCodes: [],
  eins: [],
  policiesNameAgents: true,
  verifiedWithinDays: null,
};

export const createCarrierIdentityOf =
  (organizations: Pick<Table, 'get'>): CarrierIdentityOf =>
  async (organizationId) => {
    const key = organizationKeys.organization(organizationId);
    return (await organizations.get(storedCarrier, key, { consistent: false })) ?? nobody;
  };
