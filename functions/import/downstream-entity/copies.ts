import * as z from 'zod/mini';
import {
  downstreamEntityKeys,
  storedDownstreamEntity,
} from '../../../shared/domain/downstream-entities/stored.ts';
import { exists } from '../../../shared/platform/data/expressions.ts';
import { storedItem } from '../../../shared/platform/data/stored.ts';
import type { Table } from '../../../shared/platform/data/table.ts';
import type { TableItems } from '../../../shared/platform/data/table-items.ts';
import type { TransactionItem } from '../../../shared/platform/data/transact.ts';
import { DomainError } from '../../../shared/platform/errors/domain-error.ts';
import { unlessWritten } from '../put-records.ts';

/** An agency's item as an import reads it. */
export const importedEntity = storedItem(
  'downstream-entities/imported-entity',
  z.extend(storedDownstreamEntity, {
    /** Whether copies of it elsewhere, in associations and contacts, may differ from it. */
    hasOldCopies: z.optional(z.boolean()),
  }),
);

/** Marks an agency whose copies are about to change: whatever happens next, another import of it repairs them. */
export async function markCopies(entities: Table, downstreamEntityId: string): Promise<void> {
  const key = downstreamEntityKeys.entity(downstreamEntityId);
  if (!(await entities.update(key, { hasOldCopies: true }, exists))) throw new DomainError('not_found');
}

/** The transaction items of a change's rest, which refuse it where the agency has been imported again meanwhile. */
export function copyItems(
  entities: TableItems,
  { _id, recordHash }: Pick<z.output<typeof importedEntity>, '_id' | 'recordHash'>,
): { readonly unchanged: TransactionItem; readonly finished: TransactionItem } {
  const key = downstreamEntityKeys.entity(_id);
  const isUnwritten = unlessWritten({ recordHash });
  const refused = () =>
    new DomainError('state_conflict', { message: 'Another import changed the agency at the same time.' });
  return {
    unchanged: entities.check(key, isUnwritten, refused),
    /** Records that the copies are updated. */
    finished: entities.update(key, { hasOldCopies: undefined }, isUnwritten, refused),
  };
}
