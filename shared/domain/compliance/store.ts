import * as z from 'zod/mini';
import { KB } from '#platform/aws/limits.ts';
import { stateCode, textUpTo } from '#platform/contract/primitives.ts';
import { collect } from '#platform/data/concurrently.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import { organizationKeys } from '#platform/data/table-design.ts';
import { retryOnConflict, type TransactionItem, timeAfter } from '#platform/data/transact.ts';
import { type CalendarDate, newYorkDate } from '#platform/dates/dates.ts';
import { limitReached } from '#platform/errors/domain-error.ts';
import { carrierIdentity } from '../decision/carrier.ts';
import { type ClassKindVersion, classKindVersion, kindOfClass } from '../decision/classes.ts';
import {
  type ComplianceConfig,
  configInForce,
  productsNamedBy,
  type VersionTimes,
} from '../decision/compliance-config.ts';
import { comparable } from '../identifiers/identifiers.ts';
import {
  complianceKeys,
  isDeleted,
  type StoredConfigHead,
  type StoredConfigVersion,
  storedConfigHead,
  storedConfigVersion,
} from './stored.ts';

/** A day, and the time whose knowledge counts: one question to a config. */
export interface ConfigMoment {
  readonly day: CalendarDate;
  readonly knownAt: string;
}

/** A product with a config that is not deleted, and what it is called today. */
export interface Product extends Pick<ComplianceConfig, 'productId' | 'productName' | 'productCode'> {
  readonly head: StoredConfigHead;
}

/** A product with the versions of its config that decide the moments it was read for; of other moments they say nothing. */
export interface ProductConfig extends Pick<Product, 'productId' | 'productName' | 'productCode'> {
  readonly versions: ConfigVersions;
}

/** Requirements of a product today. */
export type PresentConfig = ComplianceConfig & ProductConfig;

type ConfigVersions = readonly [StoredConfigVersion, ...StoredConfigVersion[]];

/** The versions that decide these moments. */
export function decidingAmong<Version extends VersionTimes>(
  versions: readonly Version[],
  moments: readonly ConfigMoment[],
): Version[] {
  const [first, ...otherVersions] = versions;
  if (first === undefined) return [];
  return [
    ...new Set(
      moments.map(({ day, knownAt }) => configInForce([first, ...otherVersions], day, knownAt).config),
    ),
  ];
}

/** The heads of an owner's configs, deleted ones included, by product id. */
export const configHeads = (table: Table, owner: string): Promise<StoredConfigHead[]> =>
  collect(table.query(storedConfigHead, complianceKeys.config(owner, '').pk));

const liveHeads = async (table: Table, owner: string): Promise<StoredConfigHead[]> =>
  (await configHeads(table, owner)).filter((head) => !isDeleted(head));

/** A day with the later ones on which versions of a config begin: until when an answer is good, they decide too. */
export const daysWithLaterVersions = (
  { versions }: Pick<StoredConfigHead, 'versions'>,
  day: CalendarDate,
): CalendarDate[] => [day, ...versions.map(({ validFrom }) => validFrom).filter((from) => from > day)];

/** A product's config, and days on which it is to decide. */
interface AskedConfig {
  readonly head: StoredConfigHead;
  readonly days: readonly CalendarDate[];
}

/**
 * Reads the versions that decide days, as known at a time, by product. A caller that sees a head must find its versions, so that
 * reads are consistent.
 * @param asked products, each any number of times.
 * @param precedingRead what the versions are not to be read before, so that their call is that of what follows it (`joiningBatches`).
 */
