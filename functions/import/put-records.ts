import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { batchGet } from '../../shared/data/batch-get.ts';
import { concurrently } from '../../shared/data/concurrently.ts';
import { toItem } from '../../shared/data/dynamo.ts';
import { groupBy } from '../../shared/data/group-by.ts';
import { retryOnConflict, VersionConflict } from '../../shared/data/optimistic-lock.ts';
import { parseStored } from '../../shared/data/stored.ts';
import { type TransactionItem, transact } from '../../shared/data/transact.ts';
import { commonValuesOf } from './common-fields.ts';
import type { ReadLine } from './lines.ts';
import { hashOf } from './record-hash.ts';

/** The state that an earlier import left; a record of other origin has no hash. */
const imported = z.object({
  pk: z.string(),
  sk: z.optional(z.string()),
  createdAt: z.optional(z.string()),
  recordHash: z.optional(z.string()),
});

/** A record as it will be stored, without the attributes of every imported item. */
export interface RecordItem {
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

/** A record that will be stored, and the item that is stored now. */
export interface ChangedRecord<Item> {
  readonly record: Item;
  readonly before: Readonly<Record<string, unknown>> | undefined;
}

/** The events of an import’s changes. */
export interface Emission<Item> {
  /** Changes of one group are emitted together, and written in one transaction if they fit. */
  readonly groupOf: (record: Item) => string;
  /** The transaction items of a group's events, given one of its changed records. */
  readonly itemsFor: (
    changed: ChangedRecord<Item>,
    at: Date,
  ) => Promise<readonly TransactionItem[]> | readonly TransactionItem[];
}

/** Concurrent writes. */
const concurrency = 16;

/** Records of one transaction: their lines are a megabyte at most, of the four that a transaction allows. */
const recordsOfTransaction = 50;

/**
 * Stores records that are one item each. One that is stored already is skipped; of several with one key the
 * last one counts.
 *
 * @param emission left out for an import without events.
 * @throws TransactionContention when other imports of the same records were faster each time.
 */
export async function putRecords<Item extends DatedRecord>(
  client: DynamoDBClient,
  table: string,
  now: () => Date,
  lines: readonly ReadLine<Item>[],
  itemOf: (record: Item) => RecordItem,
  emission?: Emission<Item>,
): Promise<void> {
  interface Entry {
    readonly record: Item;
    readonly item: RecordItem;
  }
  const last = new Map<string, Entry>();
  for (const { record } of lines) {
    const item = itemOf(record);
    last.set(written(item.key), { record, item });
  }

  /** The entries that differ from what is stored. */
  async function changesAmong(entries: readonly Entry[]) {
    const keys = entries.map(({ item }) => ({ ...item.key }));
    const found = await batchGet(client, table, keys, { consistent: true });
    const known = new Map(found.map((item) => [written(parseStored(imported, item)), item]));
    return entries.flatMap((entry) => {
      const stored = known.get(written(entry.item.key));
      const before = parseStored(z.optional(imported), stored);
      return before?.recordHash === hashOf(entry.record) ? [] : [{ ...entry, before, stored }];
    });
  }

  const itemToPut = ({ record, item }: Entry, before: z.output<typeof imported> | undefined, at: string) =>
    toItem({
      ...item.key,
      ...item.values,
      ...commonValuesOf(record, before, at),
      recordHash: hashOf(record),
    });

  if (emission === undefined) {
    await concurrently(await changesAmong([...last.values()]), concurrency, async ({ before, ...entry }) => {
      const Item = itemToPut(entry, before, now().toISOString());
      await client.send(new PutItemCommand({ TableName: table, Item }));
    });
    return;
  }

  /** Writes the changed ones of these and their events in one transaction; retried when another import came first. */
  async function putWithEvents(entries: readonly Entry[], { itemsFor }: Emission<Item>): Promise<void> {
    await retryOnConflict(async () => {
      const changes = await changesAmong(entries);
      const [first] = changes;
      if (first === undefined) return;
      const at = now();
      const puts = changes.map(({ before, ...entry }): TransactionItem => {
        const unchanged =
          before?.recordHash === undefined
            ? { ConditionExpression: 'attribute_not_exists(recordHash)' }
            : {
                ConditionExpression: 'recordHash = :before',
                ExpressionAttributeValues: toItem({ ':before': before.recordHash }),
              };
        const Item = itemToPut(entry, before, at.toISOString());
        return {
          write: { Put: { TableName: table, Item, ...unchanged } },
          refused: () => new VersionConflict(),
        };
      });
      const emitted = await itemsFor({ record: first.record, before: first.stored }, at);
      await transact(client, [...puts, ...emitted]);
    });
  }

  const groups = [...groupBy(last.values(), ({ record }) => emission.groupOf(record)).values()];
  const parts = groups.flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / recordsOfTransaction) }, (_, index) =>
      group.slice(index * recordsOfTransaction, (index + 1) * recordsOfTransaction),
    ),
  );
  await concurrently(parts, concurrency, (part) => putWithEvents(part, emission));
}
