// The import of contacts, and the scopes that a caller may name.
import * as z from 'zod/mini';
import { activeAssociationOf } from '#domain/associations/agency-entries.ts';
import type { Relationship } from '#domain/associations/relationship.ts';
import { addParty } from '#domain/associations/sharing.ts';
import {
  associationKeys,
  associationsOfEntity,
  isLive,
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
} from '#domain/contacts/stored.ts';
import { visibleToCarrier } from '#domain/contacts/visible.ts';
import { createDownstreamEntities, recordOwnerOf } from '#domain/downstream-entities/stored.ts';
import type { Tables } from '#domain/tables.ts';
import { invalid, invalidAt } from '#platform/contract/errors.ts';
import { derivedObjectId } from '#platform/data/keys.ts';
import { storedItem } from '#platform/data/stored.ts';
import { retryOnConflict } from '#platform/data/transact.ts';
import { DomainError, type Issue } from '#platform/errors/domain-error.ts';
import type { Organization } from '#platform/identity/organizations.ts';
import { type ContactRecord, type ContactScopeRecord, contactRecord } from '../record-schemas.ts';
import {
  type ImportDependencies,
  type ImportType,
  importedRecords,
  ownersOfEitherKind,
} from '../run/import-records.ts';
import { BlockedByRecord, importChains } from '../run/lines.ts';
import { hashOf, timesOf } from '../run/put-records.ts';

/** The organization that records are imported for; without one they may name any entities and associations. */
type ContactCaller = Pick<Organization, 'organizationId' | 'category'> | undefined;

/** Entities and associations that the scopes of some records refer to, as far as they exist and are the caller's. */
interface KnownScopes {
  /** The organizations of the live entities, by entity; null where it has none. */
  readonly organizations: ReadonlyMap<string, string | null>;
  /** The two sides of live associations and markets, by association; a carrier that is not on the platform has no id. */
  readonly relationships: ReadonlyMap<string, Relationship>;
  /** Whether the caller can say who an entity's contacts are: a carrier that the agency agreed to can. */
  readonly isAgreed: (downstreamEntityId: string) => boolean;
}

type ContactScopes = ReturnType<typeof createContactScopes>;

const ofAssociation = storedItem('associations/association-of-scope', () => {
  const { _id, upstreamEntityId, downstreamEntityId, isDeleted, agency } = storedAssociation.shape;
  return { _id, upstreamEntityId, downstreamEntityId, isDeleted, agency };
});

const ofMarket = storedItem('associations/market-of-scope', () => {
  const { upstreamDownstreamAssociationId, downstreamEntityId, upstreamEntityId } = storedMarket.shape;
  return { upstreamDownstreamAssociationId, downstreamEntityId, upstreamEntityId };
});

const ofOwner = storedItem('associations/owner-of-scope', () => ({
  pk: z.string(),
  upstreamEntityId: z.string(),
}));

/** The issue of a scope in a caller's record, if any. */
function scopeIssue(
  { organizations, relationships }: KnownScopes,
  caller: ContactCaller,
  { downstreamEntityId, downstreamEntityAssociationId }: ContactScopeRecord,
  path: string,
): Issue | undefined {
  const organization = organizations.get(downstreamEntityId);
  const isForeign = caller?.category === 'downstreamEntity' && organization !== caller.organizationId;
  if (organization === undefined || isForeign) {
    return { path: `${path}.downstreamEntityId`, message: 'is not a known downstream entity' };
  }
  if (
    downstreamEntityAssociationId !== undefined &&
    relationships.get(downstreamEntityAssociationId)?.downstreamEntityId !== downstreamEntityId
  ) {
    return {
      path: `${path}.downstreamEntityAssociationId`,
      message: 'is not a known association with the entity',
    };
  }
  return undefined;
}

