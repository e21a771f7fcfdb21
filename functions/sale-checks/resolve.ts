import { agentsOfNpn } from '../../shared/domain/agents/agents-of-npn.ts';
import { agentKeys, type SellerLink, sellerLink, storedAgent } from '../../shared/domain/agents/stored.ts';
import { associationKeysOfNpn, isOfNpn } from '../../shared/domain/associations/associations-of-npn.ts';
import {
  associationKeys,
  codeHolder,
  isLive,
  type StoredAssociation,
  storedAssociation,
} from '../../shared/domain/associations/stored.ts';
import type { Product } from '../../shared/domain/compliance/store.ts';
import { productsNamedBy } from '../../shared/domain/decision/products.ts';
import type { Resolved } from '../../shared/domain/sale-checks/material.ts';
import type { AskedCheck, Reason, SaleCheck } from '../../shared/domain/sale-checks/resource.ts';
import type { Tables } from '../../shared/domain/tables.ts';
import { firstNamed } from '../../shared/platform/contract/text.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { readEach } from '../../shared/platform/data/concurrently.ts';
import { groupBy } from '../../shared/platform/data/group-by.ts';
import type { Key } from '../../shared/platform/data/table-items.ts';

/** What an organization's checks name, as it was found. */
export interface Named {
  readonly sellers: (asked: AskedSeller) => readonly SellerLink[];
  readonly agencies: (asked: AskedAgency) => readonly StoredAssociation[];
  /** Live associations by their ids. */
  readonly association: (associationId: string) => StoredAssociation | undefined;
}

type AskedSeller = AskedCheck['seller'];
type AskedAgency = NonNullable<AskedCheck['agency']>;

/** Queries at the same time. */
const concurrency = 16;

/**
 * Finds whom an organization's checks name: agents and the keys of associations in one round, the associations in another; one
 * query for each NPN and external id, and everything else in batches.
 */
