// The import of contacts, and the scopes that a caller may name.
import * as z from 'zod/mini';
import { activeAssociationOf } from '#domain/associations/agency-entries.ts';
import { addParty, isSharedFor, readSharing } from '#domain/associations/sharing.ts';
import {
  associationKeys,
  associationsWith,
  live,
  type Relationship,
  storedAssociation,
  storedMarket,
} from '#domain/associations/stored.ts';
import { type ContactStore, createContactStore, inPlaceOf, isSameScope } from '#domain/contacts/store.ts';
import {
  type ContactScope,
  contactHolder,
  contactKeys,
  entitiesOf,
  ownerOf,
  type StoredContact,
  visibleToCarrier,
} from '#domain/contacts/stored.ts';
import {
  createDownstreamEntities,
  recordOwnerOf,
  type StoredDownstreamEntity,
} from '#domain/downstream-entities/stored.ts';
import type { Tables } from '#domain/tables.ts';
import { invalid, invalidAt } from '#platform/contract/errors.ts';
import { derivedObjectId } from '#platform/data/keys.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import { DomainError, type Issue } from '#platform/errors/domain-error.ts';
import type { Organization } from '#platform/identity/organizations.ts';
import { type ContactRecord, type ContactScopeRecord, contactRecord } from '../record-schemas.ts';
import {
  type ImportDependencies,
  type ImportType,
  importedRecords,
  ownersOfEitherKind,
} from '../run/import-records.ts';
import { hashOf, importChains, timesOf } from '../run/lines.ts';

/** The organization that records are imported for; without one they may name any entities and associations. */
type ContactCaller = Pick<Organization, 'organizationId' | 'category'> | undefined;

/** Entities and associations that the scopes of some records refer to, as far as they exist and are the caller's. */
interface KnownScopes {
  /** The live entities, by id. */
  readonly entities: { get(id: string): StoredDownstreamEntity | undefined };
  /** The association or market that a scope names with its entity. */
  readonly relationshipOf: (scope: ContactScopeRecord) => Relationship | undefined;
  /** Whether the caller can say who an entity's contacts are: a carrier that the agency agreed to can. */
  readonly isAgreed: (downstreamEntityId: string) => boolean;
  /** Whether it can say so of the whole agency, which other carriers see as well: also of one that it alone knows. */
  readonly isOfWhole: (downstreamEntityId: string) => boolean;
  /** Whether a scope's association is only invited: the agency does not see it yet. */
  readonly isInvited: (scope: ContactScopeRecord) => boolean;
}

const ofOwner = storedItem('associations/owner-of-scope', { upstreamEntityId: z.string() });

/** Reads live associations of any owner, found through the items that name the owner. */
async function readAssociations(associations: Table, ids: readonly string[]) {
  const ownerAt = await associations.getByKey(ofOwner, ids.map(associationKeys.owner));
  const keyOf = (id: string) => {
    const owner = ownerAt(associationKeys.owner(id));
    return owner && associationKeys.association(owner.upstreamEntityId, id);
  };
  const keys = ids.flatMap((id) => keyOf(id) ?? []);
  const associationAt = await associations.getByKey(storedAssociation, keys);
  return (id: string) => {
    const key = keyOf(id);
    return key && live(associationAt(key));
  };
}

type ScopeTables = Tables<'associations' | 'downstreamEntities'>;

