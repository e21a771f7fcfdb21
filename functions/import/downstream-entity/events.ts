import { associationEvent } from '../../../shared/domain/associations/events.ts';
import type { AssociationStore } from '../../../shared/domain/associations/store.ts';
import { associationKeys, storedAssociation } from '../../../shared/domain/associations/stored.ts';
import type { DownstreamEntity } from '../../../shared/domain/downstream-entities/resource.ts';
import type { StoredDownstreamEntity } from '../../../shared/domain/downstream-entities/stored.ts';
import { derivedEventId, mostItemsOfEvent } from '../../../shared/domain/events/stored.ts';
import { type EventItems, ignoreAlreadyEmitted } from '../../../shared/domain/events/transaction-items.ts';
import { transactionItems } from '../../../shared/platform/aws/limits.ts';
import type { Table } from '../../../shared/platform/data/table.ts';
import type { TransactionItem } from '../../../shared/platform/data/transact.ts';
import { hashOf } from '../record-hash.ts';
import type { ImportedEntity } from './copies.ts';

const shownFields = ['legalName', 'category', 'npn', 'ein', 'isNpnRequired'] as const;

/** Events that fit into a transaction with an agency. */
const eventsTogether = Math.floor((transactionItems - 10) / mostItemsOfEvent);

/** A change of an agency. */
interface EntityChange {
  readonly before: ImportedEntity | undefined;
  readonly after: DownstreamEntity & Pick<StoredDownstreamEntity, 'isDeleted'>;
}

/**
 * The events of an agency's change for the carriers of all its associations, each exactly once: items of the transaction that
 * changes it.
 * Those that do not fit are written before it, under ids derived from the change, so that the same import after a crash
 * does not emit them again.
 */
export const createEntityEvents =
  (table: Table, { withAgency }: Pick<AssociationStore, 'withAgency'>, events: EventItems) =>
  async ({ before, after }: EntityChange, at: Date): Promise<readonly TransactionItem[]> => {
    if (before === undefined || after.isDeleted) return [];
    const isSame = shownFields.every((field) => before[field] === after[field]);
    if (!before.isDeleted && isSame) return [];

    const keys = (await withAgency(after._id)).map(({ owner, associationId }) =>
      associationKeys.association(owner, associationId),
    );
    const associations = (await table.getAll(storedAssociation, keys))
      // Whether the agency is deleted, their copies of it do not say yet.
      .filter((one) => !one.isDeleted && one.downstreamEntityId === after._id)
      // In a fixed order, so that every attempt writes the same ones first.
      .sort((one, other) => (one._id < other._id ? -1 : 1));
    // The associations of an agency that was deleted appear again.
    const type = before.isDeleted ? 'DOWNSTREAM_ENTITY_CREATED' : 'DOWNSTREAM_ENTITY_UPDATED';
    const drafts = associations.map((one) => associationEvent(type, one, after));
    const changeOf = [after._id, before.updatedAt, before.recordHash ?? '', hashOf(after)];
    for (const event of drafts.slice(eventsTogether)) {
      const eventId = derivedEventId('agency', ...changeOf, event.entityId);
      await table.transact(events([{ ...event, eventId }], at)).catch(ignoreAlreadyEmitted);
    }
    return events(drafts.slice(0, eventsTogether), at);
  };
