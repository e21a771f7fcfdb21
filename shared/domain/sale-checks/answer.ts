// Sale checks: what they name, what they are answered from, and their answers.

import * as z from 'zod/mini';
import { firstNamed, objectId } from '#platform/contract/primitives.ts';
import type { CalendarDate } from '#platform/dates/dates.ts';
import { agentAuthority } from '../agents/resource.ts';
import type { SellerLink } from '../agents/stored.ts';
import { association } from '../associations/resource.ts';
import type { StoredAssociation } from '../associations/stored.ts';
import type { CoverageIn } from '../compliance/sources.ts';
import type { CarrierOfNow, Product, productsAmong } from '../compliance/store.ts';
import type { CarrierIdentity } from '../decision/carrier.ts';
import type { ConfigVersion } from '../decision/compliance-config.ts';
import type { Party } from '../decision/decide.ts';
import { isAgainst, type Reason, reasonOf, ruleOfReason } from '../decision/reasons.ts';
import {
  complianceStatusOf,
  decideSale,
  goodUntilOf,
  type JudgmentOf,
  type SaleParty,
  type SaleQuestion,
} from '../decision/sale.ts';
import type { License } from '../registry/resources.ts';
import type { AskedCheck, SaleCheck } from './resource.ts';

/** An association of a party as it was; what a seller's other ones are is not asked. */
export const associationSource = z.object({
  downstreamEntityAssociationId: objectId,
  status: z.nullable(association.shape.status),
  isNpnRequired: z.nullable(z.boolean()),
});

/** The carrier's own word about a party, which has no history. */
export const ownWord = z.object({
  authority: z.nullable(z.array(agentAuthority)),
  isArchived: z.nullable(z.boolean()),
  associations: z.array(associationSource),
});

export type OwnWord = z.output<z.ZodMiniObject<typeof ownWord.shape>>;

/** Nobody to say something of. */
export const noWord: OwnWord = { authority: null, isArchived: null, associations: [] };

/** Parties and product of a check, as far as they are on record. */
export interface ResolvedNames extends Pick<SaleCheck, 'seller' | 'agency' | 'product' | 'company'> {
  /** Reasons that follow from the names alone: unknown, ambiguous, or not associated. */
  readonly found: readonly Reason[];
  readonly ofToday: { readonly seller: OwnWord; readonly agency: OwnWord };
}

export interface ResolvedCheck extends ResolvedNames, Pick<SaleCheck, 'reference' | 'date'> {
  readonly stateCode: License['stateCode'];
  /** Whether neither a day nor a moment was asked for. */
  readonly isPresent: boolean;
}

/** Inputs that decide a check whose seller and product are on record. */
export interface DecisionInputs {
  /** ISO time in UTC of the knowledge that counts. */
  readonly knownAt: string;
  /** The day on which it is asked. */
  readonly today: CalendarDate;
  readonly carrier: CarrierIdentity & Pick<CarrierOfNow, 'verifiedWithinDays'>;
  readonly coverageOf: CoverageIn;
  readonly configsOf: (productId: string) => readonly ConfigVersion[];
}

/** Whether checks are to be decided at all. */
export const isDecided = ({ seller, product, found }: ResolvedNames): boolean =>
  seller !== null && product !== null && found.every(isAgainst);

/** The holders that checks are decided by. */
export const holdersOf = (checks: readonly (ResolvedNames & Pick<ResolvedCheck, 'stateCode'>)[]) =>
  checks
    .filter(isDecided)
    .flatMap(({ seller, agency, stateCode }) =>
      [seller, agency].map((holder) => ({ npn: holder?.npn ?? null, stateCode })),
    );

