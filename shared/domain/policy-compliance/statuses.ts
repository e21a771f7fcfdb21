// The compliance of policies and sales: by their product's requirements, today, on the effective date, and at the sale.
import * as z from 'zod/mini';
import { firstNamed } from '#platform/contract/primitives.ts';
import { valueByKey } from '#platform/data/caches.ts';
import { allOf, atLeast, atMost, startsWith } from '#platform/data/expressions.ts';
import type { Query } from '#platform/data/query-pages.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import { type CalendarDate, newYorkDate } from '#platform/dates/dates.ts';
import type { CarrierCatalog } from '../carriers/catalog.ts';
import type { Moment } from '../compliance/moment.ts';
import type { DecisionSources } from '../compliance/sources.ts';
import { type CarrierOfNow, type Product, type ProductConfig, productsAmong } from '../compliance/store.ts';
import type { CodeInCatalog } from '../decision/carrier.ts';
import { knownOn, laterOf, writtenDate } from '../decision/dates.ts';
import type { Answer } from '../decision/decide.ts';
import { type Warning, warningOf } from '../decision/reasons.ts';
import {
  complianceStatusOf,
  type PolicyAnswer,
  rememberingPolicies,
  type SaleParty,
} from '../decision/sale.ts';
import { comparable } from '../identifiers/identifiers.ts';
import { policy, policySellers } from '../policies/resource.ts';
import {
  agencySort,
  policyPartitions,
  type StoredSale,
  storedSale,
  storedTerms,
} from '../policies/stored.ts';
import type { Parties, Seller, Sold } from './parties.ts';
import type { bookQuery } from './resource.ts';

/**
 * Fields of a policy that decide its verdict: whose it is, the product that matching or a person decided on, who sold it, who
 * writes it, and its latest sale.
 */
const matchedPolicy = storedItem('policies/policy-of-agency', {
  ...z.pick(policy, {
    _id: true,
    policyNumber: true,
    currentStatus: true,
    effectiveDate: true,
    expiryDate: true,
  }).shape,
  ...z.omit(storedSale, { soldOn: true, downstreamEntityId: true }).shape,
  ...storedTerms.shape,
  sellers: z.optional(policySellers),
  /** The New or the Renewal that began the latest term. */
  sale: z.optional(storedSale),
});

export type MatchedPolicy = z.output<typeof matchedPolicy>;

/** Filters of policies; they combine. Both days are included. */
type PolicyFilters = Pick<z.output<typeof bookQuery>, 'stateCode' | 'effectiveFrom' | 'effectiveUntil'>;

/**
 * Filter by which DynamoDB leaves out what it has read: 150 units for a thousand policies, and nothing is sent or parsed. In the
 * index of states, policies are in no agency's order, so that every page would read other agencies and agents again.
 */
function filterOf({ stateCode, effectiveFrom, effectiveUntil }: PolicyFilters): Pick<Query, 'filter'> {
  const filter = allOf(
    stateCode === undefined ? undefined : { riskStateCode: stateCode },
    effectiveFrom === undefined ? undefined : { effectiveDate: atLeast(effectiveFrom) },
    // A time of a day is its date and more, of which nothing comes after a tilde.
    effectiveUntil === undefined ? undefined : { effectiveDate: atMost(`${effectiveUntil}~`) },
  );
  return filter === undefined ? {} : { filter };
}

/** Policies, or sales, read at once; see the policies' store. */
export const policiesAtOnce = 500;

/** Reads one carrier's live policies, agency by agency. */
export function createPoliciesByAgency(policies: Table<'by-agency'>) {
  const read = (owner: string, selection: Pick<Query, 'sort' | 'filter'>) =>
    policies.query(matchedPolicy, policyPartitions.all(owner), {
      index: 'by-agency',
      limit: policiesAtOnce,
      only: ['pk', 'sk', ...Object.keys(matchedPolicy.shape)],
      ...selection,
    });
  return {
    /** Every policy that passes the filters, once; those of agency relationships come first, those of nobody last. */
    all: (owner: string, filters: PolicyFilters) => read(owner, filterOf(filters)),

    /** Policies of an agency relationship, by number: first those that name it, then those that name none and have the NPN. */
    async *ofAgency(
      owner: string,
      { associationId, npn }: { readonly associationId: string; readonly npn: string | null },
    ) {
      yield* read(owner, { sort: startsWith(agencySort({ associationId })) });
      if (npn !== null) yield* read(owner, { sort: startsWith(agencySort({ npn })) });
    },
  };
}

