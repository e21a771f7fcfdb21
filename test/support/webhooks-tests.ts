// Shared by the tests of webhooks and their deliveries. Each file that imports it gets its own tables, and a receiver, before its
// first test.

import { randomUUID } from 'node:crypto';
import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { tablesOf, webhooksTable } from '#domain/tables.ts';
import { createWaker, drainKey, dueEntries, readDueEntry, storedDrain } from '#domain/webhooks/drain.ts';
import type { DrainQueues } from '#domain/webhooks/drain-queues.ts';
import { createWebhookSecrets } from '#domain/webhooks/secrets.ts';
import {
  deliveryIdOf,
  deliveryItem,
  type QueuedDelivery,
  queuedDelivery,
  type StoredWebhook,
  storedWebhook,
  webhookKeys,
} from '#domain/webhooks/stored.ts';
import { collect } from '#platform/data/concurrently.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { derivedObjectId, newObjectId } from '#platform/data/keys.ts';
import { anyItem, itemKey, parseStored } from '#platform/data/stored.ts';
import { tableOf, writesOf } from '#platform/data/table.ts';
import { wakeOverdue } from '../../functions/webhook-delivery/check-due.ts';
import { type DrainDeps, drain } from '../../functions/webhook-delivery/drain.ts';
import { openConnections } from '../../functions/webhook-delivery/exchange.ts';
import { createDeliveryStore, createLeaseStore } from '../../functions/webhook-delivery/store.ts';
import { createFanoutStore, fanOut } from '../../functions/webhook-fanout/function.ts';
import { webhooksFunction } from '../../functions/webhooks/function.ts';
import { webhookRoutes } from '../../functions/webhooks/routes.ts';
import { createDeliveryRequests, toRedeliver } from '../../functions/webhooks/store.ts';
import { callerOf, type EventOptions, send } from './api-event.ts';
import { testContext } from './context.ts';
import { memoryDataKeys } from './data-keys.ts';
import { memoryQueues, putEvents, putWebhook, webhookSecrets } from './deliveries.ts';
import { type Reply, startReceiver } from './receiver.ts';
import { recordingLogger } from './recording-logger.ts';
import { createTables, dynamo } from './tables.ts';

export const { routes } = webhookRoutes;
const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

export let tables: Readonly<Record<'webhooks' | 'outbox' | 'idempotency' | 'rateCounters', string>>;
/** The receiver’s responses by path; 200 by default. */
export const replies = new Map<string, (time: number) => Reply | Promise<Reply>>();
let receiver: Awaited<ReturnType<typeof startReceiver>>;
const dataKeys = memoryDataKeys();

beforeAll(async () => {
  tables = await createTables(['webhooks', 'outbox', 'idempotency', 'rateCounters']);
  receiver = await startReceiver((path) => {
    const times = receiver.got.filter((one) => one.path === path).length;
    return replies.get(path)?.(times) ?? 200;
  });
});

afterAll(() => receiver.close());

/** The table of webhooks, by a client. */
export const webhooksOf = (client: DynamoDBClient = dynamo) =>
  tableOf(webhooksTable, client, tables.webhooks);

/** A new organization with its queues, and a clock that tests move. */
function newOrganization(startsAt: number) {
  const owner = newObjectId(new Date());
  let time = startsAt;
  const now = () => new Date(time);
  const items = (pk: string) => collect(webhooksOf().query(anyItem, pk, { consistent: true }));
  const read = async (key: Record<string, string>) => {
    const { Item } = await dynamo.send(
      new GetItemCommand({ TableName: tables.webhooks, Key: toItem(key), ConsistentRead: true }),
    );
    return Item && unmarshall(Item);
  };
  return {
    owner,
    now,
    memory: memoryQueues(now),
    advance: (ms: number) => {
      time += ms;
    },
    items,
    /** A webhook as it is stored; undefined if it is deleted. */
    async stored({ _id }: Pick<StoredWebhook, '_id'>) {
      const item = await read(webhookKeys.webhook(owner, _id));
      return item && parseStored(storedWebhook, item);
    },
    async storedDelivery(webhookId: string, deliveryId: string) {
      const item = await read(webhookKeys.delivery(owner, webhookId, deliveryId));
      return item && { ...parseStored(queuedDelivery, item), expiresAt: Number(item['expiresAt']) };
    },
    async drainItem({ _id: webhookId }: Pick<StoredWebhook, '_id'>) {
      const item = await read(drainKey({ owner, webhookId }));
      return item && parseStored(storedDrain, item);
    },
    /** The due entries of a webhook, soonest first. */
    entries: ({ _id }: Pick<StoredWebhook, '_id'>) => items(dueEntries(owner, _id)),
  };
}

