import { transactionBytes, transactionItems } from '../../platform/aws/limits.ts';
import { toItem } from '../../platform/data/dynamo.ts';
import { VersionConflict } from '../../platform/data/optimistic-lock.ts';
import { type TransactionItem, unconditional } from '../../platform/data/transact.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import {
  addressItems,
  type ContactItem,
  contactKeys,
  listItems,
  mostScopes,
  primaryItems,
  type StoredContact,
} from './stored.ts';

/** A market has one primary contact at most (OpenAPI, "createContact"). */
const marketHasPrimary = (associationId: string): DomainError =>
  new DomainError('market_has_primary', {
    message: 'The market already has a primary contact.',
    recordId: associationId,
  });

const invalidAssociations = (message: string): DomainError =>
  new DomainError('invalid_input', { issues: [{ path: 'associations', message }] });

/** Items of a contact in a transaction; the rest is for the other items of it, of which an invitation has 15. */
const mostWrites = transactionItems - 16;

/** The contact is written once for each entity and organization, in one transaction. */
const largestContact = Math.floor(transactionBytes / transactionItems);

/**
 * The transaction items that turn `before` into `after`: all items of the contact, its address with each owner, and its
 * markets' primaries. They set `version`; a given value is ignored.
 *
 * @param before what the change was made from; undefined for a new contact.
 * @throws DomainError `invalid_input` for a contact that cannot be stored in one transaction. The items raise
 *   VersionConflict and `market_has_primary`.
 */
export function contactWrites(
  table: string,
  before: StoredContact | undefined,
  changed: StoredContact,
): TransactionItem[] {
  const after = { ...changed, version: (before?.version ?? 0) + 1 };
  const { contactId } = after;
  const listed = listItems(after);
  const addresses = addressItems(after);
  const primaries = difference(primaryItems(after), before === undefined ? [] : primaryItems(before));
  const items = [
    contactWrite(table, before, after),
    ...listed.map((item) => putWrite(table, item)),
    ...difference(listed, before === undefined ? [] : listItems(before)).gone.map((item) =>
      deleteWrite(table, item),
    ),
    ...difference(addresses, before === undefined ? [] : addressItems(before)).gone.map((item) =>
      releaseWrite(table, item, contactId),
    ),
    ...addresses.map((item) => claimWrite(table, item, contactId, () => new VersionConflict())),
    ...primaries.gone.map((item) => releaseWrite(table, item, contactId)),
    ...primaries.added.map((item) =>
      claimWrite(table, item, contactId, () =>
        marketHasPrimary(String(item.values['downstreamEntityAssociationId'])),
      ),
    ),
  ];
  if (after.scopes.length > mostScopes || items.length > mostWrites) {
    throw invalidAssociations('exceed the number that a contact can have');
  }
  if (Buffer.byteLength(JSON.stringify(after)) > largestContact) {
    throw invalidAssociations('are too large to be stored');
  }
  return items;
}

/** Whether a change of a contact fits into one transaction. */
export function isStorable(before: StoredContact | undefined, changed: StoredContact): boolean {
  try {
    contactWrites('', before, changed);
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.reason === 'invalid_input') return false;
    throw error;
  }
}

const keyText = ({ key }: ContactItem): string => `${key.pk} ${key.sk}`;

/** The items of one list that are not in the other, by their keys. */
function difference(after: readonly ContactItem[], before: readonly ContactItem[]) {
  const keysAfter = new Set(after.map(keyText));
  const keysBefore = new Set(before.map(keyText));
  return {
    added: after.filter((item) => !keysBefore.has(keyText(item))),
    gone: before.filter((item) => !keysAfter.has(keyText(item))),
  };
}

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

const putWrite = (table: string, { key, values }: ContactItem): TransactionItem =>
  unconditional({ Put: { TableName: table, Item: toItem({ ...key, ...values }) } });

const deleteWrite = (table: string, { key }: ContactItem): TransactionItem =>
  unconditional({ Delete: { TableName: table, Key: toItem({ ...key }) } });

/** Claims what only one contact can hold. */
const claimWrite = (
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
