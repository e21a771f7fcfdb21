import { setTimeout as pause } from 'node:timers/promises';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { deliveryIdOf, failingAfter, webhookKeys } from '#domain/webhooks/stored.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { unreadableSeconds } from '../../functions/webhook-delivery/check-due.ts';
import { attemptsAtOnce, type DrainDeps, drain, pageSizes } from '../../functions/webhook-delivery/drain.ts';
import type { Exchange, ExchangeResult } from '../../functions/webhook-delivery/exchange.ts';
import { leaseSeconds } from '../../functions/webhook-delivery/uses.ts';
import { withFaults } from '../support/faults.ts';
import { dynamo } from '../support/tables.ts';
import { until } from '../support/until.ts';
import { newContext, outcomes, tables, webhooksOf } from '../support/webhooks-tests.ts';

const exchanged = (statusCode: number, more: Partial<ExchangeResult> = {}): ExchangeResult => ({
  statusCode,
  error: null,
  durationMs: 1,
  responseBody: '',
  retryAfter: null,
  ...more,
});

/** Connections that lead to no receiver. */
const answering = (exchange: Exchange): Pick<DrainDeps, 'connect'> => ({
  connect: () => ({ exchange, close: () => undefined }),
});

/** A webhook with so many events that wait. */
async function waiting(count: number) {
  const context = newContext();
  const webhook = await context.webhook('/waiting');
  const events = await context.events(count);
  await context.fanOut(events);
  return { context, webhook, events };
}

describe('concurrently', () => {
  test('several messages of one webhook make each attempt once', async () => {
    const { context, webhook, events } = await waiting(3);
    const next = context.memory.take();
    if (next === undefined) throw new Error('No message.');
    const drains = Array.from({ length: 8 }, () => drain({ message: next.message }, context.deps));
    expect(await Promise.all(drains)).toEqual(Array(8).fill('done'));
    await context.drain();
    for (const { eventId } of events) {
      expect((await context.delivery(eventId, webhook))?.attempts).toHaveLength(1);
    }
    expect(
      context.got('/waiting').filter(({ headers }) => headers['x-service-webhook-id'] === webhook._id),
    ).toHaveLength(3);
  });

  test('a webhook that is deleted has few more attempts', async () => {
    const { context, webhook } = await waiting(100);
    const urls: string[] = [];
    let after = 0;
    let isChanged = false;
    let changed: Promise<void> | undefined;
    await context.workOnce(
      answering(async ({ url }) => {
        urls.push(url);
        if (isChanged && url === webhook.url) after += 1;
        if (urls.length === 10) {
          changed = webhooksOf()
            .delete(webhookKeys.webhook(context.owner, webhook._id))
            .then(() => {
              isChanged = true;
            });
        }
        await changed;
        return exchanged(200);
      }),
    );
    // Those that were about to begin, and those of a reading.
    expect(after).toBeLessThanOrEqual(20);
    expect(urls.filter((url) => url === webhook.url).length).toBeLessThan(60);
  });

  test('a delivery that waits for its retry goes to the URL that its webhook has by then', async () => {
    const { context, webhook } = await waiting(1);
    const [urls, url] = [[] as string[], 'https://example.com/moved'];
    const connections = answering(async (outgoing) => {
      urls.push(outgoing.url);
      return exchanged(urls.length === 1 ? 500 : 200);
    });
    await context.workOnce(connections);
    const { update } = webhooksOf();
    await update(webhookKeys.webhook(context.owner, webhook._id), { url, version: webhook.version + 1 });
    await context.drain(connections);
    expect(urls).toEqual([webhook.url, url]);
  });

  test('an attempt whose delivery is deleted meanwhile is recorded nowhere', async () => {
    const { context, webhook, events } = await waiting(1);
    const [{ eventId } = { eventId: '' }] = events;
    const key = webhookKeys.delivery(context.owner, webhook._id, deliveryIdOf(eventId, webhook._id));
    await context.workOnce(
      answering(async () => {
        await webhooksOf().delete(key);
        return exchanged(200);
      }),
    );
    expect(outcomes(context)).toEqual(['succeeded']);
    expect(await context.delivery(eventId, webhook)).toBeUndefined();
    expect(await context.entries(webhook)).toEqual([]);
  });

  test('an attempt that cannot be added to the log of a delivery that went on fails its worker', async () => {
    const { context, webhook, events } = await waiting(1);
    let isAsked = false;
    const work = () =>
      context.workOnce(
        answering(async () => {
          if (!isAsked) await context.redeliver(events[0]?.eventId ?? '', webhook);
          isAsked = true;
          return exchanged(200);
        }),
      );
    const fault = (command: string) =>
      isAsked && command === 'TransactWriteItemsCommand' ? 'before' : 'none';
    await expect(withFaults(fault, work)).rejects.toThrow('broke off');
  });

  test(`a healthy webhook gets at most ${attemptsAtOnce.healthy} attempts at once, with a backlog ${attemptsAtOnce.backlog}, a failing one ${attemptsAtOnce.failing}`, async () => {
    const { context } = await waiting(pageSizes.healthy + attemptsAtOnce.healthy + 10);
    let under = 0;
    let most = 0;
    let status = 200;
    let made = 0;
    let allowed: number = attemptsAtOnce.backlog;
    const connections = answering(async () => {
      made += 1;
      if (made === pageSizes.healthy + 1) {
        expect(most).toBe(attemptsAtOnce.backlog);
        most = 0;
        allowed = attemptsAtOnce.healthy;
      }
      under += 1;
      most = Math.max(most, under);
      await until(() => most >= allowed);
      // One that is too many would begin now.
      await pause(20);
      under -= 1;
      return exchanged(status);
    });
    let queries = 0;
    await withFaults(
      (command) => {
        if (command === 'QueryCommand') queries += 1;
        return 'none';
      },
      () => context.workOnce(connections),
    );
    // One of each page: a webhook that is as it was when it is read again is not checked again.
    expect(queries).toBe(2);
    expect(most).toBe(attemptsAtOnce.healthy);
    expect(outcomes(context)).toHaveLength(made);

    status = 500;
    await context.fanOut(await context.events(failingAfter));
    await context.workOnce(connections);
    most = 0;
    allowed = attemptsAtOnce.failing;
    await context.fanOut(await context.events(3));
    await context.workOnce(connections);
    expect(most).toBe(attemptsAtOnce.failing);
  });
});

