import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { carrierPartition } from '../../shared/domain/carriers/keys.ts';
import { type Carrier, carrier } from '../../shared/domain/carriers/resource.ts';
import { compiledObject } from '../../shared/platform/contract/object.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { expiringCache } from '../../shared/platform/data/expiring-cache.ts';
import { queryPages } from '../../shared/platform/data/query-pages.ts';
import { sortText } from '../../shared/platform/data/sort-text.ts';
import { parseStored, storedItem } from '../../shared/platform/data/stored.ts';

export interface CarrierStore {
  /** Carriers whose name or NAIC code holds `search`, in either case, by name and id; all of them without it. */
  find(search: string | undefined): Promise<readonly Carrier[]>;
}

/** Carriers change a few times a year; the route's description states the delay. */
const cacheMs = 60_000;

/** A soft-deleted carrier keeps its item, marked as deleted. */
const storedCarrier = storedItem(
  'carriers/carrier',
  compiledObject(() => ({ ...carrier.shape, isDeleted: z.optional(z.boolean()) })),
);

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
export function createCarrierStore(client: DynamoDBClient, table: string, now: () => number): CarrierStore {
  async function load(partition: string): Promise<readonly FindableCarrier[]> {
    const query = {
      TableName: table,
      KeyConditionExpression: 'pk = :partition',
      ExpressionAttributeValues: toItem({ ':partition': partition }),
    };
    const found: (FindableCarrier & { readonly sort: string })[] = [];
    for await (const items of queryPages(client, query)) {
      for (const item of items) {
        const { isDeleted, ...live } = parseStored(storedCarrier, unmarshall(item));
        if (isDeleted === true) continue;
        found.push({
          carrier: live,
          name: anyCase(live.name),
          naicCode: anyCase(live.naicCode),
          sort: `${sortText(live.name)}#${live._id}`,
        });
      }
    }
    return found.sort((one, other) => (one.sort < other.sort ? -1 : 1));
  }

  const carriers = expiringCache({ load, lifetimeMs: cacheMs, capacity: 1, now });

  return {
    async find(search) {
      const all = await carriers.get(carrierPartition);
      const part = anyCase(search ?? '');
      return all
        .filter(({ name, naicCode }) => name.includes(part) || naicCode.includes(part))
        .map((found) => found.carrier);
    },
  };
}