/** Reads what the scopes of records refer to. */
async function readScopes(
  { associations, downstreamEntities }: ScopeTables,
  caller: ContactCaller,
  scopes: readonly ContactScopeRecord[],
): Promise<KnownScopes> {
  const entityIds = scopes.map(({ downstreamEntityId }) => downstreamEntityId);
  const entities = await createDownstreamEntities(downstreamEntities).findAll(entityIds);
  if (caller?.category === 'upstreamEntity') {
    const { organizationId: upstreamEntityId } = caller;
    const [entries, sharingOf] = await Promise.all([
      associationsWith(associations, upstreamEntityId, entityIds),
      readSharing(associations, entityIds),
    ]);
    const isAgreed = (id: string): boolean => activeAssociationOf(entries.get(id)) !== undefined;
    return {
      entities,
      relationshipOf: ({ downstreamEntityId, downstreamEntityAssociationId: id = '' }) =>
        entries.get(downstreamEntityId)?.associationIds.has(id) === true
          ? { downstreamEntityId, upstreamEntityId }
          : undefined,
      isAgreed,
      isOfWhole(id) {
        const { downstreamOrganizationId } = entities.get(id) ?? {};
        return isAgreed(id) || !isSharedFor(upstreamEntityId, sharingOf(id), downstreamOrganizationId);
      },
      isInvited: ({ downstreamEntityId, downstreamEntityAssociationId: id = '' }) =>
        entries.get(downstreamEntityId)?.invitedIds.has(id) === true,
    };
  }
  const marketKeysOf = ({ downstreamEntityId, downstreamEntityAssociationId: id }: ContactScopeRecord) => {
    const entity = entities.get(downstreamEntityId);
    return id === undefined || entity === undefined
      ? []
      : [associationKeys.market(recordOwnerOf(entity), id)];
  };
  const associationIds = scopes.flatMap(
    ({ downstreamEntityAssociationId }) => downstreamEntityAssociationId ?? [],
  );
  const [marketAt, associationOf] = await Promise.all([
    associations.getByKey(storedMarket, scopes.flatMap(marketKeysOf)),
    readAssociations(associations, caller === undefined ? associationIds : []),
  ]);
  return {
    entities,
    relationshipOf(scope) {
      const [market] = marketKeysOf(scope).map(marketAt);
      const relationship = associationOf(scope.downstreamEntityAssociationId ?? '') ?? market;
      return relationship?.downstreamEntityId === scope.downstreamEntityId ? relationship : undefined;
    },
    isAgreed: () => true,
    isOfWhole: () => true,
    isInvited: () => false,
  };
}

/** Reads which scopes of a contact a record of the caller replaces: those that the caller sees. */
async function readReplacedScopes(
  { associations, downstreamEntities }: ScopeTables,
  caller: ContactCaller,
  contact: StoredContact,
): Promise<readonly ContactScope[]> {
  if (caller === undefined) return contact.scopes;
  const { organizationId, category } = caller;
  if (category !== 'upstreamEntity') {
    const entities = await createDownstreamEntities(downstreamEntities).findAll(entitiesOf(contact));
    return contact.scopes.filter(
      ({ downstreamEntityId }) =>
        entities.get(downstreamEntityId)?.downstreamOrganizationId === organizationId,
    );
  }
  const entries = await associationsWith(associations, organizationId, entitiesOf(contact));
  return visibleToCarrier(contact, { upstreamEntityId: organizationId, associations: entries });
}

/** The issue of a scope in a caller's record, if any. */
function scopeIssue(
  { entities, relationshipOf, isOfWhole }: KnownScopes,
  caller: ContactCaller,
  scope: ContactScopeRecord,
  path: string,
): Issue | undefined {
  const entity = entities.get(scope.downstreamEntityId);
  const isOthers =
    caller?.category === 'downstreamEntity' && entity?.downstreamOrganizationId !== caller.organizationId;
  if (entity === undefined || isOthers)
    return { path: `${path}.downstreamEntityId`, message: 'is not a known downstream entity' };
  const ofAssociation = (message: string): Issue => ({
    path: `${path}.downstreamEntityAssociationId`,
    message,
  });
  if (scope.downstreamEntityAssociationId !== undefined)
    return relationshipOf(scope) === undefined
      ? ofAssociation('is not a known association with the entity')
      : undefined;
  if (!isOfWhole(scope.downstreamEntityId))
    return ofAssociation(
      'is required, as the agency, which others know, has not agreed to an active association',
    );
  return scope.isPrimary
    ? { path: `${path}.isPrimary`, message: 'requires downstreamEntityAssociationId' }
    : undefined;
}

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
  return importedRecords(organizations, {
    types: ['contact'],
    record: contactRecord,
    owners: ownersOfEitherKind,
    async importLines(caller, lines) {
      const scopes = lines.flatMap(({ record }) => record.associations);
      const known = await readScopes(tables, caller, scopes);
      await importChains(lines, {
        namesOf: ({ _id, email }) => [...(_id === undefined ? [] : [_id]), `address ${email.toLowerCase()}`],
        claimsOf: (record) => claimsOf(record, known),
        async readHolders(claims) {
          const holderOf = await tables.contacts.getByKey(contactHolder, claims);
          return (claim) => holderOf(claim)?.contactId;
        },
        importRecord: (record) => importContact(record, { tables, contacts, caller, known, time: now() }),
      });
    },
  });
}

