import * as z from 'zod/mini';
import { activeAssociationOf } from '../../../shared/domain/associations/agency-entries.ts';
import type { Relationship } from '../../../shared/domain/associations/relationship-at.ts';
import {
  associationKeys,
  associationsOfEntity,
  isLive,
  storedAssociation,
  storedMarket,
} from '../../../shared/domain/associations/stored.ts';
import { type ContactScope, entitiesOf, type StoredContact } from '../../../shared/domain/contacts/stored.ts';
import { visibleToCarrier } from '../../../shared/domain/contacts/visible.ts';
import { createDownstreamEntities } from '../../../shared/domain/downstream-entities/store.ts';
import { recordOwnerOf } from '../../../shared/domain/downstream-entities/stored.ts';
import type { Tables } from '../../../shared/domain/tables.ts';
import { storedItem } from '../../../shared/platform/data/stored.ts';
import type { Issue } from '../../../shared/platform/errors/issue.ts';
import type { Organization } from '../../../shared/platform/identity/organization.ts';
import type { ContactScopeRecord } from './schema.ts';

/** For whom records are imported; without an organization they may name anyone's entities and associations. */
export type ContactCaller = Pick<Organization, 'organizationId' | 'category'> | undefined;

/** What the scopes of some records refer to, as far as it exists and is the caller's. */
export interface KnownScopes {
  /** The organizations of the live entities, by entity; null where it has none. */
  readonly organizations: ReadonlyMap<string, string | null>;
  /** The two sides of live associations and markets, by association; a carrier that is not on the platform has no id. */
  readonly relationships: ReadonlyMap<string, Relationship>;
  /** Whether the caller can say who an entity's contacts are: a carrier can with whom the agency agreed. */
  readonly isAgreed: (downstreamEntityId: string) => boolean;
}

export type ContactScopes = ReturnType<typeof createContactScopes>;

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

/** What is wrong with a scope of a caller's record, if anything. */
export function scopeIssue(
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

export function createContactScopes({
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
    const found = await associations.getAll(associationsOfEntity, keys);
    return new Map(found.map((entry) => [entry.downstreamEntityId, entry]));
  }

  async function readMarkets(keys: readonly { pk: string; sk: string }[]): Promise<[string, Relationship][]> {
    const found = await associations.getAll(ofMarket, keys);
    return found.map((market) => [market.upstreamDownstreamAssociationId, market]);
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
    const found = await associations.getAll(ofAssociation, keys);
    return found.filter(isLive).map((association) => [association._id, association]);
  }

  return {
    /** Reads what the scopes of records refer to. */
    async read(caller: ContactCaller, scopes: readonly ContactScopeRecord[]): Promise<KnownScopes> {
      const entityIds = scopes.map(({ downstreamEntityId }) => downstreamEntityId);
      const associationIds = Array.from(
        new Set(scopes.flatMap(({ downstreamEntityAssociationId = [] }) => downstreamEntityAssociationId)),
      );
      if (caller?.category === 'upstreamEntity') {
        const [entities, own] = await Promise.all([
          readEntities(entityIds),
          associationsOf(caller.organizationId, entityIds),
        ]);
        const pairs = Array.from(own, ([downstreamEntityId, { associationIds }]) =>
          Array.from(associationIds, (id): [string, Relationship] => [
            id,
            { downstreamEntityId, upstreamEntityId: caller.organizationId },
          ]),
        );
        return {
          organizations: organizationsOf(entityIds, entities),
          relationships: new Map(pairs.flat()),
          isAgreed: (id) => activeAssociationOf(own.get(id)) !== undefined,
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
      const found = await Promise.all([
        readMarkets([...markets.values()]),
        caller === undefined ? readAnyones(associationIds) : [],
      ]);
      return {
        organizations: organizationsOf(entityIds, entities),
        relationships: new Map(found.flat()),
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
