import { randomUUID } from 'node:crypto';
import { type DynamoDBClient, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { agentsOfNpn } from '../../shared/domain/agents/agents-of-npn.ts';
import type { StoredAgent } from '../../shared/domain/agents/stored.ts';
import { agentsTable } from '../../shared/domain/agents/table.ts';
import { carrierIdentity, type StoredIdentity } from '../../shared/domain/compliance/carrier-identity.ts';
import { complianceKeys } from '../../shared/domain/compliance/stored.ts';
import type { CompatibleSchema } from '../../shared/platform/contract/compatible.ts';
import { timestamp } from '../../shared/platform/contract/primitives.ts';
import { conditionHeld } from '../../shared/platform/data/condition-held.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { getItem } from '../../shared/platform/data/get-item.ts';
import { retryOnConflict, VersionConflict } from '../../shared/platform/data/optimistic-lock.ts';
import { storedItem } from '../../shared/platform/data/stored.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { type TransactionItem, transact } from '../../shared/platform/data/transact.ts';
import { type Baseline, baseline } from './baseline.ts';
import { isOverdue, withChange } from './window.ts';

const changeItem = storedItem('compliance/change-window', () => ({
  windowId: z.uuid(),
  firstChangeAt: timestamp,
  deliverAfter: timestamp,
  /** Rises by one with each change. */
  version: z.int(),
  /** Whether the queue has accepted the window's message. */
  isQueued: z.boolean(),
  /** The carrier's identity before the first of the changes, where one of them changed it. */
  carrierBefore: z.optional(carrierIdentity),
}));

/** A change of an NPN's compliance that is not reported yet. */
export type PendingChange = z.output<typeof changeItem>;

/** Stores changes, and finds the producers that they may concern. */
export interface ChangeStore {
  /** Opens the NPN's window, or extends it; `carrierBefore` where the carrier's identity changed. */
  note(owner: string, npn: string, now: Date, carrierBefore?: StoredIdentity): Promise<PendingChange>;
  /** Records that the queue has the window's message. */
  queued(owner: string, npn: string, windowId: string): Promise<void>;
  find(owner: string, npn: string): Promise<PendingChange | undefined>;
  /** What was last reported of the NPN. */
  reported(owner: string, npn: string): Promise<Baseline | undefined>;
  /** Writes events of a change before it is settled: those that do not fit into its transaction. */
  emitEarly(items: readonly TransactionItem[]): Promise<void>;
  /**
   * Ends the change together with other items; records what is now reported, if anything.
   * @throws VersionConflict when it has gone on since it was read.
   */
  settle(
    owner: string,
    npn: string,
    change: PendingChange,
    reported: Baseline | undefined,
    items: readonly TransactionItem[],
  ): Promise<void>;
  /** The carrier's producers with an NPN. */
  agentsOf(owner: string, npn: string): Promise<StoredAgent[]>;
}

const reportedItem = storedItem('compliance/reported', baseline);

export function createChangeStore(
  client: DynamoDBClient,
  tables: { readonly compliance: string; readonly agents: string },
): ChangeStore {
  const get = <Schema extends CompatibleSchema>(schema: Schema, key: Record<string, string>) =>
    getItem(client, tables.compliance, key, schema, { consistent: true });

  const unchanged = ({ windowId, version }: PendingChange) => ({
    ConditionExpression: 'windowId = :window AND #version = :version',
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: toItem({ ':window': windowId, ':version': version }),
  });

  return {
    async note(owner, npn, now, carrierBefore) {
      const key = complianceKeys.change(owner, npn);
      return retryOnConflict(async () => {
        const before = await get(changeItem, key);
        const after: PendingChange = {
          ...withChange(before, now),
          windowId: before?.windowId ?? randomUUID(),
          version: (before?.version ?? 0) + 1,
          isQueued: before?.isQueued === true && !isOverdue(before, now),
          carrierBefore: before?.carrierBefore ?? carrierBefore,
        };
        const put = new PutItemCommand({
          TableName: tables.compliance,
          Item: toItem({ ...key, ...after }),
          ...(before === undefined ? { ConditionExpression: 'attribute_not_exists(pk)' } : unchanged(before)),
        });
        if (!(await conditionHeld(client.send(put)))) throw new VersionConflict();
        return after;
      });
    },

    async queued(owner, npn, windowId) {
      await conditionHeld(
        client.send(
          new UpdateItemCommand({
            TableName: tables.compliance,
            Key: toItem(complianceKeys.change(owner, npn)),
            UpdateExpression: 'SET isQueued = :yes',
            ConditionExpression: 'windowId = :window',
            ExpressionAttributeValues: toItem({ ':yes': true, ':window': windowId }),
          }),
        ),
      );
    },

    find: (owner, npn) => get(changeItem, complianceKeys.change(owner, npn)),

    reported: (owner, npn) => get(reportedItem, complianceKeys.reported(owner, npn)),

    emitEarly: (items) => transact(client, items),

    async settle(owner, npn, change, reported, items) {
      await transact(client, [
        {
          write: {
            Delete: {
              TableName: tables.compliance,
              Key: toItem(complianceKeys.change(owner, npn)),
              ...unchanged(change),
            },
          },
          refused: () => new VersionConflict(),
        },
        ...(reported === undefined
          ? []
          : [
              {
                write: {
                  Put: {
                    TableName: tables.compliance,
                    Item: toItem({ ...complianceKeys.reported(owner, npn), ...reported }),
                  },
                },
                refused: () => new VersionConflict(),
              },
            ]),
        ...items,
      ]);
    },

    agentsOf: (owner, npn) => agentsOfNpn(tableOf(agentsTable, client, tables.agents), owner, npn),
  };
}
