import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import {
  type Destination,
  destination as destinationSchema,
  longestAnswer,
  partsOf,
} from '../../shared/domain/webhooks/resource.ts';
import type { RoleCredentials, RoleSessions } from '../../shared/domain/webhooks/role-sessions.ts';
import { clientDefaults } from '../../shared/platform/aws/client-defaults.ts';
import { roleSessionSeconds } from '../../shared/platform/aws/limits.ts';
import { isTransient } from '../../shared/platform/aws/transient-errors.ts';
import { expiringCache } from '../../shared/platform/data/caches.ts';
import type { DestinedEvent, SendEvent } from './destined-events.ts';
import { type Exchanged, wholeExchange } from './exchange.ts';

/**
 * Sends an event of an organization to its destination and says what came of it.
 * @throws the SDK's error when STS throttles this service or cannot be reached, which is no fault of the receiver.
 */
export type SendToDestination = (
  owner: string,
  destination: Destination,
  event: DestinedEvent,
) => Promise<Exchanged>;

/** Milliseconds before their end at which credentials are no longer used. */
const marginMs = 60_000;

/** Destinations whose credentials an instance keeps. */
const cachedDestinations = 200;

function queueSender(destination: Destination, region: string, credentials: RoleCredentials): SendEvent {
  const { account, name } = partsOf(destination);
  // The region's endpoint, and not that of the address: locally the two differ.
  const client = new SQSClient({
    ...clientDefaults('sqs'),
    region,
    credentials,
    useQueueUrlAsEndpoint: false,
  });
  const QueueUrl = `https://sqs.${region}.amazonaws.com/${account}/${name}`;
  return async ({ detail, headers, groupId, deduplicationId }) => {
    const attributes = Object.entries(headers).map(([header, StringValue]) => [
      header,
      { DataType: 'String', StringValue },
    ]);
    const fifo = { MessageGroupId: groupId, MessageDeduplicationId: deduplicationId };
    const { MessageId } = await client.send(
      new SendMessageCommand({
        QueueUrl,
        MessageBody: detail,
        MessageAttributes: Object.fromEntries(attributes),
        ...(name.endsWith('.fifo') ? fifo : {}),
      }),
    );
    return MessageId;
  };
}

/** The key of cached credentials: organization and destination. */
const keyed = z.tuple([z.string(), destinationSchema]);

const refusal = z.object({
  name: z.string(),
  message: z.string(),
  $metadata: z.object({ httpStatusCode: z.int() }),
});

const unanswered = { statusCode: null, responseBody: null } as const;

/** Sends over credentials that it keeps for each destination until they end, or until a call with them fails. */
export function createDestinations(roles: RoleSessions, now: () => Date): SendToDestination {
  const senders = expiringCache<SendEvent>({
    // An organization's role is assumed with its id, so what is kept for one is never another's.
    load: async (key) => {
      const [owner, destination] = z.parse(keyed, JSON.parse(key));
      const credentials = await roles.assume(destination.roleArn, owner);
      const { region } = partsOf(destination);
      if (destination.type === 'sqs') return queueSender(destination, region, credentials);
      const { busSender } = await import('./bus-sender.ts');
      return busSender(destination.arn, region, credentials);
    },
    lifetimeMs: roleSessionSeconds * 1_000 - marginMs,
    capacity: cachedDestinations,
    now: () => now().getTime(),
  });

  /** What came of it, but for how long it took. */
  async function send(key: string, event: DestinedEvent) {
    let isAssumed = false;
    try {
      const sender = await senders.get(key);
      isAssumed = true;
      const id = (await sender(event)) ?? '';
      return { statusCode: 200, error: null, responseBody: id };
    } catch (error) {
      // The role may have been made anew, or allow again what it did not.
      senders.forget(key);
      // Recorded, it would count against the receiver; unrecorded, the delivery stays due for the next worker.
      if (!isAssumed && isTransient(error)) throw error;
      const { data } = z.safeParse(refusal, error);
      if (data === undefined) {
        const isLate = error instanceof Error && error.name === 'TimeoutError';
        return { ...unanswered, error: isLate ? 'timeout' : 'connection failed' } as const;
      }
      // What STS says names this service's own role.
      const reason = isAssumed ? `${data.name}: ${data.message}` : `AssumeRole: ${data.name}`;
      const responseBody = reason.slice(0, longestAnswer);
      return { statusCode: data.$metadata.httpStatusCode, error: 'refused', responseBody } as const;
    }
  }

  return async (owner, destination, event) => {
    const startedAt = performance.now();
    const over = new AbortController();
    const late = { ...unanswered, error: 'timeout' } as const;
    try {
      const answer = await Promise.race([
        send(JSON.stringify([owner, destination]), event),
        pause(wholeExchange, late, { signal: over.signal }),
      ]);
      return { ...answer, durationMs: Math.round(performance.now() - startedAt), retryAfter: null };
    } finally {
      over.abort();
    }
  };
}