const versionsIn =
  (table: Table) =>
  async (
    owner: string,
    asked: readonly AskedConfig[],
    knownAt: string,
    precedingRead?: Promise<unknown>,
  ): Promise<Map<string, ConfigVersions>> => {
    const ofHeads = Map.groupBy(asked, ({ head }) => head);
    const deciding = Array.from(ofHeads, ([{ productId, versions }, askedOfHead]) => {
      const days = new Set(askedOfHead.flatMap((askedConfig) => askedConfig.days));
      const entries = decidingAmong(
        versions,
        Array.from(days, (day) => ({ day, knownAt })),
      );
      return {
        productId,
        keys: entries.map((entry) => complianceKeys.configVersion(owner, { ...entry, productId })),
      };
    });
    await precedingRead;
    const versionItems = await table.getByKey(
      storedConfigVersion,
      deciding.flatMap(({ keys }) => keys),
    );
    return new Map(
      deciding.flatMap(({ productId, keys }): [string, ConfigVersions][] => {
        const [first, ...otherVersions] = keys.map((key) => {
          const version = versionItems(key);
          if (version === undefined) throw new Error(`The version ${key.pk} ${key.sk} is missing.`);
          return version;
        });
        return first === undefined ? [] : [[productId, [first, ...otherVersions]]];
      }),
    );
  };

/** A product as it is called today. */
export function productOfHead(head: StoredConfigHead, now: Date): Product {
  const today = { day: newYorkDate(now), knownAt: now.toISOString() };
  const [{ productName, productCode } = { productName: '' }] = decidingAmong(head.versions, [today]);
  return { productId: head.productId, productName, productCode, head };
}

/** Names of a product: the id that was decided on, else a code or a name. */
interface ProductReference extends Partial<Pick<Product, 'productCode'>> {
  readonly productId?: string | undefined;
  readonly productName?: string | undefined;
}

/** The products among some that something may be of: the one that was decided on, else those that are named. */
export function productsAmong(
  products: readonly Product[],
): (reference: ProductReference) => readonly Product[] {
  const byId = new Map(products.map((product) => [product.productId, product]));
  const productsByName = productsNamedBy(products);
  return (reference) => {
    const decidedProduct = byId.get(reference.productId ?? '');
    return decidedProduct === undefined ? productsByName(reference) : [decidedProduct];
  };
}

/** Reads of one carrier's compliance configs; those of another organization cannot even be addressed. */
export function createComplianceConfigs(table: Table) {
  const versions = versionsIn(table);
  return {
    versions,

    /** Reads the requirements of every product today, by product id. */
    async all(owner: string, now: Date): Promise<PresentConfig[]> {
      const days = [newYorkDate(now)];
      const asked = (await liveHeads(table, owner)).map((head) => ({ head, days }));
      return Array.from((await versions(owner, asked, now.toISOString())).values(), (configVersions) => {
        const [{ recordedAt: _recordedAt, isSilent: _isSilent, ...config }] = configVersions;
        return { ...config, versions: configVersions };
      });
    },

    /** Every product with a config that is not deleted. */
    products: async (owner: string, now: Date): Promise<Product[]> =>
      (await liveHeads(table, owner)).map((head) => productOfHead(head, now)),

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
      const configVersions = (await versions(owner, [{ head, days: [day] }], knownAt)).get(productId);
      return configVersions && { ...productOfHead(head, now), versions: configVersions };
    },
  };
}

/** Identity and settings by which a carrier's own policies and sales are judged, today and of days past. */
const storedCarrier = storedItem('organizations/carrier-identity', {
  ...carrierIdentity.shape,
  /** Whether each of its policies names who sold it. */
  policiesNameAgents: z._default(z.boolean(), true),
  /** Days within which the registry must have confirmed what an answer rests on; null for any. */
  verifiedWithinDays: z._default(z.nullable(z.int()), null),
});

/** Identity and settings that govern a carrier's answers now, whatever was recorded when. */
export type CarrierOfNow = z.output<typeof storedCarrier>;

const nobody: CarrierOfNow = {
  name: '',
  naicCodes: [],
  eins: [],
  policiesNameAgents: true,
  verifiedWithinDays: null,
};

/**
 * The identity and the settings of an organization, from its item: a read that needs no other and is sent together with those of
 * the records. That of an organization that does not exist matches no appointment.
 */