/** Fields that name the product of a policy. */
type PolicyOfProduct = Pick<MatchedPolicy, 'productId' | 'productCode' | 'productName'>;

/** A policy or a sale with the days on which it is judged, beside the one that is asked about. */
export interface DatedSold {
  readonly sold: Sold;
  readonly days: readonly CalendarDate[];
}

export const datedSale = (sale: StoredSale): DatedSold[] => [{ sold: sale, days: [sale.soldOn] }];

/** A policy, and its latest sale: who sold it is judged for its effective date, too. */
export function datedPolicy(policy: MatchedPolicy): DatedSold[] {
  const { effectiveDate, sale } = policy;
  const days = effectiveDate === undefined ? [] : [writtenDate(effectiveDate)];
  if (sale === undefined) return [{ sold: policy, days }];
  return [
    { sold: policy, days: [] },
    { sold: sale, days: [...days, sale.soldOn] },
  ];
}

/** The configs that may apply to a policy: that of the product that was decided on, else those that its fields name. */
export type ConfigsOf = (policy: PolicyOfProduct) => readonly ProductConfig[];

/** Context that all policies of a page share. */
export interface PoliciesContext {
  readonly moment: Moment;
  readonly today: CalendarDate;
  readonly carrier: CarrierOfNow;
  readonly configsOf: ConfigsOf;
  /** Undefined where no policy of the page names its company by name alone. */
  readonly codeInCatalog: CodeInCatalog | undefined;
  readonly decide: ReturnType<typeof rememberingPolicies<SaleParty>>;
}

/**
 * Reads what decides pages of policies: the carrier and its products once, and of each page the configs, on the day that is asked
 * about and on those on which its policies are judged. The catalog of carriers is read only for policies that name their company
 * by name alone.
 */
export async function contextsOfPages(
  {
    complianceConfigs,
    carrierIdentityOf,
    carriers,
  }: DecisionSources & { readonly carriers: Pick<CarrierCatalog, 'codeOfName'> },
  owner: string,
  moment: Moment,
  now: Date,
): Promise<(sold: readonly DatedSold[]) => Promise<PoliciesContext>> {
  const [products, carrier] = await Promise.all([
    complianceConfigs.products(owner, now),
    carrierIdentityOf(owner),
  ]);
  const productsOf = productsAmong(products);
  return async (page) => {
    const isByName = page.some(
      ({ sold: { carrierName, carrierNaicCode } }) =>
        carrierName !== undefined && comparable(carrierNaicCode) === '',
    );
    const asked = page.flatMap(({ sold, days }) =>
      productsOf(sold).map(({ head }) => ({ head, days: [moment.day, ...days] })),
    );
    const [versions, codeInCatalog] = await Promise.all([
      complianceConfigs.versions(owner, asked, moment.knownAt),
      isByName ? carriers.codeOfName() : undefined,
    ]);
    const configOf = (product: Product): ProductConfig[] => {
      const configVersions = versions.get(product.productId);
      return configVersions === undefined ? [] : [{ ...product, versions: configVersions }];
    };
    return {
      moment,
      today: newYorkDate(now),
      carrier,
      configsOf: (policy) => productsOf(policy).flatMap(configOf),
      codeInCatalog,
      decide: rememberingPolicies(),
    };
  };
}

/** The product that a policy is of, where that is clear. */
export function productOf(policy: PolicyOfProduct, configsOf: ConfigsOf) {
  const [config, ...otherConfigs] = configsOf(policy);
  const clearConfig = otherConfigs.length === 0 ? config : undefined;
  return {
    productId: clearConfig?.productId ?? null,
    productName: clearConfig?.productName ?? null,
  };
}

