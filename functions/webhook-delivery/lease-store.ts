import { randomBytes } from 'node:crypto';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import {
  drainDays,
  drainKey,
  later,
  lookKeyOf,
  type StoredDrain,
  storedDrain,
  type WebhookReference,
  wantedChange,
} from '../../shared/domain/webhooks/drain-item.ts';
import type { Health } from '../../shared/domain/webhooks/health.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { parseStored } from '../../shared/platform/data/stored.ts';
import { expiresAfterDays } from '../../shared/platform/dates/expiry.ts';
import { leaseSeconds } from './turn.ts';

/** The right to drain a webhook. */
export interface Lease {
  readonly webhook: WebhookReference;
  /** `<when the lease ends>#<random>`. */
  readonly token: string;
  readonly takenAt: Date;
  /** The drain item when the lease was taken. */
  readonly drain: StoredDrain;
}

/** When to look next; without `nextLookAt` nothing is left to do. */
export interface NextLook {
  readonly nextLookAt?: string | undefined;
  /** When the message arrives that is sent for it. */
  readonly delayedUntil?: string | undefined;
  /** Until when a failing webhook rests. */
  readonly restUntil?: string | undefined;
}

export interface LeaseStore {
  /**
   * Takes the lease; undefined while another worker has it, who then sees that it is wanted, or while the webhook rests. What
   * is written before somebody asks for a look is seen by whoever takes the lease afterwards.
   */
  take(webhook: WebhookReference, now: Date): Promise<Lease | undefined>;
  /** Gives the lease back; `wanted` when somebody asked for another look meanwhile, and the lease is kept. */
  release(lease: Lease, next: NextLook): Promise<'released' | 'wanted' | 'lost'>;
  /** Takes note that another look is wanted; it is to follow. */
  clearWanted(lease: Lease): Promise<void>;
  /** Gives the lease back until the webhook has rested; false when another worker took it meanwhile. */
  rest(
    lease: Lease,
    next: { readonly restUntil: string; readonly delayedUntil: string | undefined },
  ): Promise<boolean>;
  /** Gives the lease back and asks for a look by another worker; false as for `rest`. */
  handOver(lease: Lease, now: Date): Promise<boolean>;
  /** Writes what was learned of a receiver; answers its health as it was reset meanwhile, if it was. */
  saveHealth(lease: Lease, health: Health): Promise<StoredDrain | undefined>;
}

type Change = Readonly<
  Record<'UpdateExpression' | 'ConditionExpression', string> & { values: Record<string, unknown> }
>;

export function createLeaseStore(client: DynamoDBClient, table: string): LeaseStore {
  /** Writes the change; `refused` is the item when its condition does not hold. */
  async function write(
    webhook: WebhookReference,
    { values, ...expressions }: Change,
  ): Promise<{ readonly drain: StoredDrain; readonly isRefused: boolean }> {
    try {
      const { Attributes = {} } = await client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: toItem(drainKey(webhook)),
          ...expressions,
          ExpressionAttributeNames: { '#lease': 'lease' },
          ExpressionAttributeValues: toItem(values),
          ReturnValues: 'ALL_NEW',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return { drain: parseDrain(Attributes), isRefused: false };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { drain: parseDrain(error.Item ?? {}), isRefused: true };
    }
  }

  const releaseOf = (
    { webhook: { webhookId }, token }: Lease,
    { nextLookAt, delayedUntil, restUntil }: NextLook,
  ): Omit<Change, 'ConditionExpression'> => {
    const set = [
      ...(nextLookAt === undefined ? [] : ['nextLookAt = :next', 'lookKey = :lookKey']),
      ...(delayedUntil === undefined ? [] : ['delayedUntil = :delayed']),
      ...(restUntil === undefined ? [] : ['restUntil = :rest']),
    ];
    return {
      UpdateExpression: [
        ...(set.length === 0 ? [] : [`SET ${set.join(', ')}`]),
        `REMOVE #lease${nextLookAt === undefined ? ', nextLookAt, lookKey' : ''}`,
      ].join(' '),
      values: {
        ':token': token,
        ':next': nextLookAt,
        ':lookKey': nextLookAt === undefined ? undefined : lookKeyOf(webhookId),
        ':delayed': delayedUntil,
        ':rest': restUntil,
      },
    };
  };

  const refusal = (drain: StoredDrain, { token }: Lease): 'wanted' | 'lost' =>
    drain.lease === token ? 'wanted' : 'lost';

  return {
    async take(webhook, now) {
      const until = later(now, leaseSeconds);
      const token = `${until}#${randomBytes(8).toString('hex')}`;
      const { drain, isRefused } = await write(webhook, {
        UpdateExpression:
          'SET #lease = :token, nextLookAt = :until, lookKey = :lookKey, expiresAt = :expiresAt REMOVE wantedAt, restUntil',
        ConditionExpression:
          '(attribute_not_exists(#lease) OR #lease < :now) AND (attribute_not_exists(restUntil) OR restUntil <= :now)',
        values: {
          ':token': token,
          ':until': until,
          ':lookKey': lookKeyOf(webhook.webhookId),
          ':now': now.toISOString(),
          ':expiresAt': expiresAfterDays(now, drainDays),
        },
      });
      // The answer to the write may have been lost, and its repetition refused.
      if (isRefused && drain.lease !== token) return undefined;
      return { webhook, token, takenAt: now, drain };
    },

    async release(lease, next) {
      const { UpdateExpression, values } = releaseOf(lease, next);
      const { drain, isRefused } = await write(lease.webhook, {
        UpdateExpression,
        ConditionExpression: '#lease = :token AND attribute_not_exists(wantedAt)',
        values,
      });
      return isRefused ? refusal(drain, lease) : 'released';
    },

    async clearWanted(lease) {
      await write(lease.webhook, {
        UpdateExpression: 'REMOVE wantedAt',
        ConditionExpression: '#lease = :token',
        values: { ':token': lease.token },
      });
    },

    async rest(lease, { restUntil, delayedUntil }) {
      const { isRefused } = await write(lease.webhook, {
        ...releaseOf(lease, { nextLookAt: restUntil, restUntil, delayedUntil }),
        ConditionExpression: '#lease = :token',
      });
      return !isRefused;
    },

    async handOver(lease, now) {
      const { UpdateExpression, values } = wantedChange(lease.webhook, now);
      const { isRefused } = await write(lease.webhook, {
        UpdateExpression: `${UpdateExpression} REMOVE #lease`,
        ConditionExpression: '#lease = :token',
        values: { ...values, ':token': lease.token },
      });
      return !isRefused;
    },

    async saveHealth(lease, { failures = 0, firstFailureAt }) {
      const since = lease.drain.healthSince;
      const { drain, isRefused } = await write(lease.webhook, {
        UpdateExpression:
          firstFailureAt === undefined
            ? 'SET failures = :failures REMOVE firstFailureAt'
            : 'SET failures = :failures, firstFailureAt = :first',
        ConditionExpression: `#lease = :token AND ${
          since === undefined ? 'attribute_not_exists(healthSince)' : 'healthSince = :since'
        }`,
        values: {
          ':token': lease.token,
          ':failures': failures,
          ':first': firstFailureAt,
          ':since': since,
        },
      });
      return isRefused ? drain : undefined;
    },
  };
}

const parseDrain = (item: Record<string, AttributeValue>): StoredDrain =>
  parseStored(storedDrain, unmarshall(item));
