import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { transactionItems } from '../../../shared/aws/limits.ts';
import { changeMark } from '../../../shared/changes/change-mark.ts';
import { invalid } from '../../../shared/contract/errors.ts';
import { batchGet } from '../../../shared/data/batch-get.ts';
import { collect } from '../../../shared/data/collect.ts';
import { concurrently } from '../../../shared/data/concurrently.ts';
import { toItem } from '../../../shared/data/dynamo.ts';
import { groupBy } from '../../../shared/data/group-by.ts';
import { derivedObjectId } from '../../../shared/data/object-id.ts';
import { retryOnConflict, VersionConflict } from '../../../shared/data/optimistic-lock.ts';
import { queryPages } from '../../../shared/data/query-pages.ts';
import { parseStored } from '../../../shared/data/stored.ts';
import { type TransactionItem, transact } from '../../../shared/data/transact.ts';
import { policyKeys, policyPartitions, statusSort } from '../../../shared/policies/keys.ts';
import type { Policy } from '../../../shared/resources/policy.ts';
import { orAnswered, without } from '../answered-records.ts';
import { type ImportDependencies, type ImportType, ownedRecords } from '../import-type.ts';
import { issuesOf, type ReadLine, type RejectedLine } from '../lines.ts';
import {
  applyPolicy,
  applyTransaction,
  newDraft,
  newestOf,
  newestWasAmended,
  type PolicyDraft,
  type StoredPolicy,
  type StoredTransaction,
  storedPolicy,
  storedTransaction,
  transactionId,
  viewOf,
} from './draft.ts';
import {
  type PolicyRecord,
  type PolicyTransactionRecord,
  policyRecord,
  policyTransactionRecord,
} from './schema.ts';

type PolicyLine = ReadLine<PolicyRecord | PolicyTransactionRecord>;

/** Imports one owner's policies and transactions; returns the lines that it rejected. */
type ImportPolicies = (owner: string, lines: readonly PolicyLine[]) => Promise<RejectedLine[]>;

/** Policies imported concurrently. */
const concurrency = 16;

/** Lines of a transaction, with room for the policy, its number and events. */
const linesAtOnce = transactionItems - 10;

/** Another writer changed the policy since it was read. */
const conflict = () => new VersionConflict();

const numberHolder = z.object({ sk: z.string(), policyId: z.string() });

/** Policies and their transactions. */
export function policyImport({
  client,
  tables: { policies: table },
  organizations,
  now,
}: ImportDependencies<'policies'>): ImportType {
  const importPolicies = createPolicyImport(client, table, now);
  return ownedRecords(organizations, {
    types: ['policy', 'policy-transaction'],
    record: orAnswered(z.discriminatedUnion('type', [policyRecord, policyTransactionRecord]), (answered) =>
      without(answered, answered['type'] === 'policy' ? 'transactionCount' : 'policyId'),
    ),
    importLines: ({ organizationId }, lines) => importPolicies(organizationId, lines),
  });
}