/** Keys of a record's address with the owners of its scopes, and of the primary contact of its markets. */
const claimsOf = ({ email, associations }: ContactRecord, { entities }: KnownScopes) =>
  associations.flatMap(({ downstreamEntityId, downstreamEntityAssociationId: id, isPrimary }) => {
    const downstreamOrganizationId = entities.get(downstreamEntityId)?.downstreamOrganizationId;
    return [
      contactKeys.byEmail(ownerOf({ downstreamEntityId, downstreamOrganizationId }), email),
      ...(isPrimary && id !== undefined ? [contactKeys.primary(id)] : []),
    ];
  });

/** Context of an import's contacts. */
interface ImportContext {
  readonly tables: ScopeTables;
  readonly contacts: ContactStore;
  readonly caller: ContactCaller;
  readonly known: KnownScopes;
  readonly time: Date;
}

/**
 * @returns the contact's id.
 * @throws ApiError `validation_error` naming the fields at fault; VersionConflict.
 */
async function importContact(record: ContactRecord, context: ImportContext): Promise<string> {
  const { tables, contacts, caller, known, time } = context;
  const scopes = scopesOf(record, context);
  const owners = scopes.map(ownerOf);
  const holders = await contacts.holdersOf(owners, record.email);
  // A contact without an id is identified by its address.
  const contactId =
    record._id ?? holders[0] ?? derivedObjectId('contact', ...owners.slice(0, 1), record.email.toLowerCase());
  const before = await contacts.findEvenDeleted(contactId);
  const recordHash = hashOf({ ...record, organizationId: caller?.organizationId });
  if (before?.recordHash === recordHash) return contactId;

  const keptScopes = before === undefined ? [] : await keptScopesOf(before, scopes, context);
  const otherHolder = holders.find((holder) => holder !== contactId);
  if (record.isDeleted !== true && otherHolder !== undefined) {
    throw invalidAt('email', 'is the address of another contact of the agency');
  }
  const addedScopes = scopes
    .filter((scope) => !keptScopes.some((keptScope) => isSameScope(keptScope, scope)))
    .map((scope) => inPlaceOf(before, scope));
  const remaining = record.isDeleted === true ? keptScopes : [...keptScopes, ...addedScopes];
  const { firstName, lastName, email, isDeliverable } =
    before !== undefined && keptScopes.some((scope) => isForeign(caller, scope)) ? before : record;
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
    ...timesOf(record, before, time.toISOString()),
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
    const { marketId } = error.options;
    const index = record.associations.findIndex(
      ({ downstreamEntityAssociationId }) => downstreamEntityAssociationId === marketId,
    );
    throw invalidAt(`associations[${index}].isPrimary`, 'the market already has a primary contact');
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
    const downstreamOrganizationId = known.entities.get(scope.downstreamEntityId)?.downstreamOrganizationId;
    const { upstreamEntityId } = known.relationshipOf(scope) ?? {};
    return {
      ...scope,
      ...(downstreamOrganizationId === undefined ? {} : { downstreamOrganizationId }),
      ...(upstreamEntityId === undefined ? {} : { upstreamEntityId }),
      ...(caller === undefined ? {} : { namedBy: caller.organizationId }),
      ...(known.isAgreed(scope.downstreamEntityId) ? { isConfirmed: true } : {}),
      ...(known.isInvited(scope) ? { isPending: true } : {}),
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
async function keptScopesOf(
  before: StoredContact,
  scopes: readonly ContactScope[],
  { tables, caller }: ImportContext,
): Promise<ContactScope[]> {
  const replacedScopes = await readReplacedScopes(tables, caller, before);
  const isReplaced = (scope: ContactScope): boolean =>
    replacedScopes.includes(scope) || scopes.some((namedScope) => isSameScope(namedScope, scope));
  if (!before.scopes.some(isReplaced)) {
    throw invalidAt('_id', `${before.contactId} is the id of another organization's contact`);
  }
  if (before.isDeleted) return [];
  return before.scopes.filter((scope) => !isReplaced(scope) || isForeign(caller, scope));
}
