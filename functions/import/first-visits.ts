import type { StoredAssociation } from '../../shared/domain/associations/stored.ts';
import { firstVisitItem, firstVisitOfAgency } from '../../shared/domain/registry-records/visit-items.ts';
import type { TableItems } from '../../shared/platform/data/table-items.ts';
import type { TransactionItem } from '../../shared/platform/data/transact.ts';

/** The item that queues a first visit for a carrier whose association comes to have an agency with this NPN; none otherwise. */
export function firstVisitsOfAssociation(
  table: TableItems,
  { before, after }: { readonly before: StoredAssociation | undefined; readonly after: StoredAssociation },
  isQuiet: boolean,
  now: Date,
): TransactionItem[] {
  const { npn } = after.agency;
  if (npn === null || npn === before?.agency.npn || after.isDeleted) return [];
  return [firstVisitItem(table, firstVisitOfAgency(after.upstreamEntityId, npn, isQuiet), now)];
}
