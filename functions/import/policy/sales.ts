import { associationKeys, associationsOfEntity, storedAssociation } from '#domain/associations/stored.ts';
import { comparableName } from '#domain/identifiers/comparable-names.ts';
import { comparableNpn } from '#domain/identifiers/identifiers.ts';
import type { Policy, PolicySellers } from '#domain/policies/resource.ts';
import {
  type AgencyReference,
  agencySort,
  beginsTerm,
  type StoredSale,
  soldOnOf,
} from '#domain/policies/stored.ts';
import type { Tables } from '#domain/tables.ts';
import { isDeepStrictEqual } from '#platform/data/json.ts';
import { textOf } from '../matching/decide.ts';
import { hasAgentEvidence, type Matching } from '../matching/matching.ts';
import { readAgentsOf } from '../matching/parties.ts';
import {
  isNewer,
  namesAnyAgency,
  namesAnyAgent,
  namesAnyCompany,
  namesProduct,
  newestOf,
  type PolicyDraft,
} from './policy.ts';
import { type StoredTransaction, unmatchedStatuses } from './stored.ts';

/** Parts that a sale takes from an earlier transaction where its own does not name them. */
const inheritedFields = {
  agency: namesAnyAgency,
  agents: namesAnyAgent,
  product: (transaction: StoredTransaction) =>
    transaction.confirmedProductId !== undefined || namesProduct(transaction),
  company: namesAnyCompany,
};

type InheritedField = keyof typeof inheritedFields;

const inheritedNames = Object.keys(inheritedFields) as InheritedField[];

/** Whether it is not known of a sale who made it, or of what: it may be later. */
export const isOpenSale = (sale: StoredSale | undefined): boolean =>
  sale !== undefined &&
  (sale.productId === undefined ||
    sale.sellers.agentIds.length === 0 ||
    unmatchedStatuses.includes(sale.entityMatchStatus));

/** Whether two transactions name insureds, and other ones. */
function haveOtherInsureds(a: StoredTransaction, b: StoredTransaction): boolean {
  const [name, otherName] = [a, b].map(({ insuredEntityName }) => textOf(insuredEntityName, comparableName));
  return name !== undefined && otherName !== undefined && name !== otherName;
}

const isSale = (transaction: StoredTransaction): boolean => beginsTerm(transaction) && !transaction.isDeleted;

interface Resolving {
  readonly owner: string;
  readonly matching: Matching;
  readonly tables: Tables<'agents' | 'associations'>;
}

/**
 * Resolves the sales of a policy that were written, or inherit from a transaction that was (OpenAPI, "Sales"); of a deleted policy
 * there are none.
 * @param transactions the policy's transactions.
 * @returns the transactions whose sales change, or are recorded again; the draft has them, too.
 */
export async function resolveSales(
  draft: PolicyDraft,
  transactions: readonly StoredTransaction[],
  isDeleted: boolean,
  resolving: Resolving,
): Promise<StoredTransaction[]> {
  const changedTransactions: StoredTransaction[] = [];
  const hasTurned = draft.before !== undefined && draft.before.isDeleted !== isDeleted;
  for (const transaction of transactions) {
    if (!beginsTerm(transaction) && transaction.sale === undefined) continue;
    const sources = inheritedNames.flatMap((name) => transaction.saleSources?.[name] ?? []);
    const isConcerned =
      [transaction._id, ...sources].some((id) => draft.writtenIds.has(id)) ||
      draft.reopenedIds.has(transaction._id) ||
      draft.recordedAgainIds.has(transaction._id);
    if (!hasTurned && !isConcerned) continue;
    const knownSale = { sale: transaction.sale, saleSources: transaction.saleSources };
    const isLive = isSale(transaction) && !isDeleted;
    const resolvedSale = isLive
      ? await saleOf(transaction, transactions, draft, resolving)
      : { ...knownSale, sale: undefined };
    const isSame = isDeepStrictEqual(resolvedSale, knownSale);
    if (isSame && !draft.recordedAgainIds.has(transaction._id)) continue;
    const after = { ...transaction, ...resolvedSale };
    draft.transactions.set(transaction._id, after);
    changedTransactions.push(after);
  }
  return changedTransactions;
}

