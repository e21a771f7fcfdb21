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
import { ownerOfNaicCode, storedCarrier } from '../../shared/domain/carriers/stored.ts';
import { carrierKeys } from '../../shared/domain/carriers/table.ts';
import type { Product } from '../../shared/domain/compliance/store.ts';
import { productsNamedBy } from '../../shared/domain/decision/products.ts';
import type { Reason } from '../../shared/domain/decision/reasons.ts';
import type { Resolved } from '../../shared/domain/sale-checks/material.ts';
import type { AskedCheck, SaleCheck } from '../../shared/domain/sale-checks/resource.ts';
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
  /** The name that the catalog of carriers gives a company. */
  readonly companyName: (naicCode: string) => string | undefined;
}

type AskedSeller = AskedCheck['seller'];
type AskedAgency = NonNullable<AskedCheck['agency']>;

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

/** A reason of a check, rather than of a license or an appointment. */
const reasonOf = (
  kind: Reason['kind'],
  { party, code, message, remedy }: Pick<Reason, 'party' | 'code' | 'message' | 'remedy'>,
) => ({ party, code, message, remedy, kind, of: 'sale' as const });

type Found = Resolved['found'];

/** The one of those that fit, or why there is none. */
function only<One>(
  party: Reason['party'],
  fitting: readonly One[],
  words: {
    readonly unknown: Pick<Reason, 'code' | 'message' | 'remedy'>;
    readonly idOf: (one: One) => string;
    readonly idName: string;
  },
): { readonly one?: One; readonly found: Found } {
  const [one, ...others] = fitting;
  if (one === undefined) return { found: [reasonOf('not known', { party, ...words.unknown })] };
  if (others.length === 0) return { one, found: [] };
  return {
    found: [
      reasonOf('not known', {
        party,
        code: 'ambiguous',
        message: `Several fit: ${firstNamed(fitting.map(words.idOf))}.`,
        remedy: `Name one of them by ${words.idName}.`,
      }),
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
  { seller: askedSeller, agency: askedAgency, product: askedProduct, carrierNaicCode }: AskedCheck,
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
  const { isArchived = false, authority = [] } = seller.one ?? {};
  return {
    seller: seller.one === undefined ? null : sellerView(seller.one),
    agency: agency.one === undefined ? null : agencyView(agency.one),
    product:
      product.one === undefined
        ? null
        : { productId: product.one.productId, productName: product.one.productName },
    company:
      carrierNaicCode === undefined
        ? null
        : { carrierNaicCode, name: named.companyName(carrierNaicCode) ?? null },
    found: [...seller.found, ...agency.found, ...product.found],
    ofToday: {
      isArchived,
      authority: authority.filter(
        ({ upstreamEntityProductId }) => upstreamEntityProductId === product.one?.productId,
      ),
      isAssociationActive: agency.one?.status === 'active',
      isNpnRequired: agency.one?.agency.isNpnRequired ?? true,
    },
  };
}

type FoundAgency = { readonly one?: StoredAssociation; readonly found: Found };

const byAssociation = { idOf: ({ _id }: StoredAssociation) => _id, idName: 'downstreamEntityAssociationId' };

/** Of several that fit, those that are active. */
function activeAmong(associations: readonly StoredAssociation[]): readonly StoredAssociation[] {
  const active = associations.filter(({ status }) => status === 'active');
  return active.length === 0 ? associations : active;
}

/** The one association of a seller; of several the one that is active. */
function agencyOfSeller(seller: SellerLink | undefined, named: Named): FoundAgency {
  if (seller === undefined) return { found: [] };
  const ids = new Set(seller.downstreamEntityAssociationIds);
  const own = Array.from(ids).flatMap((id) => named.association(id) ?? []);
  if (own.length === 0) {
    return {
      found: [
        reasonOf('against', {
          party: 'agency',
          code: 'not_associated',
          message: 'The agent works under no association.',
          remedy: 'Record the association that the agent works under.',
        }),
      ],
    };
  }
  return only('agency', activeAmong(own), { unknown: agencyUnknown, ...byAssociation });
}

const agencyUnknown = {
  code: 'agency_unknown',
  message: 'The organization has no such association.',
  remedy: 'Add the agency, or name another one.',
} as const;

/** The association that a check names, and whether its seller works under it. */
function namedAgency(fitting: readonly StoredAssociation[], seller: SellerLink | undefined): FoundAgency {
  const found = only('agency', activeAmong(fitting), { unknown: agencyUnknown, ...byAssociation });
  const { one } = found;
  if (one === undefined || seller === undefined || seller.downstreamEntityAssociationIds.includes(one._id))
    return found;
  return {
    one,
    found: [
      reasonOf('against', {
        party: 'agency',
        code: 'not_associated',
        message: 'The agent does not work under this association.',
        remedy: 'Record the agent under the association, or name the agency that the agent works for.',
      }),
    ],
  };
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
