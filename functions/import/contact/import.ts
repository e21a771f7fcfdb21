import { addParty } from '../../../shared/domain/associations/sharing.ts';
import {
  type ContactStore,
  createContactStore,
  inPlaceOf,
  isSameScope,
} from '../../../shared/domain/contacts/store.ts';
import {
  type ContactScope,
  contactHolder,
  contactKeys,
  entitiesOf,
  ownerOf,
  type StoredContact,
} from '../../../shared/domain/contacts/stored.ts';
import type { Tables } from '../../../shared/domain/tables.ts';
import { invalid, invalidAt } from '../../../shared/platform/contract/errors.ts';
import { derivedObjectId } from '../../../shared/platform/data/object-id.ts';
import { retryOnConflict } from '../../../shared/platform/data/optimistic-lock.ts';
import { DomainError } from '../../../shared/platform/errors/domain-error.ts';
import { BlockedBy, importChains } from '../chains.ts';
import { timesOf } from '../common-fields.ts';
import {
  checkOrganization,
  type ImportDependencies,
  type ImportType,
  ownersOfEitherKind,
  parseLines,
} from '../import-type.ts';
import { issuesOf, type RejectedLine } from '../lines.ts';
import { hashOf } from '../record-hash.ts';
import { type ContactRecord, contactRecord } from './schema.ts';
import {
  type ContactCaller,
  type ContactScopes,
  createContactScopes,
  type KnownScopes,
  scopeIssue,
} from './scopes.ts';

/** Contacts worked on at once. */
const concurrency = 16;

/**
 * People at agencies. A record replaces what its organization sees of a contact: scopes that it no longer names are
 * removed, and those that the organization can't see stay.
 */
export function contactImport({
  tables,
  organizations,
  now,
}: ImportDependencies<'contacts' | 'associations' | 'downstreamEntities'>): ImportType {
  const contacts = createContactStore(tables.contacts);
  const contactScopes = createContactScopes(tables);
  return {
    types: ['contact'],
    async importLines(lines, organizationId) {
      const rejected: RejectedLine[] = [];
      const read = parseLines(contactRecord, lines, rejected);
      if (read.length === 0) return rejected;
      let caller: ContactCaller;
      try {
        caller =
          organizationId === undefined
            ? undefined
            : await checkOrganization(organizations, 'organizationId', organizationId, ...ownersOfEitherKind);
      } catch (error) {
        const issues = issuesOf(error);
        return [...rejected, ...read.map(({ line }) => ({ line, issues }))];
      }
      const known = await contactScopes.read(
        caller,
        read.flatMap(({ record }) => record.associations),
      );
      const refused = await importChains(read, {
        concurrency,
        namesOf: ({ _id, email }) => [...(_id === undefined ? [] : [_id]), `address ${email.toLowerCase()}`],
        claimsOf: (record) => claimsOf(record, known),
        async readHolders(claims) {
          const holderOf = await tables.contacts.getByKey(contactHolder, claims);
          return (claim) => holderOf(claim)?.contactId;
        },
        importRecord: (record) =>
          retryOnConflict(() =>
            importContact(record, { tables, contacts, contactScopes, caller, known, at: now() }),
          ),
      });
      return [...rejected, ...refused];
    },
  };
}

/** What holds a record's address with the owners of its scopes, and makes it the primary contact of its markets. */
const claimsOf = ({ email, associations }: ContactRecord, { organizations }: KnownScopes) =>
  associations.flatMap(({ downstreamEntityId, downstreamEntityAssociationId: id, isPrimary }) => {
    const downstreamOrganizationId = organizations.get(downstreamEntityId) ?? undefined;
    return [
      contactKeys.byEmail(ownerOf({ downstreamEntityId, downstreamOrganizationId }), email),
      ...(isPrimary && id !== undefined ? [contactKeys.primary(id)] : []),
    ];
  });

/** What every contact of an import needs. */
interface ImportContext {
  readonly tables: Tables<'associations' | 'contacts'>;
  readonly contacts: ContactStore;
  readonly contactScopes: ContactScopes;
  readonly caller: ContactCaller;
  readonly known: KnownScopes;
  readonly at: Date;
}

/**
 * @returns the contact's id.
 * @throws ApiError `validation_error` naming the fields at fault; VersionConflict.
 */
