import type { StoredAssociation } from '../../shared/domain/associations/stored.ts';
import { firstPollItem, firstPollOfAgency } from '../../shared/domain/registry-records/poll-items.ts';
import type { TableItems } from '../../shared/platform/data/table-items.ts';
import type { TransactionItem } from '../../shared/platform/data/transact.ts';

/** The item that queues a first poll for a carrier whose association comes to have an agency with this NPN; none otherwise. */
export function firstPollsOfAssociation(
  table: TableItems,
  { before, after }: { readonly before: StoredAssociation | undefined; readonly after: StoredAssociation },
  isSilent: boolean,
  now: Date,
): TransactionItem[] {
  const { npn } = after.agency;
  if (npn === null || npn === before?.agency.npn || after.isDeleted) return [];
  return [firstPollItem(table, firstPollOfAgency(after.upstreamEntityId, npn, isSilent), now)];
}
