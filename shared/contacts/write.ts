import { transactionBytes, transactionItems } from '../aws/limits.ts';
import { invalid } from '../contract/errors.ts';
import { toItem } from '../data/dynamo.ts';
import { VersionConflict } from '../data/optimistic-lock.ts';
import { StateConflict } from '../data/state-conflict.ts';
import type { TransactionItem } from '../data/transact.ts';
import {
  addressItems,
  type ContactItem,
  contactKeys,
  mostScopes,
  placedItems,
  primaryItems,
  type StoredContact,
} from './stored.ts';

/** A market has one primary contact at most (OpenAPI, "createContact"). */
export class MarketHasPrimary extends StateConflict {
  override readonly name = 'MarketHasPrimary';
  readonly associationId: string;

  constructor(associationId: string) {
    super('The market already has a primary contact.');
    this.associationId = associationId;
  }
}

/** Items of a contact in a transaction; the rest is for the other items of it. */
const mostWrites = transactionItems - 10;

/** The contact is written once for each entity and organization, in one transaction. */
const largestContact = Math.floor(transactionBytes / transactionItems);

/**
 * The steps that make `after` of `before`: all items of the contact, its address with each owner and its markets'
 * primaries, in one transaction. `version` is theirs; what is given for it does not count.
 *
 * @param before what the change was made from; undefined for a new contact.
 * @throws ApiError `validation_error` for a contact that cannot be stored in one transaction. The steps raise
 *   `VersionConflict` and `MarketHasPrimary`.
 */
export function contactWrites(
  table: string,
  before: StoredContact | undefined,
  changed: StoredContact,
): TransactionItem[] {
  const after = { ...changed, version: (before?.version ?? 0) + 1 };
  const { contactId } = after;
  const placed = placedItems(after);
  const addresses = addressItems(after);
  const primaries = difference(primaryItems(after), before === undefined ? [] : primaryItems(before));
  const steps = [
    contactWrite(table, before, after),
    ...placed.map((item) => putWrite(table, item)),
    ...difference(placed, before === undefined ? [] : placedItems(before)).gone.map((item) =>
      deleteWrite(table, item),
    ),
    ...difference(addresses, before === undefined ? [] : addressItems(before)).gone.map((item) =>
      releaseWrite(table, item, contactId),
    ),
    ...addresses.map((item) => holdWrite(table, item, contactId, () => new VersionConflict())),
    ...primaries.gone.map((item) => releaseWrite(table, item, contactId)),
    ...primaries.added.map((item) =>
      holdWrite(
        table,
        item,
        contactId,
        () => new MarketHasPrimary(String(item.values['downstreamEntityAssociationId'])),
      ),
    ),
  ];
  if (after.scopes.length > mostScopes || steps.length > mostWrites) {
    throw invalid({ path: 'associations', message: 'exceed the number that a contact can have' });
  }
  if (Buffer.byteLength(JSON.stringify(after)) > largestContact) {
    throw invalid({ path: 'associations', message: 'are too large to be stored' });
  }
  return steps;
}

const written = ({ key }: ContactItem): string => `${key.pk} ${key.sk}`;

/** The items of one list that are not in the other, by their keys. */
function difference(after: readonly ContactItem[], before: readonly ContactItem[]) {
  const keysAfter = new Set(after.map(written));
  const keysBefore = new Set(before.map(written));
  return {
    added: after.filter((item) => !keysBefore.has(written(item))),
    gone: before.filter((item) => !keysAfter.has(written(item))),
  };
}

const unconditional = () => new Error('A write without a condition was refused.');

const contactWrite = (
  table: string,
  before: StoredContact | undefined,
  after: StoredContact,
): TransactionItem => ({
  write: {
    Put: {
      TableName: table,
      Item: toItem({ ...contactKeys.contact(after.contactId), ...after }),
      ...(before === undefined
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : {
            ConditionExpression: '#version = :previous',
            ExpressionAttributeNames: { '#version': 'version' },
            ExpressionAttributeValues: toItem({ ':previous': before.version }),
          }),
    },
  },
  refused: () => new VersionConflict(),
});

const putWrite = (table: string, { key, values }: ContactItem): TransactionItem => ({
  write: { Put: { TableName: table, Item: toItem({ ...key, ...values }) } },
  refused: unconditional,
});

const deleteWrite = (table: string, { key }: ContactItem): TransactionItem => ({
  write: { Delete: { TableName: table, Key: toItem({ ...key }) } },
  refused: unconditional,
});

/** Claims what only one contact can hold. */
const holdWrite = (
  table: string,
  { key, values }: ContactItem,
  contactId: string,
  refused: () => Error,
): TransactionItem => ({
  write: {
    Put: {
      TableName: table,
      Item: toItem({ ...key, ...values }),
      ConditionExpression: 'attribute_not_exists(pk) OR contactId = :contact',
      ExpressionAttributeValues: toItem({ ':contact': contactId }),
    },
  },
  refused,
});

/** Releases what the contact holds; another contact's claim stays. */
const releaseWrite = (table: string, { key }: ContactItem, contactId: string): TransactionItem => ({
  write: {
    Delete: {
      TableName: table,
      Key: toItem({ ...key }),
      ConditionExpression: 'attribute_not_exists(pk) OR contactId = :contact',
      ExpressionAttributeValues: toItem({ ':contact': contactId }),
    },
  },
  refused: () => new VersionConflict(),
});