export async function findNamed(
  owner: string,
  checks: readonly AskedCheck[],
  { agents, associations }: Tables<'agents' | 'associations'>,
): Promise<Named> {
  const askedSellers = checks.map(({ seller }) => seller);
  const askedAgencies = checks.flatMap(({ agency }) => agency ?? []);
  const holderKeyOf = ({ producerCode, externalId }: AskedAgency): Key | undefined => {
    if (producerCode !== undefined) return associationKeys.producerCode(owner, producerCode);
    return externalId === undefined ? undefined : associationKeys.externalId(owner, externalId);
  };
  const [ofIds, ofNpn, ofExternalId, holderUnder, keysOfNpn] = await Promise.all([
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
  const read = await associations.getAll(
    storedAssociation,
    ids.map((id) => associationKeys.association(owner, id)),
    { consistent: false },
  );
  const byId = new Map(read.filter(isLive).map((one) => [one._id, one]));
  return {
    sellers: sellersOf,
    agencies: (asked) =>
      idsOf(asked)
        .flatMap((id) => byId.get(id) ?? [])
        .filter((one) => asked.npn === undefined || isOfNpn(one, asked.npn)),
    association: (id) => byId.get(id),
  };
}

/** The one of those that fit, or why there is none. */
function only<One>(
  party: Reason['party'],
  fitting: readonly One[],
  words: {
    readonly unknown: { readonly code: Reason['code']; readonly message: string; readonly remedy: string };
    readonly idOf: (one: One) => string;
    readonly idName: string;
  },
): { readonly one?: One; readonly issues: readonly Reason[] } {
  const [one, ...others] = fitting;
  if (one === undefined) return { issues: [{ party, ...words.unknown }] };
  if (others.length === 0) return { one, issues: [] };
  return {
    issues: [
      {
        party,
        code: 'ambiguous',
        message: `Several fit: ${firstNamed(fitting.map(words.idOf))}.`,
        remedy: `Name one of them by ${words.idName}.`,
      },
    ],
  };
}

/** Finds the products that checks name among an organization's. */
export function createProductOf(
  products: readonly Product[],
): (asked: AskedCheck['product']) => readonly Product[] {
  const namedBy = productsNamedBy(products);
  return ({ productId, productCode, productName }) =>
    productId === undefined
      ? namedBy({ productCode, productName })
      : products.filter((one) => one.productId === productId);
}

/** Who and what a check is about (OpenAPI, "May she sell?"). */
export function resolve(
  { seller: askedSeller, agency: askedAgency, product: askedProduct }: AskedCheck,
  named: Named,
  productOf: ReturnType<typeof createProductOf>,
): Resolved {
  const seller = only('seller', named.sellers(askedSeller), {
    unknown: {
      code: 'seller_unknown',
      message: 'The organization has no such agent.',
      remedy: 'Import the agent, or name another one.',
    },
    idOf: ({ _id }) => _id,
    idName: 'agentId',
  });
  const product = only('product', productOf(askedProduct), {
    unknown: {
      code: 'product_unknown',
      message: 'The organization has no such product with a compliance config.',
      remedy: 'Import a compliance config of the product, or name another one.',
    },
    idOf: ({ productId }) => productId,
    idName: 'productId',
  });
  const agency =
    askedAgency === undefined
      ? agencyOfSeller(seller.one, named)
      : namedAgency(named.agencies(askedAgency), seller.one);
  return {
    seller: seller.one === undefined ? null : sellerView(seller.one),
    agency: agency.one === undefined ? null : agencyView(agency.one),
    product:
      product.one === undefined
        ? null
        : { productId: product.one.productId, productName: product.one.productName },
    issues: [...seller.issues, ...agency.issues, ...product.issues],
  };
}

type FoundAgency = { readonly one?: StoredAssociation; readonly issues: readonly Reason[] };

const notAssociated = (message: string, remedy: string): Reason => ({
  party: 'agency',
  code: 'not_associated',
  message,
  remedy,
});

const byAssociation = { idOf: ({ _id }: StoredAssociation) => _id, idName: 'downstreamEntityAssociationId' };

const isInForce = ({ status }: StoredAssociation): boolean => status !== 'inactive';

/** The one association of a seller that is invited or active. */
function agencyOfSeller(seller: SellerLink | undefined, named: Named): FoundAgency {
  if (seller === undefined) return { issues: [] };
  const ids = new Set(seller.downstreamEntityAssociationIds);
  const own = Array.from(ids).flatMap((id) => named.association(id) ?? []);
  return only('agency', own.filter(isInForce), {
    unknown: {
      code: 'not_associated',
      message: 'The agent works under no invited or active association.',
      remedy: 'Record the association that the agent works under.',
    },
    ...byAssociation,
  });
}

/** The association that a check names, and whether its seller works under it. */
function namedAgency(fitting: readonly StoredAssociation[], seller: SellerLink | undefined): FoundAgency {
  const inForce = fitting.filter(isInForce);
  const found = only('agency', inForce.length > 0 ? inForce : fitting, {
    unknown: {
      code: 'agency_unknown',
      message: 'The organization has no such association.',
      remedy: 'Add the agency, or name another one.',
    },
    ...byAssociation,
  });
  const { one } = found;
  if (one === undefined) return found;
  const issues = [
    ...(isInForce(one) ? [] : [notAssociated('The association is inactive.', 'Activate the association.')]),
    ...(seller === undefined || seller.downstreamEntityAssociationIds.includes(one._id)
      ? []
      : [
          notAssociated(
            'The agent does not work under this association.',
            'Record the agent under the association, or name the agency that the agent works for.',
          ),
        ]),
  ];
  return { one, issues };
}

const sellerView = ({ _id, npn, firstName, lastName }: SellerLink): SaleCheck['seller'] => ({
  agentId: _id,
  npn,
  firstName,
  lastName,
});

const agencyView = ({
  _id,
  downstreamEntityId,
  producerCode,
  agency,
}: StoredAssociation): SaleCheck['agency'] => ({
  downstreamEntityAssociationId: _id,
  downstreamEntityId,
  legalName: agency.legalName ?? '',
  producerCode,
  npn: agency.npn,
});
