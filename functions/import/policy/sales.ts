import { associationKeys, associationsOfEntity } from '#domain/associations/stored.ts';
import { comparableName } from '#domain/identifiers/comparable-names.ts';
import { comparable, comparableNpn } from '#domain/identifiers/identifiers.ts';
import {
  type AgencyReference,
  agencySort,
  beginsTerm,
  type StoredSale,
  soldOnOf,
} from '#domain/policies/keys.ts';
import type { Policy, PolicySellers } from '#domain/policies/resource.ts';
import type { Tables } from '#domain/tables.ts';
import { isDeepStrictEqual } from '#platform/data/json.ts';
import { readAgentsOf } from '../matching/agents.ts';
import { given } from '../matching/decide.ts';
import { hasAgentEvidence, type Matching } from '../matching/matching.ts';
import type { PolicyDraft } from './policy.ts';
import { isNewer, namesAnyAgency, namesAnyAgent, namesAnyProduct, newestOf } from './sources.ts';
import { type StoredTransaction, unmatchedStatuses } from './stored.ts';

/** What a sale takes from an earlier transaction where its own does not name it. */
const inherited = {
  agency: namesAnyAgency,
  agents: namesAnyAgent,
  product: (one: StoredTransaction) => one.confirmedProductId !== undefined || namesAnyProduct(one),
  company: ({ carrierNaicCode, carrierName }: StoredTransaction) =>
    (given(carrierNaicCode, comparable) ?? given(carrierName)) !== undefined,
};

type Inherited = keyof typeof inherited;

const inheritedNames = Object.keys(inherited) as Inherited[];

/** Whether it is not known of a sale who made it, or of what: it may be later. */
export const isOpenSale = (sale: StoredSale | undefined): boolean =>
  sale !== undefined &&
  (sale.productId === undefined ||
    sale.sellers.agentIds.length === 0 ||
    unmatchedStatuses.includes(sale.entityMatchStatus));

/** Whether two transactions name insureds, and other ones. */
function haveOtherInsureds(one: StoredTransaction, other: StoredTransaction): boolean {
  const [name, otherName] = [one, other].map(({ insuredEntityName }) =>
    given(insuredEntityName, comparableName),
  );
  return name !== undefined && otherName !== undefined && name !== otherName;
}

const isSale = (one: StoredTransaction): boolean => beginsTerm(one) && !one.isDeleted;

interface Resolving {
  readonly owner: string;
  readonly matching: Matching;
  readonly tables: Tables<'agents' | 'associations'>;
}

/**
 * Resolves the sales of a policy that were written, or inherit from a transaction that was (OpenAPI, "Sales"); of a deleted policy
 * there are none.
 * @param all the policy's transactions.
 * @returns the transactions whose sales change; the draft has them, too.
 */
export async function resolveSales(
  draft: PolicyDraft,
  all: readonly StoredTransaction[],
  isDeleted: boolean,
  resolving: Resolving,
): Promise<StoredTransaction[]> {
  const changed: StoredTransaction[] = [];
  const hasTurned = draft.before !== undefined && draft.before.isDeleted !== isDeleted;
  for (const one of all) {
    if (!beginsTerm(one) && one.sale === undefined) continue;
    const sources = inheritedNames.flatMap((name) => one.saleSources?.[name] ?? []);
    const isConcerned =
      [one._id, ...sources].some((id) => draft.written.has(id)) || draft.reopened.has(one._id);
    if (!hasTurned && !isConcerned) continue;
    const known = { sale: one.sale, saleSources: one.saleSources };
    const isLive = isSale(one) && !isDeleted;
    const resolved = isLive ? await saleOf(one, all, draft, resolving) : { ...known, sale: undefined };
    if (isDeepStrictEqual(resolved, known)) continue;
    const after = { ...one, ...resolved };
    draft.transactions.set(one._id, after);
    changed.push(after);
  }
  return changed;
}

