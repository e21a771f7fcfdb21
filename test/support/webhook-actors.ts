// Shared by the tests in which workers of webhooks crash and meet: machines that can be stopped at every call, and what
// happens to webhooks. Each file that imports it gets its own tables before its first test.

import { randomUUID } from 'node:crypto';
import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { DrainMessage } from '#domain/webhooks/drain-queues.ts';
import {
  type QueuedDelivery,
  queuedDelivery,
  type StoredWebhook,
  webhookKeys,
} from '#domain/webhooks/stored.ts';
import { collect } from '#platform/data/concurrently.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { itemKey } from '#platform/data/stored.ts';
import { drain } from '../../functions/webhook-delivery/drain.ts';
import type { Exchange } from '../../functions/webhook-delivery/exchange.ts';
import { redeliverWebhookDelivery, replayWebhook } from '../../functions/webhooks/deliver-again.ts';
import type { Deps as WebhookDeps } from '../../functions/webhooks/function.ts';
import { createDeliveryRequests, createWebhookStore } from '../../functions/webhooks/store.ts';
import { deleteWebhook, updateWebhook } from '../../functions/webhooks/webhooks.ts';
import { webhookSecrets } from './deliveries.ts';
import { dynamo } from './tables.ts';
import { newContext, tables, webhooksOf, workerParts } from './webhooks-tests.ts';

/** Runs every call of a machine to the database, a queue or a receiver; to stop the machine there, it throws. */
export type Gate = <Result>(call: () => Promise<Result>) => Promise<Result>;

export const openGate: Gate = (call) => call();

/** What stops a machine: its calls that are under way take effect, and it hears of none of them. */
export class Crashed extends Error {
  override readonly name = 'Crashed';
}

