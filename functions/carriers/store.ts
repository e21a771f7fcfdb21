import type { Carrier } from '../../shared/domain/carriers/resource.ts';
import { storedCarrier } from '../../shared/domain/carriers/stored.ts';
import { carrierPartition } from '../../shared/domain/carriers/table.ts';
import { expiringCache } from '../../shared/platform/data/expiring-cache.ts';
import { leftOut } from '../../shared/platform/data/left-out.ts';
import { sortText } from '../../shared/platform/data/sort-text.ts';
import {
  anyItem,
  parseStoredOrError,
  readable,
  type StoredItemError,
} from '../../shared/platform/data/stored.ts';
import type { Table } from '../../shared/platform/data/table.ts';

export type CarrierStore = ReturnType<typeof createCarrierStore>;

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
export function createCarrierStore(table: Table, now: () => number) {
  async function load(partition: string) {
    const unreadable: StoredItemError[] = [];
    const found: (FindableCarrier & { readonly sort: string })[] = [];
    for await (const page of table.query(anyItem, partition)) {
      const read = page.map((item) => parseStoredOrError(storedCarrier, item));
      for (const { isDeleted, ...live } of readable(read, (error) => unreadable.push(error))) {
        if (isDeleted === true) continue;
        found.push({
          carrier: live,
          name: anyCase(live.name),
          naicCode: anyCase(live.naicCode),
          sort: `${sortText(live.name)}#${live._id}`,
        });
      }
    }
    return { found: found.sort((one, other) => (one.sort < other.sort ? -1 : 1)), unreadable };
  }

  const carriers = expiringCache({ load, lifetimeMs: cacheMs, capacity: 1, now });

  return {
    /** Carriers whose name or NAIC code holds `search`, in either case, by name and id; all of them without it. */
    async find(search: string | undefined): Promise<readonly Carrier[]> {
      const { found: all, unreadable } = await carriers.get(carrierPartition);
      for (const error of unreadable) leftOut(error);
      const part = anyCase(search ?? '');
      return all
        .filter(({ name, naicCode }) => name.includes(part) || naicCode.includes(part))
        .map((found) => found.carrier);
    },
  };
}
