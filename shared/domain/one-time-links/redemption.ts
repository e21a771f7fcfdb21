import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { compatible } from '../../platform/contract/compatible.ts';
import { lazyObject, lazyStrictObject } from '../../platform/contract/lazy-object.ts';
import { toItem } from '../../platform/data/dynamo.ts';
import { getItem } from '../../platform/data/get-item.ts';
import { retryOnConflict } from '../../platform/data/optimistic-lock.ts';
import { type TransactionItem, transact } from '../../platform/data/transact.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { createOrganizations } from '../../platform/identity/organizations.ts';
import { createActivateAssociation } from '../associations/activation.ts';
import { createAssociationEventItems } from '../associations/events.ts';
import { createAssociationStore } from '../associations/store.ts';
import type { StoredAssociation } from '../associations/stored.ts';
import { mayName } from '../contacts/consent.ts';
import { createContactStore, withScope } from '../contacts/store.ts';
import { ownerOf, type StoredContact } from '../contacts/stored.ts';
import { contactWrites } from '../contacts/write.ts';
import { createDownstreamEntities } from '../downstream-entities/store.ts';
import type { ReadSignIn, SignInTokens } from './sign-in-tokens.ts';
import { type Admission, admission, linkKey } from './store.ts';

/** What a redemption is asked with. */
export const redemptionInput = compatible(
  'invocations/link-redemption',
  lazyStrictObject(() => ({
    token: z.string().check(z.minLength(1), z.maxLength(200)),
  })),
);

export type RedemptionTable =
  | 'associations'
  | 'contacts'
  | 'downstreamEntities'
  | 'oneTimeLinks'
  | 'organizations'
  | 'outbox';

/** Redeems a link's token, once. */
export type RedeemOneTimeLink = (token: string) => Promise<Admission>;

const storedLink = compatible(
  'one-time-links/link',
  lazyObject(() => ({
    ...admission.shape,
    expiresAt: z.number(),
    redemption: z.optional(z.string()),
  })),
);

/**
 * Marks a link as redeemed. It stays in the table until it expires: a transaction whose answer was lost is sent again
 * under its token, and finds no link of another's.
 */
const markWrite = (table: string, token: string, now: Date): TransactionItem => ({
  write: {
    Update: {
      TableName: table,
      Key: toItem(linkKey(token)),
      UpdateExpression: 'SET redemption = :at',
      // DynamoDB deletes expired items with a delay, so the time is checked too.
      ConditionExpression: 'expiresAt > :now AND attribute_not_exists(redemption)',
      ExpressionAttributeValues: toItem({
        ':now': Math.floor(now.getTime() / 1_000),
        ':at': now.toISOString(),
      }),
    },
  },
  refused: () => new DomainError('not_found'),
});

/** Records the use of a sign-in link until it expires. */
const useWrite = (table: string, { id, expiresAt }: ReadSignIn, now: Date): TransactionItem => ({
  write: {
    Put: {
      TableName: table,
      Item: toItem({ ...linkKey(id), expiresAt, redemption: now.toISOString() }),
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  },
  refused: () => new DomainError('not_found'),
});

/**
 * The contact of an address as a redeemed invitation leaves it: confirmed at the association. Where the scope was left out
 * of the invitation, it is added if the contact has room for it.
 */
function confirmed(
  before: StoredContact | undefined,
  association: StoredAssociation,
  now: Date,
): StoredContact | undefined {
  const { _id, downstreamEntityId, upstreamEntityId, agency } = association;
  if (before === undefined) return undefined;
  const held = before.scopes.find((scope) => scope.downstreamEntityAssociationId === _id);
  if (held?.isConfirmed === true) return undefined;
  if (held !== undefined) {
    const scopes = before.scopes.map((scope) => (scope === held ? { ...scope, isConfirmed: true } : scope));
    return { ...before, scopes, updatedAt: now.toISOString() };
  }
  const { downstreamOrganizationId } = agency;
  const scope = {
    downstreamEntityAssociationId: _id,
    downstreamEntityId,
    ...(downstreamOrganizationId === undefined ? {} : { downstreamOrganizationId }),
    upstreamEntityId,
    namedBy: upstreamEntityId,
    isConfirmed: true,
    businessRoles: [],
    isPrimary: false,
  };
  const after = withScope(before, { person: before, scope }, now);
  return mayName({ before, after }, scope, true) ? after : undefined;
}

/**
 * A sign-in link admits its bearer as its contact, while that is one. An invitation also makes its association active, and its contact one that the agency's
 * side confirmed (OpenAPI, "inviteAssociation"), in the transaction that marks the link.
 *
 * @throws DomainError `not_found` for a token that is unknown, expired or redeemed, and for an invitation whose association
 *   is gone; the caller cannot tell which. TransactionContention.
 */
export function createRedemption(
  client: DynamoDBClient,
  tables: Readonly<Record<RedemptionTable, string>>,
  now: () => Date,
  signInTokens: SignInTokens,
): RedeemOneTimeLink {
  const associations = createAssociationStore(client, tables.associations);
  const contacts = createContactStore(client, tables.contacts);
  const activate = createActivateAssociation({
    associations,
    entities: createDownstreamEntities(client, tables.downstreamEntities),
    events: createAssociationEventItems(tables.outbox),
    organizations: createOrganizations(client, tables.organizations),
  });

  async function accept(
    { downstreamEntityAssociationId, email }: Admission,
    mark: TransactionItem,
    at: Date,
  ) {
    const association = await associations.findById(downstreamEntityAssociationId);
    if (association === undefined) throw new DomainError('not_found');
    const { downstreamEntityId, agency, status } = association;
    const { downstreamOrganizationId } = agency;
    const owner = ownerOf({ downstreamEntityId, downstreamOrganizationId });
    const before = await contacts.findByAddress(owner, email);
    const after = confirmed(before, association, at);
    const items = [mark, ...(after === undefined ? [] : contactWrites(tables.contacts, before, after))];
    if (status === 'invited') await activate(association, at, items);
    else await transact(client, items);
  }

  async function signIn(read: ReadSignIn, at: Date): Promise<Admission> {
    const { downstreamEntityAssociationId, contactId } = read;
    const contact = await contacts.find(contactId);
    if (contact === undefined) throw new DomainError('not_found');
    await transact(client, [useWrite(tables.oneTimeLinks, read, at)]);
    return { purpose: 'sign-in', downstreamEntityAssociationId, email: contact.email.toLowerCase() };
  }

  return (token) =>
    retryOnConflict(async () => {
      const at = now();
      const read = await signInTokens.read(token, at);
      if (read !== undefined) return signIn(read, at);
      const key = linkKey(token);
      const found = await getItem(client, tables.oneTimeLinks, key, storedLink, { consistent: true });
      const isOver = found === undefined || found.expiresAt * 1_000 <= at.getTime();
      if (isOver || found.redemption !== undefined) throw new DomainError('not_found');
      const { purpose, downstreamEntityAssociationId, email } = found;
      const admitted = { purpose, downstreamEntityAssociationId, email };
      const mark = markWrite(tables.oneTimeLinks, token, at);
      await accept(admitted, mark, at);
      return admitted;
    });
}
