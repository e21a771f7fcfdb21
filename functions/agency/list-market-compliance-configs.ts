import type { ComplianceConfigs } from '../../shared/compliance/store.ts';
import { collect } from '../../shared/data/collect.ts';
import { mapConcurrently } from '../../shared/data/concurrently.ts';
import { entityFilter, type OwnEntity } from '../../shared/downstream-entities/own-entity.ts';
import type { Operation } from '../../shared/request/operation.ts';
import type { agencyRoutes } from './routes.ts';
import type { AgencyStore } from './store.ts';

/** Carriers whose configs are read at once. */
const concurrency = 8;

/**
 * A page of the requirements of the carriers behind the organization's markets. There are some dozens of each: markets, then the configs of
 * each carrier are read whole, three reads in sequence, and the page is cut out of them.
 */
export const listMarketComplianceConfigs: Operation<
  typeof agencyRoutes.routes.listMarketComplianceConfigs,
  {
    readonly ownEntity: OwnEntity;
    readonly agency: Pick<AgencyStore, 'allMarkets'>;
    readonly configs: ComplianceConfigs;
  }
> = async ({ identity: { organizationId }, query }, { ownEntity, agency, configs }) => {
  const [markets] = await Promise.all([
    agency.allMarkets(organizationId, query.downstreamEntityId),
    entityFilter(ownEntity, organizationId, query.downstreamEntityId),
  ]);
  const onPlatform = markets.flatMap((market) =>
    market.upstreamEntityId === undefined || market.status === 'inactive'
      ? []
      : [{ market, carrier: market.upstreamEntityId }],
  );
  const carriers = [...new Set(onPlatform.map(({ carrier }) => carrier))];
  const configsOf = new Map(
    await mapConcurrently(
      carriers,
      concurrency,
      async (carrier) => [carrier, await collect(configs.all(carrier))] as const,
    ),
  );
  const all = onPlatform.flatMap(({ market, carrier }) =>
    (configsOf.get(carrier) ?? []).map(({ productId, productName, states }) => ({
      upstreamDownstreamAssociationId: market.upstreamDownstreamAssociationId,
      downstreamEntityId: market.downstreamEntityId,
      upstreamEntityName: market.upstreamEntityName,
      productId,
      productName,
      states,
    })),
  );
  const first = (query.page - 1) * query.limit;
  return { items: all.slice(first, first + query.limit), total: all.length };
};