/** When the carriers of these tests got their first deliveries; they call ten days later. */
export const start = Date.UTC(2026, 5, 1);

/** A new carrier with its queues, and the operations it calls. @param broken whether its queue fails at this send. */
export function newCarrier(broken: (sends: number) => boolean = () => false) {
  const organization = newOrganization(start + 10 * day);
  const { owner, now, memory } = organization;
  let sends = 0;
  const queues: DrainQueues = {
    async send(looks) {
      sends += 1;
      if (broken(sends)) throw new Error('The queue is unavailable.');
      await memory.queues.send(looks);
    },
  };
  const pipeline = webhooksFunction.compose({
    dynamo,
    queues,
    dataKeys,
    tables,
    addressRules: { loopback: false },
    context: testContext({ now }),
  });
  const identity = callerOf(owner);
  const ask = (route: Parameters<typeof send>[1], options: EventOptions = {}) =>
    send(pipeline, route, { identity, ...options });
  const create = (body: object = {}, options: EventOptions = {}) =>
    ask(routes.createWebhook, {
      body: { url: 'https://example.com/hooks', types: ['CONTRACT_SIGNED'], ...body },
      ...options,
    });
  const of = (webhookId: string) => ({ params: { webhookId } });
  return {
    ...organization,
    ask,
    create,
    async created(body: object = {}) {
      const { data } = await create(body);
      return { webhookId: String(data['_id']), secret: String(data['secret']) };
    },
    get: (webhookId: string) => ask(routes.getWebhook, of(webhookId)),
    update: (webhookId: string, body: object) => ask(routes.updateWebhook, { ...of(webhookId), body }),
    rotate: (webhookId: string) => ask(routes.rotateWebhookSecret, of(webhookId)),
    delete: (webhookId: string) => ask(routes.deleteWebhook, of(webhookId)),
    async listed(route: Parameters<typeof send>[1] = routes.listWebhooks) {
      const { data } = await ask(route);
      return data as unknown as Record<string, unknown>[];
    },
    test: ({ _id }: StoredWebhook, body: object = {}, headers: Record<string, string> = {}) =>
      ask(routes.testWebhook, { ...of(_id), body, headers }),
    redeliver: (
      { _id: webhookId }: StoredWebhook,
      deliveryId: string,
      headers: Record<string, string> = {},
    ) => ask(routes.redeliverWebhookDelivery, { params: { webhookId, deliveryId }, headers }),
    replay: ({ _id }: StoredWebhook, body: object, headers: Record<string, string> = {}) =>
      ask(routes.replayWebhook, { ...of(_id), body, headers }),
    /** A webhook that is stored without the API. */
    webhook: (given: Partial<StoredWebhook> = {}) => putWebhook(tables.webhooks, owner, given),
    /** A webhook as it is stored, with its secrets as they are once decrypted. */
    async revealed(webhookId: string) {
      const stored = await organization.stored({ _id: webhookId });
      return stored && { ...stored, ...(await createWebhookSecrets(dataKeys, now).reveal(stored)) };
    },
    /** Ids of the deliveries in a webhook's due entries, soonest first. */
    async due({ _id }: StoredWebhook): Promise<string[]> {
      const entries = webhooksOf().query(itemKey, dueEntries(owner, _id), { consistent: true });
      return (await collect(entries)).map((entry) => readDueEntry(entry).deliveryId);
    },
    /** Stores deliveries made a second apart. */
    async deliveries(
      { _id: webhookId }: Pick<StoredWebhook, '_id'>,
      each: readonly Partial<QueuedDelivery>[],
    ) {
      const all = each.map((given, index): QueuedDelivery => {
        const at = new Date(start + index * 1_000).toISOString();
        return {
          _id: derivedObjectId(webhookId, String(index)),
          webhookId,
          eventId: randomUUID(),
          webhookType: 'CONTRACT_SIGNED',
          status: 'succeeded',
          attempts: [],
          nextAttemptAt: null,
          createdAt: at,
          updatedAt: at,
          event: { entityId: webhookId, sequence: 1 },
          attempt: 2,
          retry: 1,
          ...given,
        };
      });
      await writesOf(dynamo, tables.webhooks).putAll(all.map((one) => deliveryItem(owner, one)));
      return all;
    },
  };
}

export const span = (from: number, to: number) => ({
  since: new Date(start + from * 1_000).toISOString(),
  until: new Date(start + to * 1_000).toISOString(),
});

/** The queues’ visibility timeout, after which the message of a worker that crashed is redelivered. */
const visibilityMs = 450_000;

/** What a worker is made of, over a client that may crash it. */
export const workerParts = (
  client: DynamoDBClient,
  { queues, now }: { readonly queues: DrainQueues; readonly now: () => Date },
) => ({
  leases: createLeaseStore(webhooksOf(client)),
  store: createDeliveryStore(tablesOf(client, tables)),
  waker: createWaker(webhooksOf(client), { queues, now }),
  queues,
});