/** The answer of a check that names nobody, or several. */
const undecidedAnswer = {
  answer: 'unknown',
  complianceStatus: null,
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
  remember?: JudgmentOf<SaleParty>,
): SaleCheck {
  const { reference, seller, agency, product, company, stateCode, date, isPresent, found, ofToday } = check;
  const identityFields = { reference, seller, agency, product, company, date };
  const [first, ...otherConfigs] = product === null ? [] : inputs.configsOf(product.productId);
  if (seller === null || product === null || first === undefined || !isDecided(check)) {
    return { ...identityFields, ...undecidedAnswer, reasons: [...found], warnings: [] };
  }
  const { isArchived, authority } = ofToday.seller;
  const [association] = ofToday.agency.associations;
  // What the carrier says now of the agency and its agents is a warning about an earlier day.
  const isElsewhereToday =
    date < inputs.today && agency !== null && found.some(({ code }) => code === 'not_associated');
  const isAssociationActive = association?.status === 'active' && !isElsewhereToday;
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
    configs: [first, ...otherConfigs],
    carrier: inputs.carrier,
    verifiedWithinDays: inputs.carrier.verifiedWithinDays,
    company: company === null ? undefined : { naicCode: company.carrierNaicCode },
    agency: agency === null ? undefined : partyOf('agency', agency.npn),
    sellers: [partyOf('agent', seller.npn)],
    found: isElsewhereToday ? found.filter(({ code }) => code !== 'not_associated') : found,
  };
  const answer = decideSale(question, remember);
  const { verdict, reasons, warnings, basis, configBasis, verifiedAt } = answer;
  return {
    ...identityFields,
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

/** Parties that an organization's checks name, as they are on record. */
export interface NamedParties {
  readonly sellers: (names: AskedSeller) => readonly SellerLink[];
  readonly agencies: (names: AskedAgency) => readonly StoredAssociation[];
  /** Live associations by their ids. */
  readonly association: (associationId: string) => StoredAssociation | undefined;
  /** The name that the catalog of carriers gives a company. */
  readonly companyName: (naicCode: string) => string | undefined;
}

export type AskedSeller = AskedCheck['seller'];
export type AskedAgency = NonNullable<AskedCheck['agency']>;

type FoundReasons = ResolvedNames['found'];

/** A reason that is worded here, rather than by the decision. */
const because = (
  party: Reason['party'],
  code: 'not_associated' | 'ambiguous',
  message: string,
  remedy: string,
): FoundReasons => [{ party, code, rule: ruleOfReason(code), message, remedy }];

/** The only match, or why there is none. @param idName the name by which one of several is to be chosen. */
function onlyMatch<One>(
  party: 'seller' | 'agency' | 'product',
  stateCode: string,
  fitting: readonly One[],
  idName: string,
  idOf: (match: One) => string,
): { readonly match?: One; readonly found: FoundReasons } {
  const [match, ...otherMatches] = fitting;
  if (match === undefined) {
    return { found: [reasonOf({ party, stateCode }, 'license', { code: `${party}_unknown` })] };
  }
  if (otherMatches.length === 0) return { match, found: [] };
  const message = `Several fit: ${firstNamed(fitting.map(idOf))}.`;
  return { found: because(party, 'ambiguous', message, `Name one of them by ${idName}.`) };
}

/** The association that a check names, else the one of its seller; of several the one that is active. */
function agencyOf(
  { agency: askedAgency, stateCode }: AskedCheck,
  seller: SellerLink | undefined,
  namedParties: NamedParties,
): { readonly match?: StoredAssociation; readonly found: FoundReasons } {
  if (askedAgency === undefined && seller === undefined) return { found: [] };
  const ownIds = new Set(seller?.downstreamEntityAssociationIds);
  const fitting =
    askedAgency === undefined
      ? Array.from(ownIds).flatMap((id) => namedParties.association(id) ?? [])
      : namedParties.agencies(askedAgency);
  if (askedAgency === undefined && fitting.length === 0) {
    const remedy = 'Record the association that the agent works under.';
    return { found: because('agency', 'not_associated', 'The agent works under no association.', remedy) };
  }
  const active = fitting.filter(({ status }) => status === 'active');
  const agency = onlyMatch(
    'agency',
    stateCode,
    active.length === 0 ? fitting : active,
    'downstreamEntityAssociationId',
    ({ _id }) => _id,
  );
  const { match } = agency;
  if (match === undefined || seller === undefined || ownIds.has(match._id)) return agency;
  const isAtBranch = Array.from(ownIds, namedParties.association).some(
    (own) => own?.status === 'active' && own.downstreamEntityId === match.downstreamEntityId,
  );
  if (isAtBranch) return agency;
  const found = because(
    'agency',
    'not_associated',
    'The agent does not work under this association.',
    'Record the agent under the association, or name the agency that the agent works for.',
  );
  return { ...agency, found };
}

/** Resolves the parties and the product of a check (OpenAPI, "May she sell?"). */
export function resolve(
  check: AskedCheck,
  namedParties: NamedParties,
  productsOf: ReturnType<typeof productsAmong>,
): ResolvedNames {
  const { carrierNaicCode, stateCode } = check;
  const seller = onlyMatch(
    'seller',
    stateCode,
    namedParties.sellers(check.seller),
    'agentId',
    ({ _id }) => _id,
  );
  const product = onlyMatch(
    'product',
    stateCode,
    productsOf(check.product),
    'productId',
    ({ productId }) => productId,
  );
  const agency = agencyOf(check, seller.match, namedParties);
  const [agent, association] = [seller.match, agency.match];
  return {
    seller: agent === undefined ? null : sellerView(agent),
    agency: association === undefined ? null : agencyView(association),
    product: product.match === undefined ? null : productView(product.match),
    company:
      carrierNaicCode === undefined
        ? null
        : { carrierNaicCode, name: namedParties.companyName(carrierNaicCode) ?? null },
    found: [...seller.found, ...agency.found, ...product.found],
    ofToday: {
      seller: agent === undefined ? noWord : wordOfSeller(agent),
      agency: association === undefined ? noWord : wordOfAgency(association),
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
  associations: ids.map((id) => ({ downstreamEntityAssociationId: id, status: null, isNpnRequired: null })),
});

const wordOfAgency = ({ _id, status, agency: { isNpnRequired } }: StoredAssociation): OwnWord => ({
  ...noWord,
  associations: [{ downstreamEntityAssociationId: _id, status, isNpnRequired }],
});

const sellerView = ({ _id: agentId, npn, firstName, lastName }: SellerLink): SaleCheck['seller'] => ({
  agentId,
  npn,
  firstName,
  lastName,
});

const agencyView = (association: StoredAssociation): SaleCheck['agency'] => {
  const { _id: downstreamEntityAssociationId, downstreamEntityId, producerCode, agency } = association;
  const { legalName, npn } = agency;
  return { downstreamEntityAssociationId, downstreamEntityId, legalName, producerCode, npn };
};

const productView = ({ productId, productName }: Product): SaleCheck['product'] => ({
  productId,
  productName,
});
