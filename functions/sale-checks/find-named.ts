import { agentsOfNpn } from '../../shared/domain/agents/agents-of-npn.ts';
import { agentKeys, type SellerLink, sellerLink, storedAgent } from '../../shared/domain/agents/stored.ts';
import { associationKeysOfNpn, isOfNpn } from '../../shared/domain/associations/associations-of-npn.ts';
import {
  associationKeys,
  codeHolder,
  isLive,
  storedAssociation,
} from '../../shared/domain/associations/stored.ts';
import { ownerOfNaicCode, storedCarrier } from '../../shared/domain/carriers/stored.ts';
import { carrierKeys } from '../../shared/domain/carriers/table.ts';
import type { AskedAgency, AskedSeller, Named } from '../../shared/domain/sale-checks/resolve.ts';
import type { AskedCheck } from '../../shared/domain/sale-checks/resource.ts';
import type { Tables } from '../../shared/domain/tables.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { readEach } from '../../shared/platform/data/concurrently.ts';
import { groupBy } from '../../shared/platform/data/group-by.ts';
import type { Key } from '../../shared/platform/data/table-items.ts';

/** Queries at the same time. */
const concurrency = 16;

/**
 * Finds whom an organization's checks name: agents and the keys of associations and companies in one round, these in another;
 * one query for each NPN and external id, and everything else in batches.
 */
export async function findNamed(
  owner: string,
  checks: readonly AskedCheck[],
  { agents, associations, carriers }: Tables<'agents' | 'associations' | 'carriers'>,
): Promise<Named> {
  const askedSellers = checks.map(({ seller }) => seller);
  const askedAgencies = checks.flatMap(({ agency }) => agency ?? []);
  const holderKeyOf = ({ producerCode, externalId }: AskedAgency): Key | undefined => {
    if (producerCode !== undefined) return associationKeys.producerCode(owner, producerCode);
    return externalId === undefined ? undefined : associationKeys.externalId(owner, externalId);
  };
  const companies = checks.flatMap(({ carrierNaicCode }) => carrierNaicCode ?? []);
  const [ofIds, ofNpn, ofExternalId, holderUnder, keysOfNpn, holderOfCode] = await Promise.all([
    agents.getAll(
      storedAgent,
      askedSellers.flatMap(({ agentId }) => (agentId === undefined ? [] : agentKeys.agent(owner, agentId))),
      { consistent: false },
    ),
    readEach(
      askedSellers.flatMap(({ npn }) => npn ?? []),
      concurrency,
      (npn) => agentsOfNpn(agents, owner, npn),
    ),
    // An organization may have given several agents the same.
    readEach(
      askedSellers.flatMap(({ externalId }) => externalId ?? []),
      concurrency,
      (id) => collect(agents.query(sellerLink, agentKeys.byExternalId(owner, id, '').pk)),
    ),
    associations.getByKey(
      codeHolder,
      askedAgencies.flatMap((asked) => holderKeyOf(asked) ?? []),
      { consistent: false },
    ),
    readEach(
      askedAgencies.flatMap(({ npn }) => npn ?? []),
      concurrency,
      (npn) => collect(associationKeysOfNpn(associations, owner, npn)),
    ),
    carriers.getByKey(ownerOfNaicCode, companies.map(carrierKeys.naicCode), { consistent: false }),
  ]);
  const agentsById = groupBy(ofIds, ({ _id }) => _id);
  const sellersOf = ({ agentId = '', npn = '', externalId = '' }: AskedSeller): readonly SellerLink[] => [
    ...[...(agentsById.get(agentId) ?? []), ...(ofNpn.get(npn) ?? [])].filter(({ isDeleted }) => !isDeleted),
    ...(ofExternalId.get(externalId) ?? []),
  ];
  const idsOf = (asked: AskedAgency): readonly string[] => {
    if (asked.downstreamEntityAssociationId !== undefined) return [asked.downstreamEntityAssociationId];
    const holderKey = holderKeyOf(asked);
    if (holderKey !== undefined) return [holderUnder(holderKey)?.associationId ?? []].flat();
    return (keysOfNpn.get(asked.npn ?? '') ?? []).map(({ sk }) => sk);
  };
  // The association that a check does not name is that of its seller.
  const ids = checks.flatMap(({ seller, agency }) =>
    agency === undefined
      ? sellersOf(seller).flatMap(({ downstreamEntityAssociationIds }) => downstreamEntityAssociationIds)
      : idsOf(agency),
  );
  const carrierKeyOf = (code: string): readonly Key[] => {
    const holder = holderOfCode(carrierKeys.naicCode(code));
    return holder === undefined ? [] : [carrierKeys.carrier(holder.carrierId)];
  };
  const [read, named] = await Promise.all([
    associations.getAll(
      storedAssociation,
      ids.map((id) => associationKeys.association(owner, id)),
      { consistent: false },
    ),
    carriers.getAll(storedCarrier, companies.flatMap(carrierKeyOf), { consistent: false }),
  ]);
  const byId = new Map(read.filter(isLive).map((one) => [one._id, one]));
  const names = new Map(named.map(({ naicCode, name }) => [naicCode, name]));
  return {
    sellers: sellersOf,
    agencies: (asked) =>
      idsOf(asked)
        .flatMap((id) => byId.get(id) ?? [])
        .filter((one) => asked.npn === undefined || isOfNpn(one, asked.npn)),
    association: (id) => byId.get(id),
    companyName: (naicCode) => names.get(naicCode),
  };
}
