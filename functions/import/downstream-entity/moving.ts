import * as z from 'zod/mini';
import { toItem } from '../../../shared/data/dynamo.ts';
import type { TransactionItem } from '../../../shared/data/transact.ts';
import {
  downstreamEntityKeys,
  type StoredDownstreamEntity,
  storedDownstreamEntity,
} from '../../../shared/downstream-entities/stored.ts';

/** An agency's item as an import reads it. */
export const importedEntity = z.extend(storedDownstreamEntity, {
  /** Whether it has another organization, and the copies of that elsewhere are yet to be updated. */
  isMoving: z.optional(z.boolean()),
});

/** The transaction item that records that the copies are updated; refused where the agency has moved again. */
export const finishedMove = (
  table: string,
  { _id, updatedAt }: Pick<StoredDownstreamEntity, '_id' | 'updatedAt'>,
  refused: TransactionItem['refused'],
): TransactionItem => ({
  write: {
    Update: {
      TableName: table,
      Key: toItem(downstreamEntityKeys.entity(_id)),
      UpdateExpression: 'REMOVE isMoving',
      ConditionExpression: 'updatedAt = :updatedAt',
      ExpressionAttributeValues: toItem({ ':updatedAt': updatedAt }),
    },
  },
  refused,
});
