import * as z from 'zod/mini';
import { laterOf, writtenDate } from '#domain/decision/dates.ts';
import type { Policy } from '#domain/policies/resource.ts';
import {
  agencySort,
  amountOf,
  beginsTerm,
  centsOf,
  matchSort,
  policyKeys,
  policyPartitions,
  saleSort,
  statusSort,
  type TermInForce,
} from '#domain/policies/stored.ts';
import type { Tables } from '#domain/tables.ts';
import { transactionItems } from '#platform/aws/limits.ts';
import { changeMark } from '#platform/changes/change-index.ts';
import { chunks, collect } from '#platform/data/concurrently.ts';
import { isNew } from '#platform/data/expressions.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table, TableItems } from '#platform/data/table.ts';
import type { TransactionItem } from '#platform/data/transact.ts';
import type { CalendarDate } from '#platform/dates/dates.ts';
import {
  hasAgentEvidence,
  type Matching,
  type MatchingTable,
  type ReadMatching,
} from '../matching/matching.ts';
import type { ImportRun } from '../run/import-records.ts';
import { LineFault } from '../run/lines.ts';
import {
  businessFieldsOf,
  isDeletedWith,
  isNewer,
  newDraft,
  type PolicyDraft,
  productOf,
  type Sources,
  sourceIdsOf,
  sourcesOf,
  viewOf,
} from './policy.ts';
import { agencyReferenceOf, isOpenSale, resolveSales, sellersOf } from './sales.ts';
import { withPartiesOnBinding } from './sales-on-binding.ts';
import {
  type StoredPolicy,
  type StoredTransaction,
  storedPolicy,
  storedTransaction,
  unmatchedStatuses,
} from './stored.ts';

/** Transactions that a draft needs. */
interface NeededTransactions {
  readonly ids: readonly string[];
  /** Identities by which transactions are found whatever their ids. */
  readonly identities: readonly string[];
}

/** Reads and writes of one owner's policies for those who change them; deleted ones are read, too. */
type PolicyWrites = ReturnType<typeof createPolicyWrites>;

/** Dependencies of the commands that change what transactions were matched to. */
export interface MatchDependencies {
  readonly tables: Tables<'policies' | MatchingTable>;
  readonly policies: PolicyWrites;
  readonly readMatching: ReadMatching;
  readonly now: () => Date;
}

const numberHolder = storedItem('policies/number-holder', { sk: z.string(), policyId: z.string() });
const identityHolder = storedItem('policies/identity-holder', {
  sk: z.string(),
  transactionId: z.string(),
});

/** Whether a transaction's agency or agents may be found later, or who made its sale, or of what. */
export const isUnmatched = (transaction: StoredTransaction): boolean =>
  !transaction.isDeleted &&
  (isOpenSale(transaction.sale) ||
    unmatchedStatuses.includes(transaction.entityMatchStatus) ||
    (unmatchedStatuses.includes(transaction.agentMatchStatus) && hasAgentEvidence(transaction)));

/** All transactions of a policy. */
function storedTransactionsOf(table: Table, owner: string, policyId: string): Promise<StoredTransaction[]> {
  const { pk } = policyKeys.transaction(owner, policyId, '');
  return collect(table.query(storedTransaction, pk, { consistent: true }));
}

