import * as z from 'zod/mini';
import { objectId, stateCode, textUpTo } from '#platform/contract/primitives.ts';
import { expiringCache } from '#platform/data/caches.ts';
import { sortText } from '#platform/data/keys.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import type { CodeInCatalog } from '../decision/carrier.ts';
import { comparableName } from '../identifiers/comparable-names.ts';
import { comparable, naicCode } from '../identifiers/identifiers.ts';

/** Every carrier of the platform, and nothing else. */
const carrierPartition = 'CARRIER';

/** Keys of the carriers table (described in `shared/domain/tables.ts`). */
export const carrierKeys = {
  carrier: (carrierId: string) => ({ pk: carrierPartition, sk: carrierId }),
  naicCode: (naicCode: string) => ({ pk: 'NAIC_CODE', sk: comparable(naicCode) || naicCode }),
};

const carrierStatuses = ['active', 'inactive'] as const;

/** An insurer. */
export const carrier = z.object({
  _id: objectId,
  name: textUpTo(300),
  naicCode,
  groupName: z.nullable(z.string()),
  domicileStateCode: z.nullable(stateCode),
  status: z.enum(carrierStatuses),
});

type Carrier = z.output<typeof carrier>;

/** A soft-deleted carrier keeps its item, marked as deleted. */
export const storedCarrier = storedItem('carriers/carrier', {
  ...carrier.shape,
  isDeleted: z.optional(z.boolean()),
});

/** Carrier that has a NAIC code. */
export const ownerOfNaicCode = storedItem('carriers/holder', { carrierId: objectId });

export type CarrierCatalog = ReturnType<typeof createCarrierCatalog>;

/** Carriers change a few times a year; the route's description states the delay. */
const cacheMs = 60_000;

/** A carrier with the texts that searches match. */
interface FindableCarrier {
  readonly carrier: Carrier;
  readonly name: string;
  readonly naicCode: string;
}

/**
 * A text regardless of case. Upper case, because there the mapping of a letter does not depend on its neighbors, so that
 * any part of a name is found in it (the Greek sigma has two lower-case forms).
 */
const anyCase = (text: string): string => text.normalize('NFC').toUpperCase();

/**
 * Some 8,000 carriers are a few megabytes: the whole partition is read at most once a minute and searched in memory,
 * since no index of DynamoDB finds parts of a text.
 */
export function createCarrierCatalog(table: Table, now: () => Date) {
  async function load(partition: string) {
    const findableCarriers: (FindableCarrier & { readonly sort: string })[] = [];
    const codes = new Map<string, string | undefined>();
    for await (const page of table.query(storedCarrier, partition)) {
      for (const { isDeleted, ...live } of page) {
        if (isDeleted === true) continue;
        const name = comparableName(live.name);
        // Which of several companies of one name is meant is not known.
        codes.set(name, codes.has(name) ? undefined : live.naicCode);
        findableCarriers.push({
          carrier: live,
          name: anyCase(live.name),
          naicCode: anyCase(live.naicCode),
          sort: `${sortText(live.name)}#${live._id}`,
        });
      }
    }
    return {
      sortedCarriers: findableCarriers.sort((first, second) => (first.sort < second.sort ? -1 : 1)),
      codes,
    };
  }

  const carriers = expiringCache({ load, lifetimeMs: cacheMs, capacity: 1, now: () => now().getTime() });

  return {
    /** Carriers whose name or NAIC code holds `search`, in either case, by name and id; all of them without it. */
    async find(search: string | undefined): Promise<readonly Carrier[]> {
      const { sortedCarriers } = await carriers.get(carrierPartition);
      const part = anyCase(search ?? '');
      return sortedCarriers
        .filter(({ name, naicCode }) => name.includes(part) || naicCode.includes(part))
        .map(({ carrier }) => carrier);
    },

    /** Tells the NAIC code of the one company that has a name, ignoring case, punctuation, and the usual endings. */
    async codeOfName(): Promise<CodeInCatalog> {
      const { codes } = await carriers.get(carrierPartition);
      return (name) => codes.get(comparableName(name));
    },
  };
}