/** The sale that a transaction is, and whence it has what its own transaction does not say. */
async function saleOf(
  one: StoredTransaction,
  all: readonly StoredTransaction[],
  draft: PolicyDraft,
  { owner, matching, tables }: Resolving,
): Promise<Pick<StoredTransaction, 'sale' | 'saleSources'>> {
  // What is imported later and dated earlier changes nothing, unless the sale is to be resolved by it.
  const isReopened = draft.reopened.has(one._id);
  const until = (isReopened ? undefined : one.saleSources?.until) ?? draft.lastOrdinal;
  const earlier = all.filter((other) => !other.isDeleted && other.ordinal <= until && isNewer(one, other));
  const sourceOf = (name: Inherited): StoredTransaction => {
    if (inherited[name](one)) return one;
    const naming = earlier.filter(inherited[name]);
    const ofInsured = naming.filter((other) => !haveOtherInsureds(one, other));
    if (ofInsured.length < naming.length) draft.ofOtherInsured.add(one._id);
    return newestOf(ofInsured) ?? one;
  };
  const [agency, agents, ofProduct, company] = [
    sourceOf('agency'),
    sourceOf('agents'),
    sourceOf('product'),
    sourceOf('company'),
  ];
  const { productCode, productName, confirmedProductId } = ofProduct;
  const productId =
    confirmedProductId ?? (await matching.products(ofProduct))({ productCode, productName }).productId;
  const sale: StoredSale = {
    soldOn: soldOnOf(one),
    riskStateCode: one.riskStateCode,
    entityMatchStatus: agency.entityMatchStatus,
    agencySort: agencySort(agencyReferenceOf(agency, agency.upstreamDownstreamAssociationId)),
    sellers: await sellersOfSale(one, agency, agents, owner, tables),
    productId,
    productCode,
    productName,
    carrierName: company.carrierName,
    carrierNaicCode: company.carrierNaicCode,
  };
  const sources = { agency: agency._id, agents: agents._id, product: ofProduct._id, company: company._id };
  const known = { ...one.saleSources, ...sources };
  const isSame = isDeepStrictEqual(defined(sale), one.sale) && isDeepStrictEqual(known, one.saleSources);
  return { sale: defined(sale), saleSources: isSame ? one.saleSources : { until, ...sources } };
}

/** Without members that are undefined, as it will be read again. */
const defined = <One extends object>(one: One): One =>
  Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined)) as One;

/** A renewal inherits no agent that has left the agency; the agents that it was once resolved to stay. */
async function sellersOfSale(
  one: StoredTransaction,
  { downstreamEntityId, upstreamDownstreamAssociationId, entityMatchStatus }: StoredTransaction,
  agents: StoredTransaction,
  owner: string,
  tables: Tables<'agents' | 'associations'>,
): Promise<PolicySellers> {
  const sellers = sellersOf(agents);
  const isKnown = !unmatchedStatuses.includes(entityMatchStatus);
  if (agents === one || one.policyTransactionType !== 'Renewal' || !isKnown) return sellers;
  if (upstreamDownstreamAssociationId === undefined || sellers.agentIds.length === 0) return sellers;
  const keys = downstreamEntityId === undefined ? [] : [associationKeys.ofEntity(owner, downstreamEntityId)];
  const [found, branches] = await Promise.all([
    readAgentsOf(tables.agents, owner, sellers.agentIds),
    tables.associations.getAll(associationsOfEntity, keys),
  ]);
  const associations = new Set([
    upstreamDownstreamAssociationId,
    ...branches.flatMap(({ associationIds }) => [...associationIds]),
  ]);
  const before = new Set(one.sale?.sellers.agentIds);
  const isKept = (id: string): boolean =>
    before.has(id) ||
    found.get(id)?.downstreamEntityAssociationIds.some((association) => associations.has(association)) ===
      true;
  return { ...sellers, agentIds: sellers.agentIds.filter(isKept) };
}

/** Who sold a policy, as a transaction that names agents says; not the candidates that a person must decide between. */
export const sellersOf = (agents: StoredTransaction | undefined): PolicySellers => {
  if (agents === undefined) return { agentIds: [], isUnknown: false };
  const candidates = agents.matchedAgents.map(({ agentId }) => agentId);
  const agentIds = unmatchedStatuses.includes(agents.agentMatchStatus) ? [] : [...new Set(candidates)];
  const isAnyNamed = candidates.length > 0 || hasAgentEvidence(agents);
  return { agentIds, isUnknown: agentIds.length === 0 && isAnyNamed };
};

/** What a source says may be anything, and would not fit into a key. */
const isNpn = /^\d{1,10}$/;

/** A policy or a sale belongs to the agency relationship that its transactions name, else to the agency with the NPN. */
export function agencyReferenceOf(
  { agencyNpn }: Pick<Policy, 'agencyNpn'>,
  associationId: string | undefined,
): AgencyReference {
  if (associationId !== undefined) return { associationId };
  const npn = comparableNpn(agencyNpn ?? '');
  return isNpn.test(npn) ? { npn } : { isUnknown: true };
}
