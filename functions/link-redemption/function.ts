import * as z from 'zod/mini';
import { createActivateAssociation, createAssociationEventItems } from '#domain/associations/events.ts';
import { isSharedFor } from '#domain/associations/sharing.ts';
import { createAssociationStore } from '#domain/associations/store.ts';
import type { StoredAssociation } from '#domain/associations/stored.ts';
import {
  contactWrites,
  createContactStore,
  isConfirmedAt,
  mayName,
  withScope,
} from '#domain/contacts/store.ts';
import { contactKeys, ownerOf, type StoredContact } from '#domain/contacts/stored.ts';
import { createDownstreamEntities } from '#domain/downstream-entities/stored.ts';
import {
  type Admission,
  admission,
  createSignInTokens,
  linkKey,
  type ReadSignIn,
  type RedemptionInput,
  redemptionInput,
  type SignInTokens,
  signInContact,
} from '#domain/one-time-links/store.ts';
import type { Tables } from '#domain/tables.ts';
import { eventFunction } from '#function/function.ts';
import { createSecretText } from '#platform/config/secret-text.ts';
import { above, isNew } from '#platform/data/expressions.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { TableItems } from '#platform/data/table.ts';
import { retryOnConflict, type TransactionItem } from '#platform/data/transact.ts';
import { DomainError } from '#platform/errors/domain-error.ts';
import { createOrganizations } from '#platform/identity/organizations.ts';
import { operatorHandler } from '#platform/operator/handler.ts';
import { parseInput } from '#platform/request/validation.ts';
import { uses } from './uses.ts';

type RedemptionTable =
  | 'associations'
  | 'contacts'
  | 'downstreamEntities'
  | 'oneTimeLinks'
  | 'organizations'
  | 'outbox';

/** The user that a redeemed link signs in, and where. */
interface Redemption extends Pick<Admission, 'purpose' | 'downstreamEntityAssociationId'> {
  /** Null for an invitation that signs nobody in. */
  readonly email: string | null;
  /** Whether the redemption of an invitation is the agency's agreement. Another redemption leaves everything as it was. */
  readonly agreed?: boolean;
}

/** Redeems a link's token, once. */
type RedeemOneTimeLink = (input: RedemptionInput) => Promise<Redemption>;

const storedLink = storedItem('one-time-links/link', {
  ...admission.shape,
  expiresAt: z.int(),
  redemption: z.optional(z.string()),
});

/**
 * Marks a link as redeemed. It stays in the table until it expires: a transaction whose answer was lost is sent again
 * under its token, and finds no link of another's.
 */
const markWrite = (links: TableItems, token: string, now: Date): TransactionItem =>
  links.update(
    linkKey(token),
    { redemption: now.toISOString() },
    // DynamoDB deletes expired items with a delay, so the time is checked too.
    { expiresAt: above(Math.floor(now.getTime() / 1_000)), redemption: undefined },
    () => new DomainError('not_found'),
  );

/** Records the use of a sign-in link until it expires. */
const useWrite = (links: TableItems, { id, expiresAt }: ReadSignIn, now: Date): TransactionItem =>
  links.put(
    { ...linkKey(id), expiresAt, redemption: now.toISOString() },
    isNew,
    () => new DomainError('not_found'),
  );

/**
 * The contact of an address as a redeemed invitation leaves it: confirmed at the association. Where the scope was left out
 * of the invitation, it is added if the contact has room for it.
 */
