import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { timestamp } from '../../platform/contract/primitives.ts';
import { storedItem } from '../../platform/data/stored.ts';
import type { CalendarDate } from '../../platform/dates/dates.ts';
import { complianceConfig, configTimes } from '../decision/compliance-config.ts';
import { dayAfter } from '../decision/dates.ts';

/** What there is to know of a version beside what it requires. */
export const storedConfigEntry = storedItem(
  'compliance/config-entry',
  object(() => ({
    validFrom: complianceConfig.shape.validFrom,
    recordedAt: timestamp,
    /** Whether an import without events recorded it. */
    isSilent: z.boolean(),
    /** Of what it requires: versions with the same require the same. */
    hash: z.string(),
  })),
);

export type StoredConfigEntry = z.output<typeof storedConfigEntry>;

/** A product's config as an item: that there is one, and when it was last written. What it requires is in its versions. */
export const storedConfigHead = storedItem(
  'compliance/config',
  object(() => ({
    productId: complianceConfig.shape.productId,
    ...configTimes,
    /** From when until when it was deleted, in order, of late; one that is deleted now has no end yet. */
    deletions: z.array(
      object(() => ({ from: timestamp, until: z.nullable(timestamp), isSilent: z.boolean() })),
    ),
    /** Rises with every write, so that one of two concurrent writers is refused. */
    revision: z.int(),
    /** Of the line that was imported last. */
    recordHash: z.optional(z.string()),
    /** The version that was in force when this was written, and what it calls the product. */
    present: object(() => ({
      ...storedConfigEntry.shape,
      productName: complianceConfig.shape.productName,
      productCode: complianceConfig.shape.productCode,
    })),
    /** Whether that is the version that begins before all others. */
    isFirst: z.boolean(),
    /** The first day after that on which a version begins; null where none does. */
    nextFrom: z.nullable(complianceConfig.shape.validFrom),
    /** When the newest version was recorded. */
    recordedAt: timestamp,
    /** How many versions were recorded on the day on which the newest one was. */
    recordedThatDay: z.int(),
  })),
);

export type StoredConfigHead = z.output<typeof storedConfigHead>;

export const isDeleted = ({ deletions }: StoredConfigHead): boolean => deletions.at(-1)?.until === null;

/** What a product required from a day on, as it was recorded at a time. */
export const storedConfigVersion = storedItem(
  'compliance/config-version',
  object(() => {
    const { recordedAt, isSilent } = storedConfigEntry.shape;
    return { ...complianceConfig.shape, recordedAt, isSilent };
  }),
);

export type StoredConfigVersion = z.output<typeof storedConfigVersion>;

type VersionKey = Pick<StoredConfigVersion, 'productId' | 'validFrom' | 'recordedAt'>;

export const complianceKeys = {
  config: (upstream: string, productId: string) => ({ pk: `${upstream}#CONFIG`, sk: productId }),
  configEntry: (upstream: string, { productId, validFrom, recordedAt }: VersionKey) => ({
    pk: `${upstream}#CONFIG#${productId}`,
    sk: `${validFrom}#${recordedAt}`,
  }),
  configVersion: (upstream: string, { productId, validFrom, recordedAt }: VersionKey) => ({
    pk: `${upstream}#REQUIRED#${productId}`,
    sk: `${validFrom}#${recordedAt}`,
  }),
  classKinds: (owner: string) => ({ pk: `${owner}#CLASS-KINDS`, sk: 'CLASS-KINDS' }),
  change: (upstream: string, npn: string) => ({ pk: `${upstream}#CHANGE`, sk: npn }),
  /** A partition of its own: what was reported can be large, and all of a carrier's are written when a config changes. */
  reported: (upstream: string, npn: string) => ({ pk: `${upstream}#REPORTED#${npn}`, sk: 'REPORTED' }),
  recheck: (upstream: string, eventId: string) => ({ pk: `${upstream}#RECHECK`, sk: eventId }),
};

/** The owner and the product of an entry's key. */
export function configOfKey({ pk }: { readonly pk: string }) {
  const [owner = '', , productId = ''] = pk.split('#');
  return { owner, productId };
}

/** The entry of a version. */
export function configEntryOf({
  validFrom,
  recordedAt,
  isSilent,
  productName,
  productCode,
  carrierNaicCodes,
  states,
  otherStates,
  authority,
}: StoredConfigVersion): StoredConfigEntry {
  const content = JSON.stringify({
    productName,
    productCode,
    carrierNaicCodes,
    states,
    otherStates,
    authority,
  });
  return { validFrom, recordedAt, isSilent, hash: createHash('sha256').update(content).digest('base64url') };
}

/**
 * The items of a version: what it requires, and its entry. On the day on which one to come begins, the sweep has everybody's
 * compliance checked; likewise on the day after a silent one that may move the days from which appointments are overdue.
 */
export function configVersionItems(upstream: string, version: StoredConfigVersion, recordedOn: CalendarDate) {
  const { validFrom, isSilent, states, otherStates } = version;
  const isOnBinding = [...states, otherStates].some((rule) => rule?.appointment === 'on binding');
  const checkedOn = isSilent && isOnBinding ? dayAfter(recordedOn) : recordedOn;
  const startKey = validFrom > checkedOn ? validFrom : checkedOn;
  const start = startKey > recordedOn ? { startKey } : {};
  return [
    { ...complianceKeys.configVersion(upstream, version), ...version },
    { ...complianceKeys.configEntry(upstream, version), ...start, ...configEntryOf(version) },
  ];
}