function createContactScopes({
  associations,
  downstreamEntities,
}: Tables<'associations' | 'downstreamEntities'>) {
  const { findAll: readEntities } = createDownstreamEntities(downstreamEntities);

  const organizationsOf = (ids: readonly string[], entities: Awaited<ReturnType<typeof readEntities>>) =>
    new Map(
      ids.flatMap((id) => {
        const entity = entities.get(id);
        return entity === undefined ? [] : [[id, entity.downstreamOrganizationId ?? null] as const];
      }),
    );

  /** A carrier's associations with entities. */
  async function associationsOf(upstream: string, entityIds: readonly string[]) {
    const keys = entityIds.map((id) => associationKeys.ofEntity(upstream, id));
    const entries = await associations.getAll(associationsOfEntity, keys);
    return new Map(entries.map((entry) => [entry.downstreamEntityId, entry]));
  }

  async function readMarkets(keys: readonly { pk: string; sk: string }[]): Promise<[string, Relationship][]> {
    const markets = await associations.getAll(ofMarket, keys);
    return markets.map((market) => [market.upstreamDownstreamAssociationId, market]);
  }

  /** Associations of any owner, found through the items that name the owner. */
  async function readAnyones(associationIds: readonly string[]): Promise<[string, Relationship][]> {
    const owners = await associations.getAll(
      ofOwner,
      associationIds.map((id) => associationKeys.owner(id)),
    );
    const keys = owners.map(({ pk, upstreamEntityId }) =>
      associationKeys.association(upstreamEntityId, pk.slice(associationKeys.owner('').pk.length)),
    );
    const foundAssociations = await associations.getAll(ofAssociation, keys);
    return foundAssociations.filter(isLive).map((association) => [association._id, association]);
  }

  return {
    /** Reads what the scopes of records refer to. */
    async read(caller: ContactCaller, scopes: readonly ContactScopeRecord[]): Promise<KnownScopes> {
      const entityIds = scopes.map(({ downstreamEntityId }) => downstreamEntityId);
      const associationIds = Array.from(
        new Set(scopes.flatMap(({ downstreamEntityAssociationId = [] }) => downstreamEntityAssociationId)),
      );
      if (caller?.category === 'upstreamEntity') {
        const [entities, ownAssociations] = await Promise.all([
          readEntities(entityIds),
          associationsOf(caller.organizationId, entityIds),
        ]);
        const pairs = Array.from(ownAssociations, ([downstreamEntityId, { associationIds }]) =>
          Array.from(associationIds, (id): [string, Relationship] => [
            id,
            { downstreamEntityId, upstreamEntityId: caller.organizationId },
          ]),
        );
        return {
          organizations: organizationsOf(entityIds, entities),
          relationships: new Map(pairs.flat()),
          isAgreed: (id) => activeAssociationOf(ownAssociations.get(id)) !== undefined,
        };
      }
      const entities = await readEntities(entityIds);
      // By association, so that each market is read once.
      const markets = new Map(
        scopes.flatMap(({ downstreamEntityId, downstreamEntityAssociationId }) => {
          const entity = entities.get(downstreamEntityId);
          return downstreamEntityAssociationId === undefined || entity === undefined
            ? []
            : [
                [
                  downstreamEntityAssociationId,
                  associationKeys.market(recordOwnerOf(entity), downstreamEntityAssociationId),
                ] as const,
              ];
        }),
      );
      const pairs = await Promise.all([
        readMarkets([...markets.values()]),
        caller === undefined ? readAnyones(associationIds) : [],
      ]);
      return {
        organizations: organizationsOf(entityIds, entities),
        relationships: new Map(pairs.flat()),
        isAgreed: () => true,
      };
    },

    /** The scopes of a contact that a record of the caller replaces: those that the caller sees. */
    async replacedBy(caller: ContactCaller, contact: StoredContact): Promise<readonly ContactScope[]> {
      if (caller === undefined) return contact.scopes;
      const { organizationId, category } = caller;
      if (category !== 'upstreamEntity') {
        const entities = await readEntities(entitiesOf(contact));
        return contact.scopes.filter(
          ({ downstreamEntityId }) =>
            entities.get(downstreamEntityId)?.downstreamOrganizationId === organizationId,
        );
      }
      const entries = await associationsOf(organizationId, entitiesOf(contact));
      return visibleToCarrier(contact, { upstreamEntityId: organizationId, associations: entries });
    },
  };
}

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
  return importedRecords(organizations, {
    types: ['contact'],
    record: contactRecord,
    owners: ownersOfEitherKind,
    async importLines(caller, lines) {
      const knownScopes = await contactScopes.read(
        caller,
        lines.flatMap(({ record }) => record.associations),
      );
      await importChains(lines, {
        concurrency,
        namesOf: ({ _id, email }) => [...(_id === undefined ? [] : [_id]), `address ${email.toLowerCase()}`],
        claimsOf: (record) => claimsOf(record, knownScopes),
        async readHolders(claims) {
          const holderOf = await tables.contacts.getByKey(contactHolder, claims);
          return (claim) => holderOf(claim)?.contactId;
        },
        importRecord: (record) =>
          retryOnConflict(() =>
            importContact(record, {
              tables,
              contacts,
              contactScopes,
              caller,
              knownScopes,
              time: now(),
            }),
          ),
      });
    },
  });
}

/** Keys of a record's address with the owners of its scopes, and of the primary contact of its markets. */
const claimsOf = ({ email, associations }: ContactRecord, { organizations }: KnownScopes) =>
  associations.flatMap(({ downstreamEntityId, downstreamEntityAssociationId: id, isPrimary }) => {
    const downstreamOrganizationId = organizations.get(downstreamEntityId) ?? undefined;
    return [
      contactKeys.byEmail(ownerOf({ downstreamEntityId, downstreamOrganizationId }), email),
      ...(isPrimary && id !== undefined ? [contactKeys.primary(id)] : []),
    ];
  });

/** Context of an import's contacts. */
interface ImportContext {
  readonly tables: Tables<'associations' | 'contacts'>;
  readonly contacts: ContactStore;
  readonly contactScopes: ContactScopes;
  readonly caller: ContactCaller;
  readonly knownScopes: KnownScopes;
  readonly time: Date;
}

/**
 * @returns the contact's id.
 * @throws ApiError `validation_error` naming the fields at fault; VersionConflict.
 */
async function importContact(record: ContactRecord, context: ImportContext): Promise<string> {
  const { tables, contacts, caller, knownScopes: known, time: at } = context;
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
    throw new BlockedByRecord(otherHolder, 'email', 'is the address of another contact of the agency');
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
    throw new BlockedByRecord(ids?.contactId ?? '', path, 'the market already has a primary contact');
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
  { caller, knownScopes: known }: ImportContext,
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
async function keptScopesOf(
  before: StoredContact,
  scopes: readonly ContactScope[],
  { caller, contactScopes }: ImportContext,
): Promise<ContactScope[]> {
  const replacedScopes = await contactScopes.replacedBy(caller, before);
  const isReplaced = (scope: ContactScope): boolean =>
    replacedScopes.includes(scope) || scopes.some((namedScope) => isSameScope(namedScope, scope));
  if (!before.scopes.some(isReplaced)) {
    throw invalidAt('_id', `${before.contactId} is the id of another organization's contact`);
  }
  if (before.isDeleted) return [];
  return before.scopes.filter((scope) => !isReplaced(scope) || isForeign(caller, scope));
}
