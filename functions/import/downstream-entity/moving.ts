import * as z from 'zod/mini';
import {
  downstreamEntityKeys,
  storedDownstreamEntity,
} from '../../../shared/domain/downstream-entities/stored.ts';
import { compatible } from '../../../shared/platform/contract/compatible.ts';
import { toItem } from '../../../shared/platform/data/dynamo.ts';
import type { TransactionItem } from '../../../shared/platform/data/transact.ts';
import { DomainError } from '../../../shared/platform/errors/domain-error.ts';

/** An agency's item as an import reads it. */
export const importedEntity = compatible(
  'downstream-entities/imported-entity',
  z.extend(storedDownstreamEntity, {
    /** Whether it has another organization, and the copies of that elsewhere are yet to be updated. */
    isMoving: z.optional(z.boolean()),
    /** Hash of the record that was imported last. */
    recordHash: z.optional(z.string()),
  }),
);

/** The transaction items of a move's rest, which refuse it where the agency has been imported again meanwhile. */
export function moveItems(
  table: string,
  { _id, recordHash }: Pick<z.output<typeof importedEntity>, '_id' | 'recordHash'>,
): { readonly unmoved: TransactionItem; readonly finished: TransactionItem } {
  const condition = {
    TableName: table,
    Key: toItem(downstreamEntityKeys.entity(_id)),
    ConditionExpression: 'recordHash = :recordHash',
    ExpressionAttributeValues: toItem({ ':recordHash': recordHash }),
  };
  const refused = () =>
    new DomainError('state_conflict', { message: 'Another import changed the agency at the same time.' });
  return {
    unmoved: { write: { ConditionCheck: condition }, refused },
    /** Records that the copies are updated. */
    finished: { write: { Update: { ...condition, UpdateExpression: 'REMOVE isMoving' } }, refused },
  };
}