/** The sale that a transaction is, and whence it has what its own transaction does not say. */
async function saleOf(
  transaction: StoredTransaction,
  transactions: readonly StoredTransaction[],
  draft: PolicyDraft,
  { owner, matching, tables }: Resolving,
): Promise<Pick<StoredTransaction, 'sale' | 'saleSources'>> {
  // What is imported later and dated earlier changes nothing, unless the sale is to be resolved by it.
  const isReopened = draft.reopenedIds.has(transaction._id);
  const until = (isReopened ? undefined : transaction.saleSources?.until) ?? draft.lastOrdinal;
  const earlierTransactions = transactions.filter(
    (candidate) => !candidate.isDeleted && candidate.ordinal <= until && isNewer(transaction, candidate),
  );
  const sourceOf = (name: InheritedField): StoredTransaction => {
    if (inheritedFields[name](transaction)) return transaction;
    const naming = earlierTransactions.filter(inheritedFields[name]);
    const sameInsured = naming.filter((candidate) => !haveOtherInsureds(transaction, candidate));
    if (sameInsured.length < naming.length) draft.otherInsuredIds.add(transaction._id);
    return newestOf(sameInsured) ?? transaction;
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
    soldOn: soldOnOf(transaction),
    riskStateCode: transaction.riskStateCode,
    entityMatchStatus: agency.entityMatchStatus,
    agencySort: agencySort(agencyReferenceOf(agency, agency.upstreamDownstreamAssociationId)),
    downstreamEntityId: await entityIdOf(agency, owner, tables),
    sellers: await sellersOfSale(transaction, agency, agents, owner, tables),
    productId,
    productCode,
    productName,
    carrierName: company.carrierName,
    carrierNaicCode: company.carrierNaicCode,
  };
  const sources = { agency: agency._id, agents: agents._id, product: ofProduct._id, company: company._id };
  const knownSources = { ...transaction.saleSources, ...sources };
  const isSame =
    isDeepStrictEqual(definedMembers(sale), transaction.sale) &&
    isDeepStrictEqual(knownSources, transaction.saleSources);
  return {
    sale: definedMembers(sale),
    saleSources: isSame ? transaction.saleSources : { until, ...sources },
  };
}

/** The agency of a transaction, which may name its association alone. */
async function entityIdOf(
  { downstreamEntityId, upstreamDownstreamAssociationId: associationId }: StoredTransaction,
  owner: string,
  { associations }: Tables<'associations'>,
): Promise<string | undefined> {
  if (downstreamEntityId !== undefined || associationId === undefined) return downstreamEntityId;
  const association = await associations.get(
    storedAssociation,
    associationKeys.association(owner, associationId),
  );
  return association?.downstreamEntityId;
}

/** Removes members that are undefined, so that the value is as it will be read again. */
const definedMembers = <One extends object>(value: One): One =>
  Object.fromEntries(Object.entries(value).filter(([, value]) => value !== undefined)) as One;

/** A renewal inherits no agent that has left the agency; the agents that it was once resolved to stay. */
async function sellersOfSale(
  transaction: StoredTransaction,
  { downstreamEntityId, upstreamDownstreamAssociationId, entityMatchStatus }: StoredTransaction,
  agents: StoredTransaction,
  owner: string,
  tables: Tables<'agents' | 'associations'>,
): Promise<PolicySellers> {
  const sellers = sellersOf(agents);
  const isKnown = !unmatchedStatuses.includes(entityMatchStatus);
  if (agents === transaction || transaction.policyTransactionType !== 'Renewal' || !isKnown) return sellers;
  if (upstreamDownstreamAssociationId === undefined || sellers.agentIds.length === 0) return sellers;
  const keys = downstreamEntityId === undefined ? [] : [associationKeys.ofEntity(owner, downstreamEntityId)];
  const [foundAgents, branches] = await Promise.all([
    readAgentsOf(tables.agents, owner, sellers.agentIds),
    tables.associations.getAll(associationsOfEntity, keys),
  ]);
  const associations = new Set([
    upstreamDownstreamAssociationId,
    ...branches.flatMap(({ associationIds }) => [...associationIds]),
  ]);
  const before = new Set(transaction.sale?.sellers.agentIds);
  const isKept = (id: string): boolean =>
    before.has(id) ||
    foundAgents
      .get(id)
      ?.downstreamEntityAssociationIds.some((association) => associations.has(association)) === true;
  return { ...sellers, agentIds: sellers.agentIds.filter(isKept) };
}

/** Sellers of a policy that a transaction names; not the candidates that a person must decide between. */
export const sellersOf = (agents: StoredTransaction | undefined): PolicySellers => {
  if (agents === undefined) return { agentIds: [], isUnknown: false };
  const candidates = agents.matchedAgents.map(({ agentId }) => agentId);
  const agentIds = unmatchedStatuses.includes(agents.agentMatchStatus) ? [] : [...new Set(candidates)];
  const isAnyNamed = candidates.length > 0 || hasAgentEvidence(agents);
  return { agentIds, isUnknown: agentIds.length === 0 && isAnyNamed };
};

/** Form of an NPN: a source's text may be anything, and would not fit into a key. */
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
