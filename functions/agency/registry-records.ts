import { entityFilter, type OwnEntity } from '../../shared/domain/downstream-entities/own-entity.ts';
import type { PageOf } from '../../shared/platform/data/table-reads.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import type { RegistryFilters, RegistryLists } from './registry-lists.ts';
import type { agencyRoutes } from './routes.ts';
import type { Page } from './store.ts';

type Routes = typeof agencyRoutes.routes;

interface RegistryDeps {
  readonly ownEntity: OwnEntity;
  readonly registry: RegistryLists;
}

/** An entity's records are those of its NPN, which must be read first; an entity without an NPN has none. */
async function ofEntity<Item>(
  organizationId: string,
  query: PageOf & Omit<RegistryFilters, 'npn'> & { readonly downstreamEntityId?: string | undefined },
  ownEntity: OwnEntity,
  read: (owner: string, filters: RegistryFilters, page: PageOf) => Promise<Page<Item>>,
): Promise<Page<Item>> {
  const { stateCode, status, page, limit } = query;
  const entity = await entityFilter(ownEntity, organizationId, query.downstreamEntityId);
  if (entity !== undefined && entity.npn === null) return { items: [], total: 0 };
  return read(organizationId, { npn: entity?.npn ?? undefined, stateCode, status }, { page, limit });
}

/** A page of the organization's licenses. */
export const listAgencyLicenses: Operation<Routes['listAgencyLicenses'], RegistryDeps> = (
  { identity, query },
  { ownEntity, registry },
) => ofEntity(identity.organizationId, query, ownEntity, registry.licenses);

/** A page of the organization's appointments. */
export const listAgencyAppointments: Operation<Routes['listAgencyAppointments'], RegistryDeps> = (
  { identity, query },
  { ownEntity, registry },
) => ofEntity(identity.organizationId, query, ownEntity, registry.appointments);
