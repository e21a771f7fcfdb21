import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { batchGet } from '../../../shared/data/batch-get.ts';
import { toItem } from '../../../shared/data/dynamo.ts';
import { parseStored } from '../../../shared/data/stored.ts';
import type { ReadLine } from './lines.ts';
import { hashOf } from './record-hash.ts';

/** What an earlier import left of a record; one that came about in another way has no hash. */
const imported = z.object({
  pk: z.string(),
  sk: z.optional(z.string()),
  createdAt: z.optional(z.string()),
  recordHash: z.optional(z.string()),
});

/** A record as it will be stored, without what every item of an import carries. */
export interface PlatformItem {
  readonly key: Readonly<{ pk: string; sk?: string }>;
  readonly values: Readonly<Record<string, unknown>>;
}

interface DatedRecord {
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
  readonly isDeleted?: boolean | undefined;
}

const written = ({ pk, sk }: { readonly pk: string; readonly sk?: string | undefined }) =>
  JSON.stringify([pk, sk]);

/** Writes under way at once. */
const concurrency = 16;

/**
 * Stores records of which each is one item. One that is stored as it stands is left alone; of several with one key the
 * last holds.
 */
export async function putPlatformRecords<Item extends DatedRecord>(
  client: DynamoDBClient,
  table: string,
  now: () => Date,
  lines: readonly ReadLine<Item>[],
  itemOf: (record: Item) => PlatformItem,
): Promise<void> {
  const last = new Map<string, { readonly record: Item; readonly item: PlatformItem }>();
  for (const { record } of lines) {
    const item = itemOf(record);
    last.set(written(item.key), { record, item });
  }
  const keys = Array.from(last.values(), ({ item }) => ({ ...item.key }));
  const found = await batchGet(client, table, keys, { consistent: true });
  const known = new Map(found.map((item) => parseStored(imported, item)).map((one) => [written(one), one]));
  // The workers share one iterator, so each takes the next record when it is done with its last.
  const waiting = last.entries();
  const work = async () => {
    for (const [key, { record, item }] of waiting) {
      const recordHash = hashOf(record);
      const before = known.get(key);
      if (before?.recordHash === recordHash) continue;
      const at = now().toISOString();
      await client.send(
        new PutItemCommand({
          TableName: table,
          Item: toItem({
            ...item.key,
            ...item.values,
            isDeleted: record.isDeleted ?? false,
            createdAt: record.createdAt ?? before?.createdAt ?? at,
            updatedAt: record.updatedAt ?? at,
            recordHash,
          }),
        }),
      );
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}