describe('a webhook’s health', () => {
  const queuesOf = (context: ReturnType<typeof newContext>) =>
    context.memory.waiting.map(({ message: { queue } }) => queue);

  test(`is failing after ${failingAfter} failures in a row and healthy after one success`, async () => {
    const { context, webhook } = await waiting(failingAfter - 1);
    const replying = (status: number) => answering(async () => exchanged(status));
    const queueOfNext = async () => {
      context.memory.waiting.splice(0);
      await context.fanOut(await context.event());
      return queuesOf(context);
    };
    await context.workOnce(replying(500));
    expect(await queueOfNext()).toEqual(['healthy']);
    await context.workOnce(replying(500));
    expect(await context.drainItem(webhook)).toMatchObject({ failures: failingAfter });
    const [failing] = context.log.lines.filter(({ event }) => event === 'webhook_failing');
    expect(failing).toMatchObject({ fault: 'status 500' });
    expect(await queueOfNext()).toEqual(['failing']);
    await context.fanOut(await context.event());
    // What is due besides is left to the other queue.
    await context.workOnce(replying(200));
    expect(await context.drainItem(webhook)).toMatchObject({ failures: 0 });
    expect(outcomes(context).slice(failingAfter)).toEqual(['succeeded']);
    expect(queuesOf(context)).toEqual(['healthy']);
    await context.drain(replying(200));
    expect(outcomes(context).slice(failingAfter)).toEqual(Array(failingAfter + 2).fill('succeeded'));
  });

  test('is failing at once if the receiver does not answer in time', async () => {
    const { context, webhook } = await waiting(1);
    await context.workOnce(answering(async () => exchanged(0, { statusCode: null, error: 'timeout' })));
    expect(await context.drainItem(webhook)).toMatchObject({ failures: failingAfter });
    // On-call is notified when several hosts begin to fail.
    expect(context.log.lines).toContainEqual({
      level: 'warn',
      message: 'webhook failing',
      event: 'webhook_failing',
      upstreamEntityId: context.owner,
      webhookId: webhook._id,
      host: new URL(webhook.url ?? '').host,
      fault: 'timeout',
    });
  });

  test('that became failing backs off for half a minute at most, and is drained then', async () => {
    const { context, webhook } = await waiting(attemptsAtOnce.healthy + 1);
    await context.workOnce(
      answering(async () => {
        context.advance(15_000);
        return exchanged(0, { statusCode: null, error: 'timeout' });
      }),
    );
    const until = new Date(context.now().getTime() + 30_000).toISOString();
    expect(await context.drainItem(webhook)).toEqual({
      failures: failingAfter,
      firstFailureAt: expect.any(String),
      nextDrainAt: until,
      backOffUntil: until,
      delayedUntil: until,
    });
    expect(context.memory.waiting).toEqual([
      { message: expect.objectContaining({ queue: 'failing' }), visibleAt: Date.parse(until) },
    ]);
    expect(context.log.lines).toContainEqual(expect.objectContaining({ outcome: 'backs_off' }));
  });

  test.each([7, 14])(
    'that is failing has a worker for half of each minute at most, with attempts of %d s',
    async (seconds) => {
      const { context } = await waiting(failingAfter);
      const slow = answering(async () => {
        context.advance(seconds * 1_000);
        return exchanged(500);
      });
      await context.workOnce(slow);
      await context.fanOut(await context.events(80));
      context.log.lines.splice(0);
      const { waiting: messages } = context.memory;
      const began = context.now().getTime();
      while (context.now().getTime() < began + 3 * 60_000) {
        const visibleAt = Math.min(...messages.map((message) => message.visibleAt));
        context.advance(Math.max(0, visibleAt - context.now().getTime()));
        await context.workOnce(slow);
      }
      const worked = context.log.lines.map(({ durationMs }) => Number(durationMs ?? 0));
      const inAll = context.now().getTime() - began;
      expect(worked.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(inAll / 2 + 30_000);
    },
  );

  test('is forgotten when its owner resets it during an attempt', async () => {
    const { context, webhook } = await waiting(1);
    const key = { pk: `${context.owner}#DRAIN`, sk: webhook._id };
    const reset = new UpdateItemCommand({
      TableName: tables.webhooks,
      Key: toItem(key),
      UpdateExpression: 'SET healthSince = :now REMOVE failures, firstFailureAt, restUntil',
      ExpressionAttributeValues: toItem({ ':now': context.now().toISOString() }),
    });
    await context.workOnce(
      answering(async () => {
        await dynamo.send(reset);
        return exchanged(500);
      }),
    );
    expect((await context.drainItem(webhook))?.failures).toBeUndefined();
  });
});

describe('a drain', () => {
  test('is requeued for another worker when its time is up', async () => {
    const { context, webhook } = await waiting(attemptsAtOnce.healthy * 2);
    const slow = answering(async () => {
      context.advance(14_000);
      return exchanged(200);
    });
    await context.workOnce(slow);
    expect(await context.entries(webhook)).not.toEqual([]);
    expect(context.memory.waiting).toEqual([
      { message: expect.objectContaining({ queue: 'healthy' }), visibleAt: context.now().getTime() },
    ]);
    await context.drain(answering(async () => exchanged(200)));
    expect(outcomes(context)).toEqual(Array(attemptsAtOnce.healthy * 2).fill('succeeded'));
  });

  test('makes a retry itself that is due when its check ends', async () => {
    const { context } = await waiting(2);
    let made = 0;
    await context.workOnce(
      answering(async () => {
        made += 1;
        if (made !== 2) return exchanged(made === 1 ? 500 : 200);
        await until(() => outcomes(context).length === 1);
        context.advance(6_000);
        return exchanged(200);
      }),
    );
    expect(made).toBe(3);
  });

  test('has no lease to give back that another worker has taken meanwhile', async () => {
    const { context, webhook } = await waiting(1);
    let other: string | undefined;
    await context.workOnce(
      answering(async () => {
        if (other === undefined) {
          other = '';
          context.advance((leaseSeconds + 1) * 1_000);
          const of = { owner: context.owner, webhookId: webhook._id };
          other = (await context.deps.leases.take(of, context.now()))?.token;
        }
        return exchanged(200);
      }),
    );
    expect(other).toBeDefined();
    expect((await context.drainItem(webhook))?.lease).toBe(other);
    expect(context.memory.waiting).toEqual([]);
    expect(context.log.lines).toContainEqual(expect.objectContaining({ outcome: 'lost' }));
  });

  test('leaves out a delivery that cannot be read, and makes its attempt when it has been mended', async () => {
    const { context, webhook, events } = await waiting(2);
    const [broken, other] = events.map(({ eventId }) => eventId);
    if (broken === undefined || other === undefined) throw new Error('No events.');
    const setAttempt = (attempt: unknown) =>
      dynamo.send(
        new UpdateItemCommand({
          TableName: tables.webhooks,
          Key: toItem(webhookKeys.delivery(context.owner, webhook._id, deliveryIdOf(broken, webhook._id))),
          UpdateExpression: 'SET attempt = :attempt',
          ExpressionAttributeValues: toItem({ ':attempt': attempt }),
        }),
      );
    await setAttempt('one');
    await context.workOnce();
    expect(await context.delivery(other, webhook)).toMatchObject({ status: 'succeeded' });
    expect(await context.entries(webhook)).toHaveLength(1);
    expect(context.log.lines).toContainEqual(
      expect.objectContaining({ level: 'error', event: 'delivery_unreadable' }),
    );
    await setAttempt(1);
    const before = context.now().getTime();
    await context.drain();
    expect(await context.delivery(broken, webhook)).toMatchObject({ status: 'succeeded' });
    expect(context.now().getTime() - before).toBeGreaterThanOrEqual(unreadableSeconds * 1_000);
    expect(await context.entries(webhook)).toEqual([]);
  });
});
