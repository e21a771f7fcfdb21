import * as z from 'zod/mini';
import { createComplianceConfigs } from '#domain/compliance/store.ts';
import { appointsOnBinding } from '#domain/compliance/stored.ts';
import { entityMatchStatuses } from '#domain/policies/resource.ts';
import { policyPartitions, storedSale } from '#domain/policies/stored.ts';
import { count, objectId } from '#platform/contract/primitives.ts';
import { concurrently } from '#platform/data/concurrently.ts';
import { isDeepStrictEqual } from '#platform/data/json.ts';
import { storedItem } from '#platform/data/stored.ts';
import { retryOnConflict } from '#platform/data/transact.ts';
import { hasAgentEvidence, type Matching } from '../matching/matching.ts';
import type { AgentMatch } from '../matching/parties.ts';
import { countMatches, type MatchCounts, type MatchStatus } from '../run/lines.ts';
import {
  agencyFields,
  businessFieldsOf,
  fingerprintOf,
  type PolicyDraft,
  productOf,
  sourcesOf,
} from './policy.ts';
import { isOpenSale } from './sales.ts';
import { soldOnBindingOf } from './sales-on-binding.ts';
import { isUnmatched, type MatchDependencies } from './store.ts';
import { type StoredTransaction, soldOnBinding, unmatchedStatuses } from './stored.ts';

/** Agents without the time at which they were found. */
const agentFieldsOf = ({ agentMatchStatus, matchedAgents }: AgentMatch) => ({
  agentMatchStatus,
  agents: matchedAgents.map(({ agentId, matchSource, matchConfidence }) => ({
    agentId,
    matchSource,
    matchConfidence,
  })),
});

/** Matches what is open of a transaction again; one for which the same is found stays as it is. */
function matchAgain(
  draft: PolicyDraft,
  transaction: StoredTransaction,
  matching: Matching,
  matchedAt: string,
): StoredTransaction {
  const {
    downstreamEntityId: _entity,
    upstreamDownstreamAssociationId: _association,
    ...fields
  } = transaction;
  const agency = agencyFields(
    unmatchedStatuses.includes(transaction.entityMatchStatus)
      ? matching.agencyOf(transaction.isAgencyNamed === true ? transaction : fields)
      : transaction,
  );
  const agents =
    unmatchedStatuses.includes(transaction.agentMatchStatus) && hasAgentEvidence(transaction)
      ? matching.agentsOf(transaction, agency, matchedAt)
      : transaction;
  const isSame =
    isDeepStrictEqual(agency, agencyFields(transaction)) &&
    isDeepStrictEqual(agentFieldsOf(agents), agentFieldsOf(transaction));
  if (isSame) return transaction;
  const { agentMatchStatus, matchedAgents } = agents;
  const after = { ...transaction, ...agency, agentMatchStatus, matchedAgents, updatedAt: matchedAt };
  draft.transactions.set(transaction._id, after);
  draft.writtenIds.add(transaction._id);
  draft.isChanged = true;
  return after;
}

/** Keys of an item of the table, as an index has them beside its own. */
const tableKey = { pk: z.string(), sk: z.string() };

const openItem = storedItem('policies/key-by-match', { ...tableKey, matchSort: z.string() });

const soldItem = storedItem('policies/sold-on-binding', {
  ...tableKey,
  saleSort: z.string(),
  policyId: z.string(),
  sale: storedSale,
  soldOnBinding: z.optional(soldOnBinding),
});

/** Place where the next call goes on. */
const position = z.strictObject({
  partition: count,
  last: z.optional(z.strictObject({ ...tableKey, sort: z.string() })),
});

export const rematchInput = z.strictObject({
  organizationId: objectId,
  /** `next` of the call before. */
  after: z.optional(position),
});

type Position = z.output<typeof position>;

/** Numbers of the matched transactions by the status of their agency now, and where to go on. */
export interface RematchOutcome extends MatchCounts {
  readonly next?: Position;
}

/** Items of an index page: so many transactions of one policy are written in one transaction. */
const itemsOfPage = 90;

/** Index pages of a call, which takes some seconds for them. */
const pagesOfCall = 3;

const policyIdOf = (matchSort: string): string => matchSort.slice(0, matchSort.indexOf('#'));

const fieldsOf = ({ own, transactions }: PolicyDraft) =>
  businessFieldsOf(own, sourcesOf(transactions.values()));

const openProducts = ['unmatched', 'needs clarification'] as const;