export function createPolicyWrites(
  tables: Tables<'policies' | MatchingTable>,
  now: () => Date,
  run: Pick<ImportRun, 'events' | 'isSilent'>,
) {
  const table: Table = tables.policies;

  const findByIds = (owner: string, policyIds: readonly string[]): Promise<StoredPolicy[]> =>
    table.getAll(
      storedPolicy,
      policyIds.map((policyId) => policyKeys.policy(owner, policyId)),
    );

  return {
    async findByNumber(owner: string, numbers: readonly string[]): Promise<Map<string, StoredPolicy>> {
      const keys = numbers.map((number) => policyKeys.number(owner, number));
      const ids = (await table.getAll(numberHolder, keys)).map(({ policyId }) => policyId);
      return new Map((await findByIds(owner, ids)).map((policy) => [policy.policyNumber, policy]));
    },

    findByIds,

    /** A draft with the transactions that will be changed, and the newest. */
    async draftOf(owner: string, before: StoredPolicy, { ids, identities }: NeededTransactions) {
      const wantedIds = new Set([...ids, ...identities, ...sourceIdsOf(before)]);
      const keysOf = (transactionIds: Iterable<string>) =>
        Array.from(transactionIds, (id) => policyKeys.transaction(owner, before._id, id));
      const identityKeys = identities.map((identity) => policyKeys.identity(owner, before._id, identity));
      const [transactions, holders] = await Promise.all([
        table.getAll(storedTransaction, keysOf(wantedIds)),
        table.getAll(identityHolder, identityKeys),
      ]);
      const holderIds = new Map(holders.map(({ sk, transactionId }) => [sk, transactionId]));
      const missingIds = [...holderIds.values()].filter((id) => !wantedIds.has(id));
      const further = await table.getAll(storedTransaction, keysOf(missingIds));
      return newDraft(before._id, before, [...transactions, ...further], holderIds);
    },

    /**
     * Writes policy, number and transactions together, if anything changes. The draft has all transactions then.
     * @returns whether the policy's product is known.
     * @throws VersionConflict when another writer came first; LineFault for a new transaction whose id another one has; ApiError
     *   `validation_error` for a policy without a state.
     */
    async write(
      owner: string,
      number: string,
      draft: PolicyDraft,
      matching: Matching,
    ): Promise<Policy['productMatchStatus']> {
      if (draft.transactions.size < draft.lastOrdinal) {
        for (const transaction of await storedTransactionsOf(table, owner, draft.policyId)) {
          if (!draft.transactions.has(transaction._id)) draft.transactions.set(transaction._id, transaction);
        }
      }
      const transactions = [...draft.transactions.values()];
      const sources = sourcesOf(transactions);
      const fields = businessFieldsOf(draft.own, sources);
      const { productId, productMatchStatus } = productOf(draft, fields, await matching.products(fields));
      const time = now();
      const view = viewOf(draft, number, sources, { writtenAt: time.toISOString(), productMatchStatus });
      const isDeleted = isDeletedWith(draft, sources);
      const resolving = await resolveSales(draft, transactions, isDeleted, { owner, matching, tables });
      if (!draft.isChanged && resolving.length === 0 && draft.writtenIds.size === 0)
        return productMatchStatus;
      const { resold, items } = await withPartiesOnBinding(tables, owner, resolving, { matching, run, time });
      for (const transaction of resold) draft.transactions.set(transaction._id, transaction);
      const policyItem = {
        ...policyKeys.policy(owner, draft.policyId),
        ...view,
        ...(isDeleted ? {} : indexAttributes(owner, view, sources)),
        isDeleted,
        version: (draft.before?.version ?? 0) + 1,
        own: draft.own,
        ownHash: draft.ownHash,
        newestTransactionId: sources.newest?._id,
        sourceIds: idsOf(sources),
        lastOrdinal: draft.lastOrdinal,
        productId,
        sellers: sellersOf(sources.agents),
        ...termsOf(transactions, sources, draft.own),
        sale: saleOfTerm(draft, sources),
        ...changeMark(owner, draft.policyId, time),
      };
      const writes = [...draft.writtenIds].flatMap((id) => draft.transactions.get(id) ?? []);
      const identities = [...draft.identities].filter(([, id]) => draft.writtenIds.has(id));
      const isUnchanged = { version: draft.before?.version };
      const mainItems = [
        table.items.put(policyItem, isUnchanged),
        ...(draft.before === undefined
          ? [table.items.put({ ...policyKeys.number(owner, number), policyId: draft.policyId }, isNew)]
          : []),
        ...writes.map((transaction) => transactionWrite(table.items, owner, transaction)),
        ...writes
          .filter(({ ordinal }) => ordinal > (draft.before?.lastOrdinal ?? 0))
          .map((transaction) => ownerWrite(table.items, owner, transaction)),
        ...identities.map(([identity, transactionId]) =>
          table.items.put({ ...policyKeys.identity(owner, draft.policyId, identity), transactionId }),
        ),
      ];
      const further = [
        ...resold
          .filter(({ _id }) => !draft.writtenIds.has(_id))
          .map((transaction) => transactionWrite(table.items, owner, transaction)),
        ...items,
      ];
      const room = transactionItems - mainItems.length;
      // What does not fit goes ahead, while nobody else writes the policy: after a crash, the same import writes all of it again.
      const guard = table.items.check(policyKeys.policy(owner, draft.policyId), isUnchanged);
      for (const furtherItems of chunks(further.slice(room), { count: transactionItems - 1 })) {
        await table.transact([guard, ...furtherItems]);
      }
      await table.transact([...mainItems, ...further.slice(0, room)]);
      return productMatchStatus;
    },
  };
}

const idsOf = ({ agency, agents, product, company, term }: Sources): StoredPolicy['sourceIds'] => ({
  agency: agency?._id,
  agents: agents?._id,
  product: product?._id,
  company: company?._id,
  term: term?._id,
});

/** Writes a transaction without a condition of its own: the policy's version guards it. */
function transactionWrite(items: TableItems, owner: string, transaction: StoredTransaction): TransactionItem {
  const { _id, policyId } = transaction;
  return items.put({
    ...policyKeys.transaction(owner, policyId, _id),
    ...transaction,
    policyKey: policyPartitions.ofPolicy(owner, policyId),
    ...(isUnmatched(transaction)
      ? { matchKey: policyPartitions.unmatched(owner), matchSort: `${policyId}#${_id}` }
      : {}),
    ...(transaction.sale === undefined
      ? {}
      : { saleKey: policyPartitions.sales(owner), saleSort: saleSort(transaction.sale, _id) }),
  });
}

