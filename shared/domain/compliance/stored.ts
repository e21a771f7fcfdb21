import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { timestamp } from '../../platform/contract/primitives.ts';
import { storedItem } from '../../platform/data/stored.ts';
import type { CalendarDate } from '../../platform/dates/calendar.ts';
import { complianceConfig, configTimes } from './resource.ts';

/** A product's config as an item: that there is one, and when it was last written. What it requires is in its versions. */
export const storedConfigHead = storedItem(
  'compliance/config',
  object(() => ({
    productId: complianceConfig.shape.productId,
    ...configTimes,
    /** From when until when it was deleted, in order; one that is deleted now has no end yet. */
    deletions: z.array(
      object(() => ({ from: timestamp, until: z.nullable(timestamp), isSilent: z.boolean() })),
    ),
    /** Rises with every write, so that one of two concurrent writers is refused. */
    revision: z.int(),
    /** Of the line that was imported last. */
    recordHash: z.optional(z.string()),
  })),
);

export type StoredConfigHead = z.output<typeof storedConfigHead>;

export const isDeleted = ({ deletions }: StoredConfigHead): boolean => deletions.at(-1)?.until === null;

/** What a product required from a day on, as it was recorded at a time. */
export const storedConfigVersion = storedItem(
  'compliance/config-version',
  object(() => ({
    ...complianceConfig.shape,
    recordedAt: timestamp,
    /** Whether an import without events recorded it. */
    isSilent: z.boolean(),
  })),
);

export type StoredConfigVersion = z.output<typeof storedConfigVersion>;

export const complianceKeys = {
  config: (upstream: string, productId: string) => ({ pk: `${upstream}#CONFIG`, sk: productId }),
  configVersion: (
    upstream: string,
    { productId, validFrom, recordedAt }: Pick<StoredConfigVersion, 'productId' | 'validFrom' | 'recordedAt'>,
  ) => ({ pk: `${upstream}#CONFIG`, sk: `${productId}#${validFrom}#${recordedAt}` }),
  change: (upstream: string, npn: string) => ({ pk: `${upstream}#CHANGE`, sk: npn }),
  /** A partition of its own: what was reported can be large, and all of a carrier's are written when a config changes. */
  reported: (upstream: string, npn: string) => ({ pk: `${upstream}#REPORTED#${npn}`, sk: 'REPORTED' }),
  walk: (upstream: string, eventId: string) => ({ pk: `${upstream}#WALK`, sk: eventId }),
};

/** The owner and the product of a version's key. */
export const configOfKey = ({ pk, sk }: { readonly pk: string; readonly sk: string }) => ({
  owner: pk.slice(0, pk.indexOf('#')),
  productId: sk.slice(0, sk.indexOf('#')),
});

/** The item of a version. On the day on which one to come begins, the sweep has everybody's compliance checked. */
export const configVersionItem = (
  upstream: string,
  version: StoredConfigVersion,
  recordedOn: CalendarDate,
) => ({
  ...complianceKeys.configVersion(upstream, version),
  ...(version.validFrom > recordedOn ? { startKey: version.validFrom } : {}),
  ...version,
});