export const createCarrierIdentityOf =
  (organizations: Pick<Table, 'get'>) =>
  async (organizationId: string): Promise<CarrierOfNow> => {
    const key = organizationKeys.organization(organizationId);
    return (await organizations.get(storedCarrier, key, { consistent: false })) ?? nobody;
  };

/** Kind of a class of licenses, as an organization states it, or an operator for all of them. */
export const classKind = z.object({
  stateCode,
  classCode: z.nullable(textUpTo(100)),
  className: z.nullable(textUpTo(300)),
  kind: kindOfClass,
});

type SaidOfClass = Pick<ClassKindVersion, keyof typeof classKind.shape>;

/** All that an organization ever said: some dozens of versions, which every answer about a license reads. */
const storedClassKinds = storedItem('compliance/class-kinds', {
  versions: z.array(
    z.object({
      ...z.omit(classKindVersion, { isOwn: true }).shape,
      /** Whether an import without events recorded it. */
      isSilent: z.boolean(),
    }),
  ),
  /** Rises with every write, so that one of two concurrent writers is refused. */
  revision: z.int(),
});

/** A version, with whether it was recorded to send no events. */
export type RecordedClassKind = ClassKindVersion & { readonly isSilent: boolean };

/** Bytes of the versions of an organization, as JSON. */
const mostBytesOfClassKinds = 200 * KB;

/** Owner of the kinds that count for all organizations. */
const everybody = 'EVERYBODY';

const isOfSame = (kind: SaidOfClass, otherKind: SaidOfClass): boolean =>
  kind.stateCode === otherKind.stateCode &&
  comparable(kind.classCode) === comparable(otherKind.classCode) &&
  comparable(kind.className) === comparable(otherKind.className);

/**
 * Records what is said of a class, or, with a `kind` of null, that it is taken back, unless that was said last.
 * @param owner undefined where it is said for everybody.
 * @param itemsOf further items of the transaction.
 * @throws DomainError `state_conflict` where more was said than an item has room for; TransactionContention when others keep
 * writing.
 */
export const createRecordClassKind =
  (table: Table) =>
  (
    owner: string | undefined,
    statement: SaidOfClass,
    { isSilent, now }: { readonly isSilent: boolean; readonly now: () => Date },
    itemsOf: (at: Date) => readonly TransactionItem[],
  ): Promise<void> =>
    retryOnConflict(async () => {
      const key = complianceKeys.classKinds(owner ?? everybody);
      const storedBefore = await table.get(storedClassKinds, key);
      const { versions = [], revision = 0 } = storedBefore ?? {};
      if ((versions.findLast((version) => isOfSame(version, statement))?.kind ?? null) === statement.kind)
        return;
      const at = timeAfter(now(), versions.at(-1)?.recordedAt ?? '');
      const newVersions = [...versions, { ...statement, recordedAt: at.toISOString(), isSilent }];
      if (Buffer.byteLength(JSON.stringify(newVersions)) > mostBytesOfClassKinds) {
        throw limitReached(
          `What was said of classes of licenses has at most ${mostBytesOfClassKinds} bytes.`,
          mostBytesOfClassKinds,
        );
      }
      const item = { ...key, versions: newVersions, revision: revision + 1 };
      await table.transact([table.items.put(item, { revision: storedBefore?.revision }), ...itemsOf(at)]);
    });

/**
 * Reads all that was ever stated of classes of licenses, by an organization or for everybody, in the order of recording: one
 * call.
 */
export type ClassKindsOf = (owner: string) => Promise<RecordedClassKind[]>;

export const createClassKindsOf =
  (table: Table): ClassKindsOf =>
  async (owner) => {
    const [ownKey, sharedKey] = [complianceKeys.classKinds(owner), complianceKeys.classKinds(everybody)];
    const storedKinds = await table.getByKey(storedClassKinds, [ownKey, sharedKey], { consistent: false });
    return [sharedKey, ownKey].flatMap((key) =>
      (storedKinds(key)?.versions ?? []).map((version) => ({ ...version, isOwn: key === ownKey })),
    );
  };
