import { KB } from '../aws/limits.ts';
import { limitReached } from '../errors/domain-error.ts';
import { toItem } from './dynamo.ts';
import { type Changes, type Condition, writeExpressions } from './expressions.ts';
import { VersionConflict } from './optimistic-lock.ts';
import { storedBytes } from './stored-bytes.ts';
import type { TransactionItem } from './transact.ts';

export type Item = Readonly<Record<string, unknown>>;
/** The key of an item, or what has its members; `sk` is empty, or left out, where the table's key has one part. */
export type Key = { readonly pk: string; readonly sk?: string };

/** A key as DynamoDB takes it. */
export const keyOf = ({ pk, sk = '' }: Key): Record<string, string> => (sk === '' ? { pk } : { pk, sk });

/** The place of an item, as every call that names one takes it. */
export const at = (TableName: string, key: Key) => ({ TableName, Key: toItem(keyOf(key)) });

/** Bytes of an item at most: the rest of what DynamoDB takes is for what updates add. */
export const largestItem = 350 * KB;

/**
 * An item as it is put.
 * @throws DomainError `state_conflict` for one that is too large, before anything is written.
 */
export function storable(item: Item) {
  const stored = toItem(item);
  if (storedBytes(stored) > largestItem)
    throw limitReached(`The record would have more than ${largestItem} bytes.`, largestItem);
  return stored;
}

type Refused = TransactionItem['refused'];

/**
 * The writes of a table as items of a transaction (`transact`). The condition that is refused raises `refused`, which gets the
 * item as it is stored; VersionConflict where left out. `put` throws as `storable`.
 */
export interface TableItems {
  put(item: Item, condition?: Condition, refused?: Refused): TransactionItem;
  update(key: Key, changes: Changes, condition?: Condition, refused?: Refused): TransactionItem;
  delete(key: Key, condition?: Condition, refused?: Refused): TransactionItem;
  check(key: Key, condition: Condition, refused?: Refused): TransactionItem;
}

const conflict: Refused = () => new VersionConflict();

/** The writes of a table alone, for code that has no client. */
export function itemsOf(TableName: string): TableItems {
  // The item is asked for only where an error is made of it.
  const stored = (refused: Refused) =>
    refused.length === 0 ? {} : ({ ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const);
  return {
    put: (item, condition, refused = conflict) => ({
      write: { Put: { TableName, Item: storable(item), ...writeExpressions(condition), ...stored(refused) } },
      refused,
    }),
    update: (key, changes, condition, refused = conflict) => {
      const { UpdateExpression = '', ...others } = writeExpressions(condition, changes);
      const Update = { ...at(TableName, key), UpdateExpression, ...others, ...stored(refused) };
      return { write: { Update }, refused };
    },
    delete: (key, condition, refused = conflict) => ({
      write: { Delete: { ...at(TableName, key), ...writeExpressions(condition), ...stored(refused) } },
      refused,
    }),
    check: (key, condition, refused = conflict) => {
      const { ConditionExpression = '', ...others } = writeExpressions(condition);
      const ConditionCheck = { ...at(TableName, key), ConditionExpression, ...others, ...stored(refused) };
      return { write: { ConditionCheck }, refused };
    },
  };
}
