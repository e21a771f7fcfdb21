import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import * as z from 'zod/mini';
import { timestamp } from '#platform/contract/primitives.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { CalendarDate } from '#platform/dates/dates.ts';
import { complianceConfig, configTimes } from '../decision/compliance-config.ts';
import { dayAfter } from '../decision/dates.ts';

/** A version of a product's config, beside what it requires. */
const configEntry = z.object({
  ...z.pick(complianceConfig, { validFrom: true, productName: true, productCode: true }).shape,
  recordedAt: timestamp,
  /** Whether an import without events recorded it. */
  isSilent: z.boolean(),
  /** Hash of the requirements: versions with the same require the same. */
  hash: z.string(),
});

export type ConfigEntry = z.output<typeof configEntry>;

/** A product's config as an item: that there is one, and its versions. What these require is in items of their own. */
export const storedConfigHead = storedItem('compliance/config', {
  productId: complianceConfig.shape.productId,
  ...configTimes,
  /** The one that was recorded last is the first. */
  versions: z.array(configEntry),
  /** Deletions of late, in order; one that is deleted now has no end yet. */
  deletions: z.array(z.object({ from: timestamp, until: z.nullable(timestamp), isSilent: z.boolean() })),
  /** Rises with every write, so that one of two concurrent writers is refused. */
  revision: z.int(),
  /** Hash of the line that was imported last. */
  recordHash: z.optional(z.string()),
});

export type StoredConfigHead = z.output<typeof storedConfigHead>;

export const isDeleted = ({ deletions }: StoredConfigHead): boolean => deletions.at(-1)?.until === null;

/** Requirements of a product from a day on, as they were recorded at a time. */
export const storedConfigVersion = storedItem('compliance/config-version', {
  ...complianceConfig.shape,
  recordedAt: configEntry.shape.recordedAt,
  isSilent: configEntry.shape.isSilent,
});

export type StoredConfigVersion = z.output<typeof storedConfigVersion>;

type VersionKey = Pick<StoredConfigVersion, 'productId' | 'validFrom' | 'recordedAt'>;

export const complianceKeys = {
  config: (upstream: string, productId: string) => ({ pk: `${upstream}#CONFIG`, sk: productId }),
  configVersion: (upstream: string, { productId, validFrom, recordedAt }: VersionKey) => ({
    pk: `${upstream}#REQUIRED#${productId}`,
    sk: `${validFrom}#${recordedAt}`,
  }),
  classKinds: (owner: string) => ({ pk: `${owner}#CLASS-KINDS`, sk: 'CLASS-KINDS' }),
  change: (upstream: string, npn: string) => ({ pk: `${upstream}#CHANGE`, sk: npn }),
  /** A partition of its own: what was reported can be large, and all of a carrier's are written when a config changes. */
  reported: (upstream: string, npn: string) => ({ pk: `${upstream}#REPORTED#${npn}`, sk: 'REPORTED' }),
};

/** The owner and the product of a version's key. */
export function configOfKey({ pk }: { readonly pk: string }) {
  const [owner = '', , productId = ''] = pk.split('#');
  return { owner, productId };
}

/** The entry of a version. */
export function configEntryOf(version: StoredConfigVersion): ConfigEntry {
  const { productId: _id, validFrom, recordedAt, isSilent, ...requirements } = version;
  const { productName, productCode } = requirements;
  const content = canonicalize(requirements) ?? '';
  const hash = createHash('sha256').update(content).digest('base64url');
  return { validFrom, productName, productCode, recordedAt, isSilent, hash };
}

/** Whether a config appoints when it binds in any state. */
export const appointsOnBinding = ({ states, otherStates }: StoredConfigVersion): boolean =>
  [...states, otherStates].some((rule) => rule?.appointment === 'on binding');

/**
 * The item of a version. On the day on which one to come begins, the sweep has everybody's compliance checked; likewise on the day
 * after a silent one that may move the days from which appointments are overdue.
 */
export function configVersionItem(upstream: string, version: StoredConfigVersion, recordedOn: CalendarDate) {
  const { validFrom, isSilent } = version;
  const checkedOn = isSilent && appointsOnBinding(version) ? dayAfter(recordedOn) : recordedOn;
  const startKey = validFrom > checkedOn ? validFrom : checkedOn;
  const start = startKey > recordedOn ? { startKey } : {};
  return { ...complianceKeys.configVersion(upstream, version), ...start, ...version };
}
