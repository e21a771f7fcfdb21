import * as z from 'zod/mini';
import { transactionItems } from '../../../shared/platform/aws/limits.ts';
import { invalidAt } from '../../../shared/platform/contract/errors.ts';
import { concurrently } from '../../../shared/platform/data/concurrently.ts';
import { groupBy } from '../../../shared/platform/data/group-by.ts';
import { derivedObjectId } from '../../../shared/platform/data/object-id.ts';
import { retryOnConflict } from '../../../shared/platform/data/optimistic-lock.ts';
import { orAnswered, without } from '../answered-records.ts';
import { type ImportDependencies, type ImportType, ownedRecords } from '../import-type.ts';
import { importInOrder, isOfLine, issuesOf, type ReadLine, type RejectedLine } from '../lines.ts';
import { createReadMatching, type Matching, type MatchingTable } from '../matching/matching.ts';
import { applyPolicy, applyTransaction, newDraft, type PolicyDraft } from './draft.ts';
import { identityOf } from './identity.ts';
import {
  type PolicyRecord,
  type PolicyTransactionRecord,
  policyRecord,
  policyTransactionRecord,
} from './schema.ts';
import { createPolicyWrites } from './store.ts';
import { type StoredPolicy, unsettledStatuses } from './stored.ts';

type PolicyLine = ReadLine<PolicyRecord | PolicyTransactionRecord>;

/** Lines of one policy, and what was read for all lines of the chunk. */
interface PolicyLines {
  readonly owner: string;
  readonly number: string;
  readonly lines: readonly PolicyLine[];
  readonly matching: Matching;
}

/** Policies imported concurrently. */
const concurrency = 16;

/** Lines of a transaction, of three items each at most, with room for the policy and its number. */
const linesAtOnce = Math.floor(transactionItems / 3) - 1;

/** Whether something is left to be matched. */
const isOpen = ({ entityMatchStatus, agentMatchStatus }: PolicyTransactionRecord): boolean =>
  entityMatchStatus === undefined || agentMatchStatus === undefined;

const transactionsOf = (lines: readonly PolicyLine[]): PolicyTransactionRecord[] =>
  lines.flatMap(({ record }) => (record.type === 'policy' ? [] : [record]));

/** Says of the record of a policy without transactions that nobody looks for its agency, unless it says that that is settled. */
function noteUnmatched(lines: readonly PolicyLine[]): void {
  for (const { record, note } of lines) {
    const { type, entityMatchStatus = 'unmatched' } = record;
    if (type === 'policy' && unsettledStatuses.includes(entityMatchStatus))
      note({ code: 'not_matched', message: notMatched });
  }
}

const notMatched =
  'Agency and agents are not matched: the policy has no policy-transaction yet, which alone is matched.';

/** Policies and their transactions, which are matched with agencies, agents, and products. */
export function policyImport({
  tables,
  organizations,
  now,
  ...run
}: ImportDependencies<'policies' | MatchingTable>): ImportType {
  const policies = createPolicyWrites(tables, now, () => run);
  const readMatching = createReadMatching(tables, now);

  /** Starts a draft with the records that the lines touch. */
  async function begin(
    { owner, number, lines }: PolicyLines,
    before: StoredPolicy | undefined,
  ): Promise<PolicyDraft> {
    const [first] = lines;
    const givenId = first?.record.type === 'policy' ? first.record._id : undefined;
    if (before === undefined) {
      return newDraft(givenId ?? derivedObjectId(owner, 'policy', number), undefined, []);
    }
    const records = transactionsOf(lines);
    return policies.draftOf(owner, before, {
      ids: records.flatMap(({ _id }) => _id ?? []),
      identities: records.map((record) => identityOf(owner, record)),
    });
  }

  /** Imports lines of one policy in order; all valid ones in one transaction. */
  async function importPolicy(some: PolicyLines, found: StoredPolicy | undefined): Promise<RejectedLine[]> {
    const { owner, number, lines, matching } = some;
    let policyId = '';
    const importOnce = async (attempt: number): Promise<RejectedLine[]> => {
      const before = attempt === 1 ? found : (await policies.findByNumber(owner, [number])).get(number);
      if (attempt > 1 && before === undefined) {
        // Its number was not claimed in the meantime, so the conflict is the id: another policy has it.
        throw invalidAt('_id', `${policyId} is the id of another policy`);
      }
      const draft = await begin(some, before);
      policyId = draft.policyId;
      const rejected: RejectedLine[] = [];
      const ids = new Map<PolicyLine['record'], string>();
      await importInOrder(lines, rejected, (record) => {
        if (record.type === 'policy') return applyPolicy(draft, record);
        const id = applyTransaction(draft, { owner, record, matching, at: now().toISOString() });
        ids.set(record, id);
        return id;
      });
      for (const { record, match } of lines) {
        const transaction = draft.transactions.get(ids.get(record) ?? '');
        if (transaction !== undefined) match(transaction.entityMatchStatus);
      }
      if (draft.changed) await policies.write(owner, number, draft, matching);
      if (draft.count === 0 && draft.own?.isDeleted !== true) noteUnmatched(lines);
      return rejected;
    };
    try {
      return await retryOnConflict(importOnce);
    } catch (error) {
      // One line of several is refused: they are imported by themselves.
      if (lines.length > 1 && isOfLine(error)) throw error;
      const issues = issuesOf(error);
      return lines.map(({ line }) => ({ line, issues }));
    }
  }

  /** Imports one owner's policies and transactions; returns the lines that it rejected. */
  async function importLines(owner: string, all: readonly PolicyLine[]): Promise<RejectedLine[]> {
    const groups = groupBy(all, ({ record }) => record.policyNumber);
    const [known, matching] = await Promise.all([
      policies.findByNumber(owner, [...groups.keys()]),
      readMatching(owner, transactionsOf(all).filter(isOpen)),
    ]);
    const rejected: RejectedLine[] = [];
    await concurrently(groups.entries(), concurrency, async ([number, group]) => {
      let found = known.get(number);
      for (let start = 0; start < group.length; start += linesAtOnce) {
        if (start > 0) found = (await policies.findByNumber(owner, [number])).get(number);
        const lines = group.slice(start, start + linesAtOnce);
        rejected.push(...(await importPolicy({ owner, number, lines, matching }, found)));
      }
    });
    return rejected;
  }

  return ownedRecords(organizations, {
    types: ['policy', 'policy-transaction'],
    record: orAnswered(z.discriminatedUnion('type', [policyRecord, policyTransactionRecord]), (answered) =>
      without(answered, answered['type'] === 'policy' ? 'transactionCount' : 'policyId'),
    ),
    importLines: ({ organizationId }, lines) => importLines(organizationId, lines),
  });
}