function confirmedContact(
  before: StoredContact | undefined,
  { _id, downstreamEntityId, upstreamEntityId }: StoredAssociation,
  downstreamOrganizationId: string | undefined,
  now: Date,
): StoredContact | undefined {
  if (before === undefined) return undefined;
  const heldScope = before.scopes.find((scope) => scope.downstreamEntityAssociationId === _id);
  if (heldScope?.isConfirmed === true) return undefined;
  if (heldScope !== undefined) {
    const { isPending: _, ...agreedScope } = heldScope;
    const scopes = before.scopes.map((scope) =>
      scope === heldScope ? { ...agreedScope, isConfirmed: true } : scope,
    );
    return { ...before, scopes, updatedAt: now.toISOString() };
  }
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
 * Whether a contact is known by an invitation alone. The link signs in nobody else: any other contact at its address was
 * one before, or is one by somebody else's word.
 */
const isOfInvitation = (
  contact: StoredContact | undefined,
  { _id, upstreamEntityId }: StoredAssociation,
): boolean =>
  contact?.scopes.every(
    ({ downstreamEntityAssociationId, namedBy, isConfirmed }) =>
      downstreamEntityAssociationId === _id && namedBy === upstreamEntityId && isConfirmed !== true,
  ) === true;

/**
 * A sign-in link admits its bearer as its contact, while that may be signed in (`signInContact`). An invitation also makes its
 * association active, in the transaction that marks the link. The carrier has the link, too: with an agency that others know,
 * redeeming it counts only for who is of the agency by other evidence, and then confirms its contact only for who has that address
 * (OpenAPI, "inviteAssociation").
 *
 * @throws DomainError `not_found` for a token that is unknown, expired or redeemed, for an invitation whose association is
 *   gone, and for a contact that may not be signed in any more; the caller cannot tell which. TransactionContention.
 */
export function createRedemption(
  tables: Tables<RedemptionTable>,
  now: () => Date,
  signInTokens: SignInTokens,
): RedeemOneTimeLink {
  const associations = createAssociationStore(tables.associations);
  const contacts = createContactStore(tables.contacts);
  const entities = createDownstreamEntities(tables.downstreamEntities);
  const activate = createActivateAssociation({
    associations,
    entities,
    events: createAssociationEventItems(tables.outbox.items),
    organizations: createOrganizations(tables.organizations),
  });

  async function accept(
    { organizationId, verifiedEmail }: RedemptionInput,
    { purpose, downstreamEntityAssociationId, email }: Admission,
    mark: TransactionItem,
    at: Date,
  ): Promise<Redemption> {
    const association = await associations.findById(downstreamEntityAssociationId);
    if (association === undefined) throw new DomainError('not_found');
    const { _id, downstreamEntityId, upstreamEntityId, status } = association;
    const [agencies, sharing] = await Promise.all([
      entities.findAll([downstreamEntityId]),
      associations.sharingOf(downstreamEntityId),
    ]);
    const downstreamOrganizationId = agencies.get(downstreamEntityId)?.downstreamOrganizationId;
    const contactScope = { _id, downstreamEntityId, downstreamOrganizationId };
    const owner = ownerOf(contactScope);
    const [before, redeemer] = await Promise.all([
      contacts.findByAddress(owner, email),
      verifiedEmail === undefined ? undefined : contacts.findByAddress(owner, verifiedEmail),
    ]);
    const isOfAgency =
      downstreamOrganizationId === undefined
        ? redeemer !== undefined && isConfirmedAt(redeemer, contactScope)
        : downstreamOrganizationId === organizationId;
    if (!isOfAgency && isSharedFor(upstreamEntityId, sharing, downstreamOrganizationId)) {
      return { purpose, downstreamEntityAssociationId, email: null, agreed: false };
    }
    // The carrier wrote the address, and somebody else may redeem the link.
    const isVerified = verifiedEmail?.toLowerCase() === email.toLowerCase();
    // A link is the carrier's word alone, so its bearer is no confirmed contact.
    const isConfirmed = isOfAgency && isVerified;
    const after = isConfirmed
      ? confirmedContact(before, association, downstreamOrganizationId, at)
      : undefined;
    const items = [mark, ...(after === undefined ? [] : contactWrites(tables.contacts.items, before, after))];
    if (status === 'invited') await activate(association, at, { further: items, isRedemption: true });
    else await tables.oneTimeLinks.transact(items);
    const admittedEmail = isVerified && isOfInvitation(before, association) ? email : null;
    return { purpose, downstreamEntityAssociationId, email: admittedEmail, agreed: true };
  }

  async function signIn(read: ReadSignIn, at: Date): Promise<Redemption> {
    const { downstreamEntityAssociationId, contactId } = read;
    const [association, namedContact] = await Promise.all([
      associations.findById(downstreamEntityAssociationId),
      contacts.find(contactId),
    ]);
    if (association === undefined || namedContact === undefined || !(await read.isFor(namedContact.email))) {
      throw new DomainError('not_found');
    }
    // What was so when the link was made may be over.
    const signInAnswer = await signInContact(association, namedContact.email, { associations, contacts });
    if ('refusal' in signInAnswer || signInAnswer.contact.contactId !== contactId)
      throw new DomainError('not_found');
    await tables.oneTimeLinks.transact([
      useWrite(tables.oneTimeLinks.items, read, at),
      // A contact that is deleted or changed meanwhile is read again.
      tables.contacts.items.check(contactKeys.contact(contactId), { version: namedContact.version }),
    ]);
    return { purpose: 'sign-in', downstreamEntityAssociationId, email: namedContact.email.toLowerCase() };
  }

  return (input) =>
    retryOnConflict(async () => {
      const at = now();
      const read = await signInTokens.read(input.token, at);
      if (read !== undefined) return signIn(read, at);
      const link = await tables.oneTimeLinks.get(storedLink, linkKey(input.token));
      const isOver = link === undefined || link.expiresAt * 1_000 <= at.getTime();
      if (isOver || link.redemption !== undefined) throw new DomainError('not_found');
      const { purpose, downstreamEntityAssociationId, email } = link;
      const invitationLink = { purpose, downstreamEntityAssociationId, email };
      return accept(input, invitationLink, markWrite(tables.oneTimeLinks.items, input.token, at), at);
    });
}

/**
 * Redeems a link for the agencies' application, which says who redeems it: the one act of an operator's that it may
 * do, with the rights of that act alone.
 */
export const linkRedemptionFunction = eventFunction({
  uses,
  resources: ({ values, context }) => ({
    linkSecret: createSecretText(values.LINK_SECRET_ARN, context.now),
  }),
  compose({ linkSecret, tables, context: { logger, now } }) {
    const redeem = createRedemption(tables, now, createSignInTokens(linkSecret.current));
    return operatorHandler(logger, {
      auditOf: () => ({ command: 'redeem-one-time-link' }),
      run: async (event) => {
        const input = parseInput(redemptionInput, event);
        const result = await redeem(input);
        const { purpose, downstreamEntityAssociationId, agreed } = result;
        return { result, audit: { purpose, downstreamEntityAssociationId, agreed } };
      },
    });
  },
});