type TestEvent = Awaited<ReturnType<typeof putEvents>>[number];

/** A new organization, and the workers of its webhooks. */
export function newContext() {
  const organization = newOrganization(Date.now());
  const { owner, now, memory, advance, items } = organization;
  const log = recordingLogger();
  const parts = workerParts(dynamo, { queues: memory.queues, now });
  const deps: DrainDeps = {
    ...parts,
    secrets: webhookSecrets,
    connect: () => openConnections({ rules: { loopback: true }, timeLimitMs: 20_000 }),
    now,
    random: () => 0.5,
    log,
  };
  const got = (path: string) => receiver.got.filter((one) => one.path === path);

  /** When the schedule, which comes every minute, finds the first webhook that is overdue. */
  const nextTick = async (): Promise<number> => {
    const looks = (await items(`${owner}#DRAIN`)).flatMap((item) => item['nextDrainAt'] ?? []);
    const first = Math.min(...looks.map((at) => Date.parse(String(at))));
    return Math.max(now().getTime(), Math.ceil(first / minute) * minute);
  };
  /** The schedule, as far as this organization's webhooks are concerned. */
  const tick = () =>
    wakeOverdue({
      webhooks: {
        async *overdue(at) {
          const found = (await items(`${owner}#DRAIN`)).filter(
            ({ nextDrainAt }) => nextDrainAt !== undefined && String(nextDrainAt) <= at.toISOString(),
          );
          yield found.map(({ sk }) => ({ owner, webhookId: String(sk) }));
        },
      },
      waker: parts.waker,
      now,
      log,
    });

  return {
    ...organization,
    log,
    deps,
    waker: parts.waker,
    got,
    webhook: (path: string, given: Partial<StoredWebhook> = {}) =>
      putWebhook(tables.webhooks, owner, { url: receiver.url(path), ...given }),
    events: (count: number) => putEvents(tables.outbox, owner, count),
    async event(): Promise<TestEvent> {
      const [event] = await putEvents(tables.outbox, owner, 1);
      if (event === undefined) throw new Error('No event.');
      return event;
    },
    /** Fans out a batch of the queue. */
    async fanOut(events: TestEvent | readonly TestEvent[], queues: DrainQueues = memory.queues) {
      const waker = createWaker(webhooksOf(), { queues, now });
      const batch = fanOut({ store: createFanoutStore(webhooksOf()), waker, now, log });
      await Promise.all([events].flat().map((detail) => batch.work({ message: { detail }, last: false })));
      await batch.finish();
    },
    delivery: (eventId: string, { _id }: StoredWebhook) =>
      organization.storedDelivery(_id, deliveryIdOf(eventId, _id)),
    /** Asks for a delivery anew, as the API does. */
    async redeliver(eventId: string, { _id: webhookId }: StoredWebhook) {
      const requests = createDeliveryRequests(webhooksOf());
      const found = await requests.find(owner, webhookId, deliveryIdOf(eventId, webhookId));
      if (found.delivery === undefined) throw new Error('There is no such delivery.');
      const asked = toRedeliver(found.delivery, now());
      await requests.requestRedelivery({ owner, webhookId }, [asked], []);
      await parts.waker.send({ owner, webhookId }, found.drain);
    },
    /** Works on the next message that is visible now. */
    async workOnce(some: Partial<DrainDeps> = {}): Promise<void> {
      const next = memory.take({ dueBy: now().getTime() });
      if (next === undefined) throw new Error('There is no message.');
      await drain({ message: next.message }, { ...deps, ...some });
    },
    /**
     * Lets time pass until nothing is left to do: workers get messages as they become visible, again if they crashed, and
     * the schedule comes every minute. Answers the number of messages.
     */
    async drain(some: Partial<DrainDeps> = {}, atMost = 200): Promise<number> {
      for (let count = 0; ; ) {
        if (count === atMost) throw new Error('There is always something left to do.');
        const dueBy = await nextTick();
        const next = memory.take({ dueBy });
        if (next === undefined) {
          if (dueBy === Number.POSITIVE_INFINITY) return count;
          advance(dueBy - now().getTime());
          await tick();
          continue;
        }
        advance(Math.max(0, next.visibleAt - now().getTime()));
        count += 1;
        try {
          await drain({ message: next.message }, { ...deps, ...some });
        } catch {
          memory.waiting.push({ ...next, visibleAt: now().getTime() + visibilityMs });
        }
      }
    },
  };
}

export const outcomes = ({ log }: ReturnType<typeof newContext>): unknown[] =>
  log.lines.filter(({ event }) => event === 'webhook_delivery').map(({ outcome }) => outcome);