function createPolicyImport(client: DynamoDBClient, table: string, now: () => Date): ImportPolicies {
  /** The policies that have these numbers, deleted ones included. */
  async function findByNumber(owner: string, numbers: readonly string[]): Promise<Map<string, StoredPolicy>> {
    const read = (keys: Record<string, string>[]) => batchGet(client, table, keys, { consistent: true });
    const holders = await read(numbers.map((number) => policyKeys.number(owner, number)));
    const ids = holders.map((holder) => parseStored(numberHolder, holder).policyId);
    const items = await read(ids.map((policyId) => policyKeys.policy(owner, policyId)));
    const policies = items.map((item) => parseStored(storedPolicy, item));
    return new Map(policies.map((found) => [found.policyNumber, found]));
  }

  async function allTransactions(owner: string, policyId: string): Promise<StoredTransaction[]> {
    const query = {
      TableName: table,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: toItem({ ':pk': policyKeys.transaction(owner, policyId, '').pk }),
    };
    const items = await collect(queryPages(client, query));
    return items.map((item) => parseStored(storedTransaction, unmarshall(item)));
  }

  /** Starts a draft with the records that the lines touch. */
  async function begin(
    owner: string,
    number: string,
    before: StoredPolicy | undefined,
    lines: readonly PolicyLine[],
  ): Promise<PolicyDraft> {
    const [first] = lines;
    const givenId = first?.record.type === 'policy' ? first.record._id : undefined;
    if (before === undefined)
      return newDraft(givenId ?? derivedObjectId(owner, 'policy', number), undefined, []);
    const ids = lines.flatMap(({ record }) =>
      record.type === 'policy' ? [] : [transactionId(owner, record)],
    );
    if (before.newestTransactionId !== undefined) ids.push(before.newestTransactionId);
    const keys = [...new Set(ids)].map((id) => policyKeys.transaction(owner, before._id, id));
    const known = await batchGet(client, table, keys, { consistent: true });
    return newDraft(
      before._id,
      before,
      known.map((item) => parseStored(storedTransaction, item)),
    );
  }

  /** Writes policy, number and transactions together, unless another writer came first. */
  async function write(owner: string, number: string, draft: PolicyDraft): Promise<void> {
    const candidates = new Map(draft.transactions);
    if (newestWasAmended(draft)) {
      for (const one of await allTransactions(owner, draft.policyId)) {
        if (!candidates.has(one._id)) candidates.set(one._id, one);
      }
    }
    const newest = newestOf(candidates.values());
    const at = now();
    const view = viewOf(draft, number, newest, at.toISOString());
    const policyItem = toItem({
      ...policyKeys.policy(owner, draft.policyId),
      ...view,
      ...(draft.isDeleted ? {} : indexAttributes(owner, view, newest)),
      isDeleted: draft.isDeleted,
      version: (draft.before?.version ?? 0) + 1,
      own: draft.own,
      ownHash: draft.ownHash,
      newestTransactionId: newest?._id,
      ...changeMark(owner, draft.policyId, at),
    });
    await transact(client, [
      ...(draft.before === undefined
        ? [
            creation(policyItem),
            creation(toItem({ ...policyKeys.number(owner, number), policyId: draft.policyId })),
          ]
        : [replacement(policyItem, draft.before.version)]),
      ...[...draft.written].flatMap((id) => {
        const transaction = draft.transactions.get(id);
        return transaction === undefined ? [] : [transactionWrite(owner, transaction)];
      }),
    ]);
  }

  const creation = (Item: Record<string, AttributeValue>): TransactionItem => ({
    write: { Put: { TableName: table, Item, ConditionExpression: 'attribute_not_exists(pk)' } },
    refused: conflict,
  });

  const replacement = (Item: Record<string, AttributeValue>, version: number): TransactionItem => ({
    write: {
      Put: {
        TableName: table,
        Item,
        ConditionExpression: '#version = :before',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: toItem({ ':before': version }),
      },
    },
    refused: conflict,
  });

  /** A transaction's item; its policy's version guards it, so it has no condition of its own. */
  const transactionWrite = (owner: string, transaction: StoredTransaction): TransactionItem => ({
    write: {
      Put: {
        TableName: table,
        Item: toItem({
          ...policyKeys.transaction(owner, transaction.policyId, transaction._id),
          ...transaction,
          policyKey: policyPartitions.ofPolicy(owner, transaction.policyId),
        }),
      },
    },
    refused: conflict,
  });

  /** Applies lines in their order; answers those that cannot be. */
  function applied(draft: PolicyDraft, owner: string, lines: readonly PolicyLine[]): RejectedLine[] {
    const rejected: RejectedLine[] = [];
    for (const { line, record, identify } of lines) {
      identify(record.type === 'policy' ? draft.policyId : transactionId(owner, record));
      try {
        if (record.type === 'policy') applyPolicy(draft, record);
        else applyTransaction(draft, owner, record, now().toISOString());
      } catch (error) {
        rejected.push({ line, issues: issuesOf(error) });
      }
    }
    return rejected;
  }

  /** Imports lines of one policy in order; all valid ones in one transaction. */
  async function importPolicy(
    owner: string,
    number: string,
    lines: readonly PolicyLine[],
    found: StoredPolicy | undefined,
  ): Promise<RejectedLine[]> {
    let policyId = '';
    const importOnce = async (attempt: number): Promise<RejectedLine[]> => {
      const before = attempt === 1 ? found : (await findByNumber(owner, [number])).get(number);
      if (attempt > 1 && before === undefined) {
        // Its number was not claimed in the meantime, so the conflict is the id: another policy has it.
        throw invalid({ path: '_id', message: `${policyId} is the id of another policy` });
      }
      const draft = await begin(owner, number, before, lines);
      policyId = draft.policyId;
      const rejected = applied(draft, owner, lines);
      if (draft.changed) await write(owner, number, draft);
      return rejected;
    };
    try {
      return await retryOnConflict(importOnce);
    } catch (error) {
      const issues = issuesOf(error);
      return lines.map(({ line }) => ({ line, issues }));
    }
  }

  return async (owner, lines) => {
    const groups = groupBy(lines, ({ record }) => record.policyNumber);
    const known = await findByNumber(owner, [...groups.keys()]);
    const rejected: RejectedLine[] = [];
    await concurrently(groups.entries(), concurrency, async ([number, group]) => {
      let found = known.get(number);
      for (let start = 0; start < group.length; start += linesAtOnce) {
        if (start > 0) found = (await findByNumber(owner, [number])).get(number);
        rejected.push(...(await importPolicy(owner, number, group.slice(start, start + linesAtOnce), found)));
      }
    });
    return rejected;
  };
}

/** Index keys of a live policy; a soft-deleted one has none. */
const indexAttributes = (owner: string, view: Policy, newest: StoredTransaction | undefined) => ({
  listKey: policyPartitions.all(owner),
  statusKey: policyPartitions.ofStatus(owner, view.currentStatus),
  statusSort: statusSort(view.riskStateCode, view.policyNumber),
  stateKey: policyPartitions.ofState(owner, view.riskStateCode),
  agencyKey: agencyKeyOf(owner, view, newest?.upstreamDownstreamAssociationId),
});

/** A policy belongs to the agency relationship that its newest transaction names, else to the agency with the NPN. */
function agencyKeyOf(
  owner: string,
  { agencyNpn }: Policy,
  associationId: string | undefined,
): string | undefined {
  if (associationId !== undefined) return policyPartitions.ofAssociation(owner, associationId);
  return agencyNpn === undefined || agencyNpn === ''
    ? undefined
    : policyPartitions.ofAgencyNpn(owner, agencyNpn);
}
