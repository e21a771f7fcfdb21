import * as z from 'zod/mini';
import { fields, object } from '../../platform/contract/object.ts';
import { collect, mapConcurrently } from '../../platform/data/concurrently.ts';
import { above, atMost } from '../../platform/data/expressions.ts';
import {
  anyItem,
  asStoredItemError,
  ofReadable,
  orUnreadable,
  parseStoredOrError,
  readOrThrow,
  StoredItemError,
  storedItem,
} from '../../platform/data/stored.ts';
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
 * Reads what versions require, and answers a function of an entry, which throws StoredItemError for a
 * version that breaks its schema. A caller that sees an entry must find its version, so that reads are consistent.
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

/** The heads of an owner's configs, deleted ones included, by product id; one that breaks its schema as its error. */
async function readHeads(table: Table, owner: string): Promise<Map<string, Unreadable<StoredConfigHead>>> {
  const items = await collect(table.query(anyItem, complianceKeys.config(owner, '').pk));
  return new Map(items.map((item) => [String(item['sk']), parseStoredOrError(storedConfigHead, item)]));
}

/** The heads of an owner's configs, deleted ones included, by product id. */
export const configHeads = async (table: Table, owner: string): Promise<StoredConfigHead[]> =>
  Array.from((await readHeads(table, owner)).values(), readOrThrow);

/** What was read of a product, or the error of an item that breaks its schema. */
type Unreadable<Read> = Read | StoredItemError;

const isRead = <Read>(one: Unreadable<Read>): one is Read => !(one instanceof StoredItemError);

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
  ): Promise<Map<string, Unreadable<ConfigVersions>>> => {
    const deciding = await mapConcurrently(daysOf, concurrency, async ([head, days]) => {
      const { productId } = head;
      const moments = Array.from(new Set(days), (day) => ({ day, knownAt }));
      const entries = await entriesOf(table, owner, head, moments).catch(asStoredItemError);
      const some = isRead(entries) ? decidingAmong(entries, moments) : entries;
      return { productId, entries: isRead(some) ? some.map((one) => ({ ...one, productId })) : some };
    });
    await after;
    const read = await readVersions(
      table,
      owner,
      deciding.flatMap(({ entries }) => (isRead(entries) ? entries : [])),
    );
    return new Map(
      deciding.flatMap(({ productId, entries }): [string, Unreadable<ConfigVersions>][] => {
        const found = isRead(entries) ? orUnreadable(() => entries.map(read)) : entries;
        if (!isRead(found)) return [[productId, found]];
        const [first, ...others] = found;
        return first === undefined ? [] : [[productId, [first, ...others]]];
      }),
    );
  };

/** What products require today. */
const presentOf = (table: Table, owner: string, heads: readonly StoredConfigHead[], now: Date) =>
  versionsIn(table)(owner, new Map(heads.map((head) => [head, [newYorkDate(now)]])), now.toISOString());

/** What is made of the readable heads of all configs that are not deleted, by product id. */
async function ofLive<Made>(
  table: Table,
  owner: string,
  make: (heads: readonly StoredConfigHead[]) => Promise<ReadonlyMap<string, Unreadable<Made>>>,
): Promise<Map<string, Unreadable<Made>>> {
  const heads = await readHeads(table, owner);
  const made = await make([...heads.values()].filter(isRead).filter((head) => !isDeleted(head)));
  return new Map(
    Array.from(heads).flatMap(([productId, head]) => {
      const found = isRead(head) ? made.get(productId) : head;
      return found === undefined ? [] : [[productId, found] as const];
    }),
  );
}

/** What products are called today: the head knows, unless another version has begun since it was written. */
async function namesOf(
  table: Table,
  owner: string,
  heads: readonly StoredConfigHead[],
  now: Date,
): Promise<Map<string, Unreadable<Product>>> {
  const today = { day: newYorkDate(now), knownAt: now.toISOString() };
  const others = heads.filter((head) => !isDecidedByPresent(head, today));
  const present = await presentOf(table, owner, others, now);
  return new Map(
    heads.map((head): [string, Unreadable<Product>] => {
      const { productId } = head;
      const found = present.get(productId) ?? [head.present];
      if (!isRead(found)) return [productId, found];
      const [{ productName, productCode }] = found;
      return [productId, { productId, productName, productCode, head }];
    }),
  );
}

/** Reads what a carrier's products require today. */
export function createPresentConfigs(table: Table) {
  const required = async (owner: string, now: Date): Promise<Unreadable<PresentConfig>[]> => {
    const found = await ofLive(table, owner, (heads) => presentOf(table, owner, heads, now));
    return Array.from(found.values(), (versions) => {
      if (!isRead(versions)) return versions;
      const [{ recordedAt: _recordedAt, isSilent: _isSilent, ...config }] = versions;
      return { ...config, versions };
    });
  };
  return {
    /** What every product requires today, by product id. */
    all: async (owner: string, now: Date): Promise<PresentConfig[]> =>
      (await required(owner, now)).map(readOrThrow),

    /** The same, as a list has them. */
    listed: async (owner: string, now: Date): Promise<PresentConfig[]> =>
      ofReadable(await required(owner, now), readOrThrow),
  };
}

export type PresentConfigs = ReturnType<typeof createPresentConfigs>;

export type ComplianceConfigs = ReturnType<typeof createComplianceConfigs>;

/**
 * Reads of one carrier's compliance configs; those of another organization cannot even be addressed. What is answered by product id
 * has the error in the place of a product of which an item breaks its schema.
 */
export function createComplianceConfigs(table: Table) {
  const versions = versionsIn(table);

  /** Every product with a config that is not deleted, by product id. */
  const byProduct = (owner: string, now: Date): Promise<Map<string, Unreadable<Product>>> =>
    ofLive(table, owner, (heads) => namesOf(table, owner, heads, now));

  return {
    ...createPresentConfigs(table),
    versions,
    byProduct,

    /** Every product with a config that is not deleted, by product id. */
    products: async (owner: string, now: Date): Promise<Product[]> =>
      Array.from((await byProduct(owner, now)).values(), readOrThrow),

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
      const [product, found] = [readOrThrow(names.get(productId)), readOrThrow(read.get(productId))];
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