async function importContact(record: ContactRecord, context: ImportContext): Promise<string> {
  const { tables, contacts, caller, known, at } = context;
  const scopes = scopesOf(record, context);
  const owners = scopes.map(ownerOf);
  const holders = await contacts.holdersOf(owners, record.email);
  // A contact without an id is identified by its address.
  const contactId =
    record._id ?? holders[0] ?? derivedObjectId('contact', ...owners.slice(0, 1), record.email.toLowerCase());
  const before = await contacts.findEvenDeleted(contactId);
  const recordHash = hashOf({ ...record, organizationId: caller?.organizationId });
  if (before?.recordHash === recordHash) return contactId;

  const kept = before === undefined ? [] : await keptOf(before, scopes, context);
  const other = holders.find((holder) => holder !== contactId);
  if (record.isDeleted !== true && other !== undefined) {
    throw new BlockedBy(other, 'email', 'is the address of another contact of the agency');
  }
  const added = scopes
    .filter((scope) => !kept.some((held) => isSameScope(held, scope)))
    .map((scope) => inPlaceOf(before, scope));
  const remaining = record.isDeleted === true ? kept : [...kept, ...added];
  const { firstName, lastName, email, isDeliverable } =
    before !== undefined && kept.some((scope) => isForeign(caller, scope)) ? before : record;
  const after: StoredContact = {
    contactId,
    firstName,
    lastName,
    email,
    isDeliverable,
    scopes: remaining.length === 0 ? scopes : remaining,
    isDeleted: remaining.length === 0,
    version: before?.version ?? 0,
    recordHash,
    ...timesOf(record, before, at.toISOString()),
  };
  const upstreamEntityId = caller?.category === 'upstreamEntity' ? caller.organizationId : undefined;
  for (const downstreamEntityId of after.isDeleted ? [] : entitiesOf({ scopes })) {
    const party = { downstreamEntityId, upstreamEntityId, isAgreed: known.isAgreed(downstreamEntityId) };
    await addParty(tables.associations, party);
  }
  try {
    await contacts.save(before, after, []);
  } catch (error) {
    if (!(error instanceof DomainError && error.reason === 'market_has_primary')) throw error;
    const { marketId, ids } = error.options;
    const index = record.associations.findIndex(
      ({ downstreamEntityAssociationId }) => downstreamEntityAssociationId === marketId,
    );
    const path = `associations[${index}].isPrimary`;
    throw new BlockedBy(ids?.contactId ?? '', path, 'the market already has a primary contact');
  }
  return contactId;
}

/**
 * The scopes that a record names.
 * @throws ApiError `validation_error` for entities and associations that are unknown or not the caller's; a deleted contact
 *   may name some that no longer exist.
 */
function scopesOf(
  { associations, isDeleted }: ContactRecord,
  { caller, known }: ImportContext,
): ContactScope[] {
  const issues = associations
    .map((scope, index) => scopeIssue(known, caller, scope, `associations[${index}]`))
    .filter((issue) => issue !== undefined);
  if (issues.length > 0 && isDeleted !== true) throw invalid(...issues);
  return associations.map((scope) => {
    const downstreamOrganizationId = known.organizations.get(scope.downstreamEntityId) ?? undefined;
    const { upstreamEntityId } = known.relationships.get(scope.downstreamEntityAssociationId ?? '') ?? {};
    return {
      ...scope,
      ...(downstreamOrganizationId === undefined ? {} : { downstreamOrganizationId }),
      ...(upstreamEntityId === undefined ? {} : { upstreamEntityId }),
      ...(caller === undefined ? {} : { namedBy: caller.organizationId }),
      ...(known.isAgreed(scope.downstreamEntityId) ? { isConfirmed: true } : {}),
    };
  });
}

/**
 * Whether others than the carrier that imports gave a scope, such as the agency, or operators not for it: its record changes
 * neither the scope nor the person.
 */
const isForeign = (caller: ContactCaller, { namedBy, upstreamEntityId }: ContactScope): boolean =>
  caller?.category === 'upstreamEntity' && (namedBy ?? upstreamEntityId) !== caller.organizationId;

/**
 * The scopes of a stored contact that the record does not replace.
 * @throws ApiError `validation_error` when it replaces none of them: the contact is another organization's.
 */
async function keptOf(
  before: StoredContact,
  scopes: readonly ContactScope[],
  { caller, contactScopes }: ImportContext,
): Promise<ContactScope[]> {
  const replaced = await contactScopes.replacedBy(caller, before);
  const isReplaced = (scope: ContactScope): boolean =>
    replaced.includes(scope) || scopes.some((named) => isSameScope(named, scope));
  if (!before.scopes.some(isReplaced)) {
    throw invalidAt('_id', `${before.contactId} is the id of another organization's contact`);
  }
  if (before.isDeleted) return [];
  return before.scopes.filter((scope) => !isReplaced(scope) || isForeign(caller, scope));
}
