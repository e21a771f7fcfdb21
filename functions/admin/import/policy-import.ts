import { createHash } from 'node:crypto';
import {
  type AttributeValue,
  BatchGetItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { ApiError, invalid } from '../../../shared/contract/errors.ts';
import { toItem } from '../../../shared/data/dynamo.ts';
import { derivedObjectId } from '../../../shared/data/object-id.ts';
import { type Step, transact } from '../../../shared/data/transact.ts';
import { policyKeys, policyPartitions, statusSort } from '../../../shared/policies/keys.ts';
import { type Policy, policy, policyFields, policyTransaction } from '../../../shared/resources/policy.ts';
import { issuesOf, type ReadLine, type RejectedLine } from './import-records.ts';
import { type PolicyRecord, type PolicyTransactionRecord, policyOwnFields } from './policy-records.ts';

type PolicyLine = ReadLine<PolicyRecord | PolicyTransactionRecord>;

/** Takes in one owner's policies and transactions; answers the lines it refused. */
export type PolicyImport = (owner: string, lines: readonly PolicyLine[]) => Promise<RejectedLine[]>;

/** Policies worked on side by side. */
const concurrency = 16;

/** A transaction of DynamoDB holds 100 items; two are the policy and its number. */
const linesAtOnce = 90;

/** How often a policy is read anew when another writer came first. */
const attempts = 8;

/** A policy's item: what callers see and what importing must remember. */
const storedPolicy = z.extend(policy, {
  isDeleted: z.boolean(),
  /** Rises with every write; two writers can't both follow the same one. */
  version: z.int(),
  /** What the policy's own record said; absent while only transactions did. */
  own: z.optional(z.object(policyOwnFields)),
  ownHash: z.optional(z.string()),
  newestTransactionId: z.optional(z.string()),
});

const storedTransaction = z.extend(policyTransaction, {
  /** Place among its policy's transactions, from 1, in the order they were received. */
  ordinal: z.int(),
  recordHash: z.string(),
});

type StoredPolicy = z.output<typeof storedPolicy>;
type StoredTransaction = z.output<typeof storedTransaction>;

/** A policy in the course of taking in lines. */
interface Draft {
  readonly policyId: string;
  readonly before: StoredPolicy | undefined;
  own: StoredPolicy['own'];
  ownHash: string | undefined;
  isDeleted: boolean;
  count: number;
  updatedAt: string | undefined;
  readonly transactions: Map<string, StoredTransaction>;
  readonly written: Set<string>;
  changed: boolean;
}

/** Another writer changed the policy since it was read. */
class Overtaken extends Error {}

const hashOf = (record: object): string => createHash('sha256').update(JSON.stringify(record)).digest('hex');

export function createPolicyImport(client: DynamoDBClient, table: string, now: () => Date): PolicyImport {
  const get = async (key: Record<string, string>): Promise<unknown> => {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: toItem(key), ConsistentRead: true }),
    );
    return Item && unmarshall(Item);
  };

  const getTransactions = async (owner: string, policyId: string, ids: Iterable<string>) => {
    const found = new Map<string, StoredTransaction>();
    let keys = [...new Set(ids)].map((id) => toItem(policyKeys.transaction(owner, policyId, id)));
    while (keys.length > 0) {
      const asked = { [table]: { Keys: keys, ConsistentRead: true } };
      const answer = await client.send(new BatchGetItemCommand({ RequestItems: asked }));
      for (const item of answer.Responses?.[table] ?? []) {
        const transaction = z.parse(storedTransaction, unmarshall(item));
        found.set(transaction._id, transaction);
      }
      keys = answer.UnprocessedKeys?.[table]?.Keys ?? [];
    }
    return found;
  };

  const allTransactions = async (owner: string, policyId: string): Promise<StoredTransaction[]> => {
    const found: StoredTransaction[] = [];
    let from: Record<string, AttributeValue> | undefined;
    do {
      const answer = await client.send(
        new QueryCommand({
          TableName: table,
          ConsistentRead: true,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: toItem({ ':pk': policyKeys.transaction(owner, policyId, '').pk }),
          ...(from === undefined ? {} : { ExclusiveStartKey: from }),
        }),
      );
      found.push(...(answer.Items ?? []).map((item) => z.parse(storedTransaction, unmarshall(item))));
      from = answer.LastEvaluatedKey;
    } while (from !== undefined);
    return found;
  };

  /** Reads what the lines touch. */
  async function open(owner: string, number: string, lines: readonly PolicyLine[]): Promise<Draft> {
    const sentinel = z.parse(
      z.optional(z.object({ policyId: z.string() })),
      await get(policyKeys.number(owner, number)),
    );
    const ownId = lines.find(({ record }) => record.type === 'policy')?.record._id;
    const first = lines[0]?.record.type === 'policy';
    const policyId =
      sentinel?.policyId ?? (first ? ownId : undefined) ?? derivedObjectId(owner, 'policy', number);
    const before =
      sentinel && z.parse(z.optional(storedPolicy), await get(policyKeys.policy(owner, sentinel.policyId)));
    const ids = lines.flatMap(({ record }) =>
      record.type === 'policy' ? [] : [transactionId(owner, record)],
    );
    if (before?.newestTransactionId !== undefined) ids.push(before.newestTransactionId);
    return {
      policyId,
      before,
      own: before?.own,
      ownHash: before?.ownHash,
      isDeleted: before?.isDeleted ?? false,
      count: before?.transactionCount ?? 0,
      updatedAt: undefined,
      transactions: before === undefined ? new Map() : await getTransactions(owner, policyId, ids),
      written: new Set(),
      changed: false,
    };
  }

  /** The newest transaction: by its date, among equals the one received last. */
  async function newestOf(owner: string, draft: Draft): Promise<StoredTransaction | undefined> {
    const newestBefore = draft.before?.newestTransactionId;
    const amended = newestBefore !== undefined && draft.written.has(newestBefore);
    // An amended newest transaction may no longer be the newest; only then all of them must be looked at.
    const known = amended
      ? new Map((await allTransactions(owner, draft.policyId)).map((one) => [one._id, one]))
      : new Map<string, StoredTransaction>();
    for (const [id, one] of draft.transactions) {
      if (amended || id === newestBefore || draft.written.has(id)) known.set(id, one);
    }
    return [...known.values()].reduce<StoredTransaction | undefined>(
      (newest, one) => (newest === undefined || isNewer(one, newest) ? one : newest),
      undefined,
    );
  }

  async function write(owner: string, number: string, draft: Draft): Promise<void> {
    const at = now().toISOString();
    const newest = await newestOf(owner, draft);
    const riskStateCode = newest?.riskStateCode ?? draft.own?.riskStateCode;
    if (riskStateCode === undefined) {
      throw invalid({ path: 'riskStateCode', message: 'is needed for a policy without transactions' });
    }
    const view: Policy = {
      ...(newest === undefined ? pick(draft.own ?? {}) : { ...pick(draft.own ?? {}), ...pick(newest) }),
      _id: draft.policyId,
      policyNumber: number,
      currentStatus: draft.own?.currentStatus ?? 'bound',
      productMatchStatus: draft.own?.productMatchStatus ?? 'unmatched',
      entityMatchStatus: newest?.entityMatchStatus ?? draft.own?.entityMatchStatus ?? 'unmatched',
      riskStateCode,
      transactionCount: draft.count,
      createdAt: draft.own?.createdAt ?? draft.before?.createdAt ?? at,
      updatedAt: draft.updatedAt ?? at,
    };
    const item = {
      ...policyKeys.policy(owner, draft.policyId),
      ...view,
      ...(draft.isDeleted ? {} : indexAttributes(owner, view)),
      isDeleted: draft.isDeleted,
      version: (draft.before?.version ?? 0) + 1,
      own: draft.own,
      ownHash: draft.ownHash,
      newestTransactionId: newest?._id,
    };
    const overtaken = () => new Overtaken();
    const isNew = { TableName: table, ConditionExpression: 'attribute_not_exists(pk)' };
    const steps: Step[] =
      draft.before === undefined
        ? [
            { write: { Put: { ...isNew, Item: toItem(item) } }, refused: overtaken },
            {
              write: {
                Put: {
                  ...isNew,
                  Item: toItem({ ...policyKeys.number(owner, number), policyId: draft.policyId }),
                },
              },
              refused: overtaken,
            },
          ]
        : [
            {
              write: {
                Put: {
                  TableName: table,
                  Item: toItem(item),
                  ConditionExpression: '#version = :before',
                  ExpressionAttributeNames: { '#version': 'version' },
                  ExpressionAttributeValues: toItem({ ':before': draft.before.version }),
                },
              },
              refused: overtaken,
            },
          ];
    for (const id of draft.written) {
      const transaction = draft.transactions.get(id);
      if (transaction === undefined) continue;
      const Item = toItem({
        ...policyKeys.transaction(owner, draft.policyId, id),
        ...transaction,
        policyKey: policyPartitions.ofPolicy(owner, draft.policyId),
      });
      // The policy's version guards its transactions.
      steps.push({ write: { Put: { TableName: table, Item } }, refused: overtaken });
    }
    await transact(client, steps);
  }

  /** Takes in lines of one policy, in their order; all that are good in one transaction. */
  async function takeIn(
    owner: string,
    number: string,
    lines: readonly PolicyLine[],
  ): Promise<RejectedLine[]> {
    for (let attempt = 1; ; attempt += 1) {
      const draft = await open(owner, number, lines);
      const rejected: RejectedLine[] = [];
      for (const { line, record } of lines) {
        try {
          if (record.type === 'policy') applyPolicy(draft, record);
          else applyTransaction(owner, draft, record, now().toISOString());
        } catch (error) {
          rejected.push({ line, issues: issuesOf(error) });
        }
      }
      if (!draft.changed) return rejected;
      try {
        await write(owner, number, draft);
        return rejected;
      } catch (error) {
        if (error instanceof ApiError && error.errorType === 'validation_error') {
          return lines.map(({ line }) => ({ line, issues: issuesOf(error) }));
        }
        if (!(error instanceof Overtaken)) throw error;
        if (draft.before === undefined && attempt > 1) {
          // Its number is free and its id still is not: the id belongs to another policy.
          return lines.map(({ line }) => ({
            line,
            issues: [{ path: '_id', message: `${draft.policyId} is the id of another policy` }],
          }));
        }
        if (attempt === attempts) throw new ApiError('transient_transaction_error', { cause: error });
      }
    }
  }

  return async (owner, lines) => {
    const groups = new Map<string, PolicyLine[]>();
    for (const read of lines) {
      const group = groups.get(read.record.policyNumber) ?? [];
      group.push(read);
      groups.set(read.record.policyNumber, group);
    }
    const rejected: RejectedLine[] = [];
    // The workers share one iterator, so each takes the next policy when it is done with its last.
    const waiting = groups.entries();
    const work = async () => {
      for (const [number, group] of waiting) {
        for (let start = 0; start < group.length; start += linesAtOnce) {
          rejected.push(...(await takeIn(owner, number, group.slice(start, start + linesAtOnce))));
        }
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    return rejected;
  };
}

const businessFields = z.object(policyFields);

/** The business fields that a policy shares with its transactions. */
const pick = (carrier: object): z.output<typeof businessFields> => z.parse(businessFields, carrier);

/** Indexes a live policy is found by; a soft-deleted one has none. */
const indexAttributes = (owner: string, view: Policy) => ({
  listKey: policyPartitions.all(owner),
  statusKey: policyPartitions.ofStatus(owner, view.currentStatus),
  statusSort: statusSort(view.riskStateCode, view.policyNumber),
  stateKey: policyPartitions.ofState(owner, view.riskStateCode),
});

const isNewer = (one: StoredTransaction, than: StoredTransaction): boolean => {
  const difference = Date.parse(one.policyTransactionDate) - Date.parse(than.policyTransactionDate);
  return difference > 0 || (difference === 0 && one.ordinal > than.ordinal);
};

/** A transaction without an id of its own gets one made from what it says, so that the same line is the same record. */
const transactionId = (owner: string, record: PolicyTransactionRecord): string =>
  record._id ??
  derivedObjectId(
    owner,
    'policy-transaction',
    record.policyNumber,
    record.uniqueTransactionId ?? hashOf(record),
  );

/** @throws ApiError `validation_error` when the record's id is not the one its policy number already has. */
function applyPolicy(draft: Draft, record: PolicyRecord): void {
  if (record._id !== undefined && record._id !== draft.policyId) {
    throw invalid({
      path: '_id',
      message: `policy number ${record.policyNumber} belongs to ${draft.policyId}`,
    });
  }
  const hash = hashOf(record);
  if (hash === draft.ownHash) return;
  const { type: _, isDeleted, ...own } = record;
  draft.own = own;
  draft.ownHash = hash;
  draft.isDeleted = isDeleted ?? draft.isDeleted;
  draft.updatedAt = record.updatedAt;
  draft.changed = true;
}

function applyTransaction(owner: string, draft: Draft, record: PolicyTransactionRecord, at: string): void {
  const id = transactionId(owner, record);
  const recordHash = hashOf(record);
  const known = draft.transactions.get(id);
  if (known?.recordHash === recordHash) return;
  if (known === undefined) draft.count += 1;
  const { type: _, ...fields } = record;
  draft.transactions.set(id, {
    ...fields,
    _id: id,
    policyId: draft.policyId,
    upstreamEntityId: owner,
    transactionFingerprint: record.transactionFingerprint ?? recordHash,
    createdAt: record.createdAt ?? known?.createdAt ?? at,
    updatedAt: record.updatedAt ?? at,
    ordinal: known?.ordinal ?? draft.count,
    recordHash,
  });
  draft.written.add(id);
  draft.updatedAt = record.updatedAt;
  draft.changed = true;
}