/** A policy as rows name it, and its product. */
export const ofPolicyOf = (policy: MatchedPolicy, { configsOf }: PoliciesContext) => ({
  policyId: policy._id,
  policyNumber: policy.policyNumber,
  stateCode: policy.riskStateCode,
  ...productOf(policy, configsOf),
});

/**
 * Decides about a policy or a sale on a day, with some of its agents; without an agency where that is not known.
 * @param saleSeenOn of a sale: the day on which it is judged who was to be appointed by then, and was.
 */
function decidedOn(
  day: CalendarDate,
  judgedSellers: readonly SaleParty[],
  { policy, agency, sellers }: Parties<Sold>,
  { moment, today, carrier, configsOf, codeInCatalog, decide }: PoliciesContext,
  saleSeenOn?: CalendarDate,
): PolicyAnswer {
  const { riskStateCode: stateCode, carrierNaicCode: naicCode, carrierName: name } = policy;
  const { agentIds = [], isUnknown = false } = policy.sellers ?? {};
  const named = judgedSellers.length > 0 ? 'one' : 'nobody';
  return decide({
    stateCode,
    day,
    today,
    knownAt: moment.knownAt,
    carrier,
    company: { naicCode, name },
    codeInCatalog,
    saleSeenOn,
    products: configsOf(policy).map(({ productId, versions }) => ({ productId, configs: versions })),
    agency: agency?.party,
    sellers: judgedSellers,
    named: isUnknown || sellers.length < agentIds.length ? 'unknown' : named,
    policiesNameAgents: carrier.policiesNameAgents,
  });
}

/** Whether the agency has an agent now, at any branch. */
const hasSeller =
  ({ agency, branchIds }: Parties<Sold>) =>
  (seller: Seller): boolean =>
    seller.associationIds.some((id) => id === agency?.associationId || branchIds?.has(id));

/** Warns of an agency whose association is not active, and of agents whom it does not have (OpenAPI, "May she sell?"). */
export function associationWarnings(parties: Parties<Sold>): Warning[] {
  if (parties.agency === undefined) return [];
  const { riskStateCode: stateCode } = parties.policy;
  const formerSellers = parties.sellers.filter((seller) => !hasSeller(parties)(seller));
  const subjects = [
    ...(parties.agency.isActive ? [] : [{ party: 'agency', stateCode } as const]),
    ...formerSellers.map(({ name }) => ({ party: 'seller', name, stateCode }) as const),
  ];
  return subjects.map((subject) => warningOf(subject, { code: 'association_of_today' }));
}

const copies = new WeakMap<Seller, SaleParty>();

/**
 * The seller without what the carrier states of it now, which concerns the present status alone. It is the same copy each time,
 * since judgments are remembered by object.
 */
const withoutOwnWord = (seller: Seller): SaleParty =>
  valueByKey(copies, seller, () => ({ ...seller, ownWord: undefined }));

type PartyStatus = Pick<Answer, 'verdict' | 'licenseStatus' | 'appointmentStatus' | 'basis'>;

/** Status of a party, or of all together, as rows have it. */
const partyStatusOf = ({ verdict, licenseStatus, appointmentStatus, basis }: PartyStatus) => ({
  complianceStatus: complianceStatusOf[verdict],
  licenseStatus,
  appointmentStatus,
  basis,
});

/** Decides about a sale on its day. */
export function answerForSale(sale: Parties<StoredSale>, context: PoliciesContext): PolicyAnswer {
  const { soldOn } = sale.policy;
  // What a carrier says of its agents now is no more than a warning about a sale of before.
  const sellers = soldOn < context.today ? sale.sellers : sale.sellers.map(withoutOwnWord);
  return decidedOn(soldOn, sellers, sale, context, laterOf(soldOn, knownOn(context.moment.knownAt)));
}

