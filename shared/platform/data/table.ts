import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { TableDesign } from './table-design.ts';
import { itemsOf, type TableItems } from './table-items.ts';
import { readsOf, type TableReads } from './table-reads.ts';
import { type TableWrites, writesOf } from './table-writes.ts';
import { type TransactionItem, transact } from './transact.ts';

/**
 * A table of DynamoDB, in terms of its items: what `tableOf` makes of a design, a client, and a name.
 *
 *     const table = tableOf(agentsTable, client, name);
 *     await table.get(storedAgent, agentKeys.agent(owner, id));
 *     for await (const agents of table.query(storedAgent, partition, { index: 'by-npn' })) …
 *     await table.put(item, isNew);
 *     await table.update(key, { status: 'done', lease: undefined, runs: added(1) }, { lease: token });
 *     await table.transact([table.items.put(agent, { version: before?.version }), ...others]);
 *
 * **Reads** are parsed with the schema of their items (`storedItem`), which drops what it does not name; an item that breaks it
 * raises StoredItemError. `anyItem` is for partitions with several kinds of items, each parsed afterwards. Reads by key see every
 * write that was acknowledged, unless they say `{ consistent: false }`, at half the cost; queries only with `consistent`.
 *
 * **Conditions** are objects: `{ status: 'open', lease: absentOr(below(now)), recordHash: before?.recordHash }` holds where
 * each attribute is equal to its value, is not there where that is undefined, or passes its test. So `{ version:
 * before?.version }` inserts what was not there when it was read, and replaces only the version that was; `{ agentId:
 * absentOr(id) }` claims a key that nobody else holds. `isNew` and `exists` are of the item. A write answers whether its
 * condition held.
 *
 * **Changes** are objects, too: `{ status: 'done', lease: undefined }` sets and removes; `added`, `removed`, `appended`, and
 * `unlessSet` change what is there.
 *
 * **Transactions** take `items`, which are writes as above that are not done yet, of any tables.
 */
export interface Table<Index extends string = string> extends TableReads<Index>, TableWrites {
  readonly name: string;
  readonly design: TableDesign;
  readonly items: TableItems;
  /** @throws as `transact`. */
  transact(items: readonly TransactionItem[]): Promise<void>;
}

type IndexOf<Design extends TableDesign> = Design extends { readonly indexes?: infer Indexes }
  ? keyof NonNullable<Indexes> & string
  : never;

/** The handle of a table of this design. */
export type TableHandle<Design extends TableDesign> = Table<IndexOf<Design>>;

/** A table's handle; see `Table`. */
export const tableOf = <const Design extends TableDesign>(
  design: Design,
  client: DynamoDBClient,
  name: string,
): TableHandle<Design> => ({
  name,
  design,
  items: itemsOf(name),
  ...readsOf(design, client, name),
  ...writesOf(client, name),
  transact: (items) => transact(client, items),
});
