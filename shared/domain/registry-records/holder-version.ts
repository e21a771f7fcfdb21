import * as z from 'zod/mini';
import { VersionConflict } from '../../platform/data/optimistic-lock.ts';
import { anyItem, parseIfStored, storedItem } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import type { TableItems } from '../../platform/data/table-items.ts';
import type { TransactionItem } from '../../platform/data/transact.ts';
import type { Holder, StoredHolder } from './holder-writes.ts';
import type { StoredItem } from './present-items.ts';
import { partitionOf, registryKeys } from './stored.ts';
import { factsAmong } from './stored-facts.ts';

const holderVersion = storedItem('registry-records/holder-version', () => ({ version: z.int() }));

/** Reads what is stored of a holder; nothing of it is older than its version. */
export async function readHolder(table: Table, { owner, npn }: Holder): Promise<StoredHolder> {
  const items = new Map<string, StoredItem>();
  for await (const page of table.query(anyItem, partitionOf(owner, npn), { consistent: true })) {
    for (const item of page) items.set(String(item['sk']), item);
  }
  const version = parseIfStored(holderVersion, items.get(registryKeys.version(owner, npn).sk));
  return { version: version?.version ?? 0, facts: factsAmong(items.values()), items };
}

/** Raises the version of a holder: of two writers that read the same one, the second is refused with VersionConflict. */
export const raiseVersion = (items: TableItems, { owner, npn }: Holder, version: number): TransactionItem =>
  items.update(
    registryKeys.version(owner, npn),
    { version: version + 1 },
    { version: version === 0 ? undefined : version },
    () => new VersionConflict('Another writer changed the records of the holder.'),
  );