/** First the transactions, then the policies whose product is not known; sales come after these. */
const openPartitionsOf = (owner: string): string[] => [
  policyPartitions.unmatched(owner),
  ...entityMatchStatuses.flatMap((entity) =>
    openProducts.map((product) => policyPartitions.ofMatch(owner, entity, product)),
  ),
];

/** Reads drafts of policies, and changes them. */
function createDrafts({ policies }: Pick<MatchDependencies, 'policies'>) {
  /** The drafts of live policies, each with some of its transactions. */
  async function draftsOf(owner: string, idsByPolicy: ReadonlyMap<string, readonly string[]>) {
    const livePolicies = (await policies.findByIds(owner, [...idsByPolicy.keys()])).filter(
      ({ isDeleted }) => !isDeleted,
    );
    return Promise.all(
      livePolicies.map((policy) =>
        policies.draftOf(owner, policy, { ids: idsByPolicy.get(policy._id) ?? [], identities: [] }),
      ),
    );
  }

  /** Changes a policy, again whenever another writer was faster. */
  const change = (
    owner: string,
    first: PolicyDraft,
    matching: Matching,
    apply: (draft: PolicyDraft) => void,
  ) =>
    retryOnConflict(async (attempt) => {
      const ids = [...first.transactions.keys()];
      const [draft] = attempt === 1 ? [first] : await draftsOf(owner, new Map([[first.policyId, ids]]));
      if (draft?.before === undefined) return;
      apply(draft);
      if (draft.isChanged || draft.reopenedIds.size > 0 || draft.recordedAgainIds.size > 0)
        await policies.write(owner, draft.before.policyNumber, draft, matching);
    });

  return { draftsOf, change };
}

type Drafts = ReturnType<typeof createDrafts>;

/** Reads sales, and records them to their parties, where the carrier appoints when it binds. */
function createSalesOnBinding(
  { tables, readMatching, now }: MatchDependencies,
  { draftsOf, change }: Drafts,
) {
  async function soldPage(owner: string, last: Position['last']) {
    const saleKey = policyPartitions.sales(owner);
    const { items, next } = await tables.policies.page(soldItem, saleKey, {
      index: 'by-sale',
      limit: itemsOfPage,
      after: last && { pk: last.pk, sk: last.sk, saleSort: last.sort, saleKey },
    });
    const end = next && items.at(-1);
    return { sold: items, end: end && { pk: end.pk, sk: end.sk, sort: end.saleSort } };
  }

  /** Whether any version of a product appoints when it binds: without one, sales are not read. */
  async function mayBeOnBinding(owner: string): Promise<boolean> {
    const configs = createComplianceConfigs(tables.compliance);
    const asked = (await configs.products(owner, now())).map(({ head }) => ({
      head,
      days: head.versions.map(({ validFrom }) => validFrom),
    }));
    const versionsByProduct = await configs.versions(owner, asked, now().toISOString());
    return [...versionsByProduct.values()].some((versions) => versions.some(appointsOnBinding));
  }

  /** Records sales of an index page to their parties, where the configs ask another thing of them than when they were imported. */
  async function recordSales(owner: string, sold: readonly z.output<typeof soldItem>[]): Promise<void> {
    const matching = await readMatching(owner, []);
    const parties = await matching.partiesOnBindingOf(sold.map(({ sale }) => sale));
    const changed = sold.filter(
      ({ sale, soldOnBinding: recorded }, index) =>
        !isDeepStrictEqual(soldOnBindingOf(sale, parties[index] ?? []), recorded),
    );
    const groups = Map.groupBy(changed, ({ policyId }) => policyId);
    const drafts = await draftsOf(
      owner,
      new Map(Array.from(groups, ([id, group]) => [id, group.map(({ sk }) => sk)])),
    );
    await concurrently(drafts, (first) =>
      change(owner, first, matching, (draft) => {
        for (const { sk } of groups.get(draft.policyId) ?? []) draft.recordedAgainIds.add(sk);
      }),
    );
  }

  return { soldPage, mayBeOnBinding, recordSales };
}

/**
 * Matches again what is unmatched or waits for a review, and records sales for which a config came to appoint when it binds, from where
 * the call before left off.
 */