/** An organization, and what happens to its webhooks by machines behind a gate. */
export function newWorld() {
  const context = newContext();
  const { owner, now, memory } = context;
  /** Attempts that reached the receiver, by event. */
  const received = new Map<string, number>();
  const undelivered: Awaited<ReturnType<typeof context.event>>[] = [];
  /** Attempts at an event that fail. */
  let failing: (eventId: string) => number = () => 0;

  const receive: Exchange = async ({ headers }) => {
    const eventId = headers['webhook-id'] ?? '';
    const count = (received.get(eventId) ?? 0) + 1;
    received.set(eventId, count);
    const statusCode = count <= failing(eventId) ? 500 : 200;
    return { statusCode, error: null, durationMs: 1, responseBody: '', retryAfter: null };
  };

  const machine = (gate: Gate) => {
    const send = (command: never) => gate(() => dynamo.send(command));
    const client: DynamoDBClient = new Proxy(dynamo, {
      get: (target, name) => (name === 'send' ? send : Reflect.get(target, name)),
    });
    const queues = {
      send: (looks: Parameters<typeof memory.queues.send>[0]) => gate(() => memory.queues.send(looks)),
    };
    const exchange: Exchange = (outgoing) => gate(() => receive(outgoing));
    return { client, exchange, ...workerParts(client, { queues, now }) };
  };

  /** A webhook that the API may delete. */
  const newWebhook = async (path: string): Promise<StoredWebhook> => {
    const webhook = await context.webhook(path);
    const add = new UpdateItemCommand({
      TableName: tables.webhooks,
      Key: toItem(webhookKeys.count(owner)),
      UpdateExpression: 'ADD #count :one',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: toItem({ ':one': 1 }),
    });
    await dynamo.send(add);
    return webhook;
  };

  const request = {
    query: {},
    identity: { organizationId: owner, category: 'upstreamEntity' as const, credentialId: randomUUID() },
    requestId: randomUUID(),
    headers: {},
    baseUrl: () => '',
    recordResponse: () => [],
  };
  /** The API's operations. What it sends is lost when the queue fails, as the function's own look is. */
  const api = (gate: Gate) => {
    const { client, waker } = machine(gate);
    const deps = {
      webhooks: createWebhookStore(webhooksOf(client)),
      deliveries: createDeliveryRequests(webhooksOf(client)),
      addressRules: { loopback: true },
      secrets: webhookSecrets,
      sendDrain: waker.send,
    } as WebhookDeps;
    const change = (webhookId: string, body: { isActive?: boolean; url?: string }) =>
      updateWebhook({ ...request, params: { webhookId }, body, now: now() }, deps);
    return {
      disable: ({ _id }: StoredWebhook) => change(_id, { isActive: false }),
      enable: ({ _id }: StoredWebhook) => change(_id, { isActive: true }),
      move: ({ _id, url }: StoredWebhook) => change(_id, { url: `${url}/moved` }),
      delete: ({ _id: webhookId }: StoredWebhook) =>
        deleteWebhook({ ...request, params: { webhookId }, body: undefined, now: now() }, deps),
      replay: ({ _id: webhookId }: StoredWebhook) => {
        const body = {
          since: new Date('2020-01-01T00:00:00.000Z'),
          until: new Date('2100-01-01T00:00:00.000Z'),
        };
        return replayWebhook({ ...request, params: { webhookId }, body, now: now() }, deps);
      },
      redeliver: ({ webhookId, _id: deliveryId }: Pick<QueuedDelivery, 'webhookId' | '_id'>) =>
        redeliverWebhookDelivery(
          { ...request, params: { webhookId, deliveryId }, body: undefined, now: now() },
          deps,
        ),
    };
  };

  return {
    context,
    webhook: newWebhook,
    received,
    /** Events whose message the queue delivers again, since their fan-out was not done. */
    undelivered,
    failAttempts(count: (eventId: string) => number) {
      failing = count;
    },
    api,
    /** A worker's drain for a message. */
    drain(message: DrainMessage, gate: Gate) {
      const { exchange, ...parts } = machine(gate);
      const connect = () => ({ exchange, close: () => undefined });
      return drain({ message }, { ...context.deps, ...parts, connect });
    },
    fanOut(event: Parameters<typeof context.fanOut>[0], gate: Gate) {
      const { client, queues } = machine(gate);
      return context.fanOut(event, { client, queues });
    },
    tick: (gate: Gate) => context.tick(machine(gate).waker),
    /** Lets time pass until nothing is left to do, without crashes. */
    settle: () => context.drain({ connect: () => ({ exchange: receive, close: () => undefined }) }),
    async deliveries({ _id }: StoredWebhook): Promise<QueuedDelivery[]> {
      const table = webhooksOf();
      const keys = await collect(table.query(itemKey, `${owner}#${_id}`, { index: 'by-webhook' }));
      return table.getInOrder(queuedDelivery, keys);
    },
  };
}

export type World = ReturnType<typeof newWorld>;

/**
 * What is wrong with a webhook when nothing is left to do: every delivery that has a next attempt, of an active webhook, was
 * to be delivered by then, and nothing is left that a worker or the schedule would look at.
 */
export async function faultsOf(world: World, webhook: StoredWebhook): Promise<string[]> {
  const { context } = world;
  const faults: string[] = [];
  const entries = await context.entries(webhook);
  if (entries.length > 0) faults.push(`${entries.length} due entries are left`);
  if ((await context.drainItem(webhook))?.nextDrainAt !== undefined) faults.push('a look is still planned');
  // Nobody sees the deliveries of a deleted webhook, which expire.
  if ((await context.stored(webhook)) === undefined) return faults;
  const deliveries = await world.deliveries(webhook);
  for (const { eventId, status, nextAttemptAt } of deliveries) {
    if (nextAttemptAt !== null)
      faults.push(`${eventId} is ${status} and never gets its attempt of ${nextAttemptAt}`);
    if (status === 'succeeded' && !world.received.has(eventId)) faults.push(`${eventId} was never received`);
  }
  return faults;
}
