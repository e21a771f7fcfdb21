import { ownPage } from '../../shared/domain/downstream-entities/own-entity.ts';
import { readEach } from '../../shared/platform/data/concurrently.ts';
import type { AgencyOperation } from './function.ts';

/** Carriers whose configs are read at once. */
const carriersAtOnce = 8;

/**
 * A page of the requirements of the carriers behind the organization's markets. There are some dozens of each: markets, then the configs of
 * each carrier are read whole, three reads in sequence, and the page is cut out of them.
 */
export const listAgencyComplianceConfigs: AgencyOperation<'listAgencyComplianceConfigs'> = async (
  request,
  deps,
) => {
  const { query, now } = request;
  const markets = await ownPage(request, deps, deps.agency.allMarkets);
  const onPlatform = markets.flatMap((market) =>
    market.upstreamEntityId === undefined || market.status === 'inactive'
      ? []
      : [{ market, carrier: market.upstreamEntityId }],
  );
  const configsOf = await readEach(
    onPlatform.map(({ carrier }) => carrier),
    carriersAtOnce,
    (carrier) => deps.configs.listed(carrier, now),
  );
  const all = onPlatform.flatMap(({ market, carrier }) =>
    (configsOf.get(carrier) ?? []).map(({ versions: _versions, ...config }) => ({
      upstreamDownstreamAssociationId: market.upstreamDownstreamAssociationId,
      downstreamEntityId: market.downstreamEntityId,
      upstreamEntityName: market.upstreamEntityName,
      ...config,
    })),
  );
  const first = (query.page - 1) * query.limit;
  return { items: all.slice(first, first + query.limit), total: all.length };
};