export function createRematch(dependencies: MatchDependencies) {
  const { tables, readMatching, now } = dependencies;
  const { draftsOf, change } = createDrafts(dependencies);
  const sales = createSalesOnBinding(dependencies, { draftsOf, change });

  async function openPage(partition: string, last: Position['last']) {
    const { items, next } = await tables.policies.page(openItem, partition, {
      index: 'by-match',
      limit: itemsOfPage,
      only: ['pk', 'sk', 'matchSort'],
      after: last && { pk: last.pk, sk: last.sk, matchSort: last.sort, matchKey: partition },
    });
    const end = next && items.at(-1);
    const keys = items.map(({ sk, matchSort }) => ({ id: sk, matchSort }));
    return { keys, end: end && { pk: end.pk, sk: end.sk, sort: end.matchSort } };
  }

  /** Transactions of an index page; answers their statuses. */
  async function rematchTransactions(
    owner: string,
    keys: readonly { readonly id: string; readonly matchSort: string }[],
  ): Promise<MatchStatus[]> {
    const groups = Map.groupBy(keys, ({ matchSort }) => policyIdOf(matchSort));
    const idsByPolicy = new Map(Array.from(groups, ([id, group]) => [id, group.map((key) => key.id)]));
    const drafts = await draftsOf(owner, idsByPolicy);
    const open = drafts.flatMap((draft) =>
      (idsByPolicy.get(draft.policyId) ?? []).flatMap((id) => draft.transactions.get(id) ?? []),
    );
    // What was amended meanwhile was matched by that change.
    const fingerprints = new Map(
      open.filter(isUnmatched).map((transaction) => [transaction._id, fingerprintOf(transaction)]),
    );
    const matching = await readMatching(owner, open);
    const statuses = new Map<string, MatchStatus>();
    await concurrently(drafts, (first) =>
      change(owner, first, matching, (draft) => {
        for (const transaction of [...draft.transactions.values()]) {
          if (fingerprints.get(transaction._id) !== fingerprintOf(transaction) || !isUnmatched(transaction))
            continue;
          if (isOpenSale(transaction.sale)) draft.reopenedIds.add(transaction._id);
          const wasOpen = unmatchedStatuses.includes(transaction.entityMatchStatus);
          const { entityMatchStatus } = matchAgain(draft, transaction, matching, now().toISOString());
          if (wasOpen) statuses.set(transaction._id, entityMatchStatus);
        }
      }),
    );
    return [...statuses.values()];
  }

  /** Matches the policies of an index page with products again. */
  async function rematchPolicies(owner: string, keys: readonly { readonly id: string }[]): Promise<void> {
    const products = await createComplianceConfigs(tables.compliance).products(owner, now());
    if (products.length === 0) return;
    const drafts = await draftsOf(owner, new Map(keys.map(({ id }) => [id, []])));
    const matching = await readMatching(owner, []);
    await concurrently(drafts, async (first) => {
      const matchProduct = await matching.products(fieldsOf(first));
      await change(owner, first, matching, (draft) => {
        const { productMatchStatus } = productOf(draft, fieldsOf(draft), matchProduct);
        draft.isChanged = productMatchStatus !== draft.before?.productMatchStatus;
      });
    });
  }

  /** Matches what a page has; the status of the agency of each transaction, and the end of the page unless it is the last one. */
  async function rematchPage(owner: string, partitions: readonly string[], { partition, last }: Position) {
    const name = partitions[partition];
    if (name === undefined) {
      const { sold, end } = await sales.soldPage(owner, last);
      await sales.recordSales(owner, sold);
      return { statuses: [], end };
    }
    const { keys, end } = await openPage(name, last);
    if (partition === 0) return { statuses: await rematchTransactions(owner, keys), end };
    await rematchPolicies(owner, keys);
    return { statuses: [], end };
  }

  return async (owner: string, after: Position | undefined): Promise<RematchOutcome> => {
    const partitions = openPartitionsOf(owner);
    const allStatuses: MatchStatus[] = [];
    let place: Position | undefined = after ?? { partition: 0 };
    for (let page = 0; page < pagesOfCall && place !== undefined; page += 1) {
      const { partition }: Position = place;
      const { statuses, end } = await rematchPage(owner, partitions, place);
      allStatuses.push(...statuses);
      if (end !== undefined) {
        place = { partition, last: end };
        continue;
      }
      const isOver =
        partition === partitions.length ||
        (partition === partitions.length - 1 && !(await sales.mayBeOnBinding(owner)));
      place = isOver ? undefined : { partition: partition + 1 };
    }
    return { ...countMatches(allStatuses), ...(place === undefined ? {} : { next: place }) };
  };
}
