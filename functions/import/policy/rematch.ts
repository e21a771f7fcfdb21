import * as z from 'zod/mini';
import { createComplianceConfigs } from '#domain/compliance/store.ts';
import { entityMatchStatuses } from '#domain/policies/resource.ts';
import { policyPartitions } from '#domain/policies/stored.ts';
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
import { isUnmatched, type MatchDependencies } from './store.ts';
import { type StoredTransaction, unmatchedStatuses } from './stored.ts';

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

/** An item's key, of the table and of the index that is read. */
const indexedKey = storedItem('policies/key-by-match', {
  pk: z.string(),
  sk: z.string(),
  matchSort: z.string(),
});

/** Place where the next call goes on. */
const position = z.strictObject({
  partition: count,
  last: z.optional(z.strictObject({ pk: z.string(), sk: z.string(), matchSort: z.string() })),
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

/** First the transactions, then the policies whose product is not known. */
const partitionsOf = (owner: string): string[] => [
  policyPartitions.unmatched(owner),
  ...entityMatchStatuses.flatMap((entity) =>
    openProducts.map((product) => policyPartitions.ofMatch(owner, entity, product)),
  ),
];

/** Matches again what is unmatched or waits for a review, from where the call before left off. */
export function createRematch({ tables, policies, readMatching, now }: MatchDependencies) {
  const table = tables.policies;

  async function pageOf(partition: string, last: Position['last']) {
    const { items, next } = await table.page(indexedKey, partition, {
      index: 'by-match',
      limit: itemsOfPage,
      only: ['pk', 'sk', 'matchSort'],
      after: last && { ...last, matchKey: partition },
    });
    const keys = items.map(({ sk, matchSort }) => ({ id: sk, matchSort }));
    return { keys, end: next && items.at(-1) };
  }

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
      if (draft.isChanged || draft.reopenedIds.size > 0)
        await policies.write(owner, draft.before.policyNumber, draft, matching);
    });

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

  return async (owner: string, after: Position | undefined): Promise<RematchOutcome> => {
    const partitions = partitionsOf(owner);
    const statuses: MatchStatus[] = [];
    let place: Position | undefined = after ?? { partition: 0 };
    for (let page = 0; page < pagesOfCall && place !== undefined; page += 1) {
      const partition: number = place.partition;
      const name = partitions[partition];
      if (name === undefined) return countMatches(statuses);
      const { keys, end } = await pageOf(name, place.last);
      if (partition > 0) await rematchPolicies(owner, keys);
      else statuses.push(...(await rematchTransactions(owner, keys)));
      const following: Position | undefined =
        partition + 1 < partitions.length ? { partition: partition + 1 } : undefined;
      place = end === undefined ? following : { partition, last: end };
    }
    return { ...countMatches(statuses), ...(place === undefined ? {} : { next: place }) };
  };
}