/** Claims the id of a transaction that is new to its policy. */
const ownerWrite = (
  items: TableItems,
  owner: string,
  { _id, policyId }: StoredTransaction,
): TransactionItem =>
  items.put(
    { ...policyKeys.transactionOwner(_id), upstreamEntityId: owner, policyId },
    isNew,
    () => new LineFault({ path: '_id', message: `${_id} is the id of another policy's transaction` }),
  );

/** The sale that began the policy's latest term, as it is now resolved. */
const saleOfTerm = ({ transactions }: PolicyDraft, { term }: Sources): StoredTransaction['sale'] =>
  term && (transactions.get(term._id) ?? term).sale;

/** Index keys of a live policy; a soft-deleted one has none. */
const indexAttributes = (owner: string, view: Policy, { agency }: Sources) => ({
  listKey: policyPartitions.all(owner),
  statusKey: policyPartitions.ofStatus(owner, view.currentStatus),
  statusSort: statusSort(view.riskStateCode, view.policyNumber),
  stateKey: policyPartitions.ofState(owner, view.riskStateCode),
  agencySort: agencySort(agencyReferenceOf(view, agency?.upstreamDownstreamAssociationId), view.policyNumber),
  matchKey: policyPartitions.ofMatch(owner, view.entityMatchStatus, view.productMatchStatus),
  matchSort: matchSort(view.currentStatus, view.riskStateCode, view.policyNumber),
});

/** Terms that a policy keeps; those of one number that many insureds share can be any number. */
const mostTerms = 100;

/** Premium and terms of a policy as the book shows them: from its transactions, else from its record. */
export function termsOf(
  transactions: readonly StoredTransaction[],
  { term }: Sources,
  own: StoredPolicy['own'],
): { readonly termPremiumInUSD: number | undefined; readonly inForce: readonly TermInForce[] } {
  const live = transactions.filter(({ isDeleted }) => !isDeleted).sort((a, b) => (isNewer(a, b) ? 1 : -1));
  const ofTerm = term === undefined ? live : live.slice(live.findIndex(({ _id }) => _id === term._id));
  const premiums = ofTerm.flatMap(({ premiumAmountInUSD }) => premiumAmountInUSD ?? []);
  return {
    termPremiumInUSD:
      premiums.length === 0
        ? own?.premiumAmountInUSD
        : amountOf(premiums.reduce((cents, premium) => cents + centsOf(premium), 0n)),
    inForce: mergeTerms(inForceOf(live, own)).slice(-mostTerms),
  };
}

/** Terms in which the transactions, the oldest first, keep a policy in force. */
function inForceOf(live: readonly StoredTransaction[], own: StoredPolicy['own']): TermInForce[] {
  let terms: TermInForce[] = [];
  let expiry = dateOf(own?.expiryDate);
  let canceledOn: CalendarDate | undefined;
  const begin = (from: CalendarDate): void => {
    terms.push({ from, until: expiry });
    canceledOn = undefined;
  };
  const extend = (): void => {
    const last = terms.pop();
    if (last !== undefined) terms.push({ from: last.from, until: expiry });
  };
  if (own?.effectiveDate !== undefined && !live.some(beginsTerm)) begin(writtenDate(own.effectiveDate));
  for (const transaction of live) {
    const transactionDate = writtenDate(transaction.policyTransactionDate);
    const effective = dateOf(transaction.effectiveDate) ?? transactionDate;
    const type = transaction.policyTransactionType;
    if (type === 'Cancellation') {
      // Many files repeat the beginning of the term in each of its rows.
      const end = laterOf(effective, transactionDate);
      terms = terms.map(({ from, until = end }) => ({ from, until: until < end ? until : end }));
      canceledOn = end;
      continue;
    }
    expiry = dateOf(transaction.expiryDate) ?? (beginsTerm(transaction) ? dateOf(own?.expiryDate) : expiry);
    if (beginsTerm(transaction)) begin(effective);
    else if (canceledOn === undefined) extend();
    else if (type === 'Reinstatement') begin(laterOf(effective, canceledOn));
  }
  return terms;
}

const dateOf = (text: string | undefined): CalendarDate | undefined =>
  text === undefined ? undefined : writtenDate(text);

/** Sorts terms, drops those that end as they begin, and joins those that meet. */
function mergeTerms(terms: readonly TermInForce[]): TermInForce[] {
  const mergedTerms: TermInForce[] = [];
  for (const { from, until } of terms.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    if (until !== undefined && until <= from) continue;
    const before = mergedTerms.at(-1);
    if (before === undefined || (before.until !== undefined && before.until < from)) {
      mergedTerms.push({ from, until });
    } else if (before.until !== undefined && (until === undefined || until > before.until)) {
      mergedTerms.splice(-1, 1, { from: before.from, until });
    }
  }
  return mergedTerms;
}