/** The status of a sale on its day, for who sold it. */
export function statusOfSale(sale: Parties<StoredSale>, answer: PolicyAnswer, context: PoliciesContext) {
  const isAnybody = sale.agency !== undefined || sale.sellers.length > 0;
  const status = shownStatus(answer, sale, context, false);
  return {
    soldOn: sale.policy.soldOn,
    ...status,
    licenseStatus: isAnybody ? status.licenseStatus : null,
    appointmentStatus: isAnybody ? status.appointmentStatus : null,
    basis: isAnybody ? status.basis : ('registry dates' as const),
  };
}

/** The status of a policy on the day of its latest sale; null where there is none. */
export const atSaleOf = (sale: Parties<StoredSale> | undefined, context: PoliciesContext) =>
  sale === undefined ? null : statusOfSale(sale, answerForSale(sale, context), context);

/** The agents of an answer as rows show them, each with their own status. */
const shownSellers = ({ sellers: answers }: PolicyAnswer, { policy, sellers }: Parties<Sold>) =>
  answers.flatMap((answer, index) => {
    const seller = sellers[index];
    if (seller === undefined) return [];
    const { agentId, holderNpn: npn, firstName, lastName, coverage } = seller;
    const [license, ...otherLicenses] = coverage.get(policy.riskStateCode)?.licenses ?? [];
    // Where none counts, that of the only license there.
    const onlyLicense = otherLicenses.length === 0 ? license?.said.at(-1)?.row.source : undefined;
    const { licenseNumber = null } = answer.covering.licenses[0] ?? onlyLicense ?? {};
    return { agentId, npn, firstName, lastName, licenseNumber, ...partyStatusOf(answer) };
  });

/** Status of an answer as rows show it. */
function shownStatus(
  answer: PolicyAnswer,
  parties: Parties<Sold>,
  { configsOf }: PoliciesContext,
  isPresent: boolean,
) {
  const basis = isPresent ? ({ basis: 'current' } as const) : {};
  return {
    ...partyStatusOf(answer),
    ...basis,
    licenseStatus: withAmbiguity(answer.licenseStatus, configsOf(parties.policy)),
    configBasis: answer.configBasis,
    agents: shownSellers(answer, parties).map((agent) => ({ ...agent, ...basis })),
  };
}

/**
 * The statuses of a policy: on the day that is asked about, with its warnings; and, for who sold it last, on the day that it takes
 * effect and on that of the sale.
 * @param sale its latest sale; undefined where there is none: then the policy's own parties are judged for the effective date.
 */
export function judgedPolicy(
  parties: Parties<MatchedPolicy>,
  sale: Parties<StoredSale> | undefined,
  context: PoliciesContext,
) {
  const { moment, today } = context;
  const { effectiveDate } = parties.policy;
  // The present status is that of the agency, and of those whom it still has.
  const servicing = { ...parties, sellers: parties.sellers.filter(hasSeller(parties)) };
  const present = decidedOn(moment.day, servicing.sellers, parties, context);
  const sold = sale ?? parties;
  const sellers = sold.sellers.map(withoutOwnWord);
  const atDate = (effectiveTime: string) => {
    const writtenOn = writtenDate(effectiveTime);
    const answer = decidedOn(writtenOn, sellers, sold, context);
    return {
      effectiveDate: effectiveTime,
      ...shownStatus(answer, sold, context, moment.isPresent && writtenOn > today),
    };
  };
  return {
    ...shownStatus(present, servicing, context, moment.isPresent),
    atEffectiveDate: effectiveDate === undefined ? null : atDate(effectiveDate),
    atSale: atSaleOf(sale, context),
    warnings: [...present.warnings, ...associationWarnings(parties)],
  };
}

/** Names the products that a policy may be of, where it is not clear which. */
function withAmbiguity<Status extends { readonly statusMessages?: readonly string[] }>(
  status: Status,
  configs: readonly ProductConfig[],
) {
  if (configs.length < 2) return status;
  const products = firstNamed(configs.map(({ productId, productName }) => `${productName} (${productId})`));
  const message = `The policy may be of several products, of which the strictest counts: ${products}.`;
  return { ...status, statusMessages: [...(status.statusMessages ?? []), message] };
}
