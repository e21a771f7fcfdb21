import { firstNamed } from '../../platform/contract/primitives.ts';
import type { SellerLink } from '../agents/stored.ts';
import type { StoredAssociation } from '../associations/stored.ts';
import type { productsAmong } from '../compliance/store.ts';
import type { Party } from '../decision/decide.ts';
import { complianceStatusOf } from '../decision/policy.ts';
import { type Reason, ruleOfReason } from '../decision/reasons.ts';
import {
  decideSale,
  goodUntilOf,
  type JudgedOf,
  type SaleParty,
  type SaleQuestion,
} from '../decision/sale.ts';
import type { AskedCheck, SaleCheck } from './resource.ts';
import {
  type DecisionInputs,
  isDecided,
  noWord,
  type OwnWord,
  type Resolved,
  type ResolvedCheck,
} from './sources.ts';

/** The answer of a check that names nobody, or several. */
const undecided = {
  answer: 'unknown',
  complianceStatus: null,
  warnings: [],
  basis: null,
  configBasis: null,
  goodUntil: null,
  verifiedAt: null,
} as const;

/**
 * The answer to a check (OpenAPI, "May she sell?"): pure, so that a receipt can be decided again.
 * @param remember for a caller that asks of many sellers of one agency, as `decideSale`.
 */
export function answerOf(
  check: ResolvedCheck,
  inputs: DecisionInputs,
  remember?: JudgedOf<SaleParty>,
): SaleCheck {
  const { reference, seller, agency, product, company, stateCode, date, isPresent, found, ofToday } = check;
  const answered = { reference, seller, agency, product, company, date };
  const [first, ...others] = product === null ? [] : inputs.configsOf(product.productId);
  if (seller === null || product === null || first === undefined || !isDecided(check)) {
    return { ...answered, ...undecided, warnings: [], reasons: [...found] };
  }
  const { isArchived, authority } = ofToday.seller;
  const [association] = ofToday.agency.associations;
  const isAssociationActive = association?.status === 'active';
  const partyOf = (party: Party, npn: string | null): SaleParty => {
    const coverage = inputs.coverageOf(npn, stateCode);
    const withoutNpn = association?.isNpnRequired === false ? 'not needed' : 'missing';
    return {
      party,
      coverage,
      npn: npn === null ? withoutNpn : undefined,
      ownWord:
        party === 'agent'
          ? { isArchived: isArchived ?? false, authority: authority ?? [] }
          : { isAssociationActive },
      verifiedAt: coverage.verifiedAt(stateCode),
    };
  };
  const question: SaleQuestion = {
    stateCode,
    day: date,
    knownAt: inputs.knownAt,
    today: inputs.today,
    productId: product.productId,
    configs: [first, ...others],
    carrier: inputs.carrier,
    verifiedWithinDays: inputs.verifiedWithinDays,
    company: company === null ? undefined : { naicCode: company.carrierNaicCode },
    agency: agency === null ? undefined : partyOf('agency', agency.npn),
    sellers: [partyOf('agent', seller.npn)],
    found,
  };
  const answer = decideSale(question, remember);
  const { verdict, reasons, warnings, basis, configBasis, verifiedAt } = answer;
  return {
    ...answered,
    answer: verdict,
    complianceStatus: complianceStatusOf[verdict],
    reasons: [...reasons],
    warnings: [...warnings],
    basis: isPresent ? 'current' : basis,
    configBasis,
    goodUntil: goodUntilOf(question, answer, remember),
    verifiedAt,
  };
}

/** What an organization's checks name, as it was found. */
export interface Named {
  readonly sellers: (asked: AskedSeller) => readonly SellerLink[];
  readonly agencies: (asked: AskedAgency) => readonly StoredAssociation[];
  /** Live associations by their ids. */
  readonly association: (associationId: string) => StoredAssociation | undefined;
  /** The name that the catalog of carriers gives a company. */
  readonly companyName: (naicCode: string) => string | undefined;
}

export type AskedSeller = AskedCheck['seller'];
export type AskedAgency = NonNullable<AskedCheck['agency']>;

/** A reason of a check, rather than of a license or an appointment. */
const reasonOf = (reason: Omit<Reason, 'rule'>): Reason => ({ ...reason, rule: ruleOfReason(reason.code) });

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
  if (one === undefined) return { found: [reasonOf({ party, ...words.unknown })] };
  if (others.length === 0) return { one, found: [] };
  return {
    found: [
      reasonOf({
        party,
        code: 'ambiguous',
        message: `Several fit: ${firstNamed(fitting.map(words.idOf))}.`,
        remedy: `Name one of them by ${words.idName}.`,
      }),
    ],
  };
}

/** Who and what a check is about (OpenAPI, "May she sell?"). */
export function resolve(
  { seller: askedSeller, agency: askedAgency, product: askedProduct, carrierNaicCode }: AskedCheck,
  named: Named,
  productOf: ReturnType<typeof productsAmong>,
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
    company:
      carrierNaicCode === undefined
        ? null
        : { carrierNaicCode, name: named.companyName(carrierNaicCode) ?? null },
    found: [...seller.found, ...agency.found, ...product.found],
    ofToday: {
      seller: seller.one === undefined ? noWord : wordOfSeller(seller.one),
      agency: agency.one === undefined ? noWord : wordOfAgency(agency.one),
    },
  };
}

const wordOfSeller = ({
  isArchived,
  authority,
  downstreamEntityAssociationIds: ids,
}: SellerLink): OwnWord => ({
  authority,
  isArchived,
  associations: ids.map((id) => ({
    downstreamEntityAssociationId: id,
    status: null,
    isNpnRequired: null,
  })),
});

const wordOfAgency = ({ _id, status, agency: { isNpnRequired } }: StoredAssociation): OwnWord => ({
  ...noWord,
  associations: [{ downstreamEntityAssociationId: _id, status, isNpnRequired }],
});

type FoundAgency = { readonly one?: StoredAssociation; readonly found: Found };

const byAssociation = { idOf: ({ _id }: StoredAssociation) => _id, idName: 'downstreamEntityAssociationId' };

/** The active ones of several that fit, or all where none is active. */
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
        reasonOf({
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
      reasonOf({
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
  legalName: agency.legalName,
  producerCode,
  npn: agency.npn,
});
