import { transactionBytes, transactionItems } from '../../platform/aws/limits.ts';
import { absentOr } from '../../platform/data/expressions.ts';
import { parseStored } from '../../platform/data/stored.ts';
import { itemsOf, type TableItems } from '../../platform/data/table-items.ts';
import type { TransactionItem } from '../../platform/data/transact.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import {
  addressItems,
  type ContactItem,
  contactHolder,
  contactKeys,
  listItems,
  mostScopes,
  primaryItems,
  type StoredContact,
} from './stored.ts';

/** A market has one primary contact at most (OpenAPI, "createAgencyContact"). */
const marketHasPrimary = (marketId: string, holder: unknown): DomainError =>
  new DomainError('market_has_primary', {
    message: 'The market already has a primary contact.',
    ids: { contactId: parseStored(contactHolder, holder).contactId },
    marketId,
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
  items: TableItems,
  before: StoredContact | undefined,
  changed: StoredContact,
): TransactionItem[] {
  const after = { ...changed, version: (before?.version ?? 0) + 1 };
  const { contactId } = after;
  const isHeldByNobodyElse = { contactId: absentOr(contactId) };
  /** Claims what only one contact can hold. */
  const claim = (item: ContactItem, refused?: TransactionItem['refused']) =>
    items.put(item, isHeldByNobodyElse, refused);
  /** Releases what the contact holds; another contact's claim stays. */
  const release = (item: ContactItem) => items.delete(item, isHeldByNobodyElse);
  const changesOf = (itemsIn: (contact: StoredContact) => ContactItem[]) =>
    difference(itemsIn(after), before === undefined ? [] : itemsIn(before));
  const listed = changesOf(listItems);
  const addresses = changesOf(addressItems);
  const primaries = changesOf(primaryItems);
  const writes = [
    items.put({ ...contactKeys.contact(contactId), ...after }, { version: before?.version }),
    ...listed.after.map((item) => items.put(item)),
    ...listed.gone.map((item) => items.delete(item)),
    ...addresses.gone.map(release),
    ...addresses.after.map((item) => claim(item)),
    ...primaries.gone.map(release),
    ...primaries.added.map((item) =>
      claim(item, (holder) => marketHasPrimary(String(item['downstreamEntityAssociationId']), holder)),
    ),
  ];
  if (after.scopes.length > mostScopes || writes.length > mostWrites) {
    throw invalidAssociations('exceed the number that a contact can have');
  }
  if (Buffer.byteLength(JSON.stringify(after)) > largestContact) {
    throw invalidAssociations('are too large to be stored');
  }
  return writes;
}

/** Whether a change of a contact fits into one transaction. */
export function isStorable(before: StoredContact | undefined, changed: StoredContact): boolean {
  try {
    contactWrites(itemsOf(''), before, changed);
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.reason === 'invalid_input') return false;
    throw error;
  }
}

const keyText = ({ pk, sk }: ContactItem): string => `${pk} ${sk}`;

/** The items of a list, and those of one that are not in the other, by their keys. */
function difference(after: readonly ContactItem[], before: readonly ContactItem[]) {
  const keysAfter = new Set(after.map(keyText));
  const keysBefore = new Set(before.map(keyText));
  return {
    after,
    added: after.filter((item) => !keysBefore.has(keyText(item))),
    gone: before.filter((item) => !keysAfter.has(keyText(item))),
  };
}
