import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import {
  downstreamEntityKeys,
  storedDownstreamEntity,
} from '../../../shared/domain/downstream-entities/stored.ts';
import { toItem } from '../../../shared/platform/data/dynamo.ts';
import { storedItem } from '../../../shared/platform/data/stored.ts';
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
export const copiesChange = (table: string, downstreamEntityId: string): UpdateItemCommand =>
  new UpdateItemCommand({
    TableName: table,
    Key: toItem(downstreamEntityKeys.entity(downstreamEntityId)),
    UpdateExpression: 'SET hasOldCopies = :yes',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: toItem({ ':yes': true }),
  });

/** The transaction items of a change's rest, which refuse it where the agency has been imported again meanwhile. */
export function copyItems(
  table: string,
  { _id, recordHash }: Pick<z.output<typeof importedEntity>, '_id' | 'recordHash'>,
): { readonly unchanged: TransactionItem; readonly finished: TransactionItem } {
  const condition = {
    TableName: table,
    Key: toItem(downstreamEntityKeys.entity(_id)),
    ...unlessWritten({ recordHash }),
  };
  const refused = () =>
    new DomainError('state_conflict', { message: 'Another import changed the agency at the same time.' });
  return {
    unchanged: { write: { ConditionCheck: condition }, refused },
    /** Records that the copies are updated. */
    finished: { write: { Update: { ...condition, UpdateExpression: 'REMOVE hasOldCopies' } }, refused },
  };
}
