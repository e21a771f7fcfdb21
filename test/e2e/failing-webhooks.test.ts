import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { drainKey } from '#domain/webhooks/drain.ts';
import { failingAfter } from '#domain/webhooks/stored.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { admin, importOutcome, newOrganization, type Organization } from '../support/local-api.ts';
import { messagesIn, sendMessage } from '../support/queues.ts';
import { physicalName, runDatabase } from '../support/run-database.ts';
import { eventually, until } from '../support/until.ts';
import { ask, type Data, listen, receiver, webhooks } from '../support/webhook-events.ts';

let owner: Organization;

beforeAll(async () => {
  owner = await newOrganization('upstreamEntity');
});

const test = (webhookId: string) => ask(owner, 'POST', `${webhooks}/${webhookId}/test`, {});

const drained = z.object({
  event: z.literal('webhook_drain'),
  webhookId: z.string(),
  queue: z.string(),
  attempts: z.number(),
});

/** The queues whose workers made attempts at a webhook, in order. */
const queuesOf = (webhookId: string): string[] =>
  readFileSync(join(process.env['TEST_LOGS'] ?? '', 'webhook-delivery.log'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .flatMap((line) => drained.safeParse(JSON.parse(line)).data ?? [])
    .filter((drain) => drain.webhookId === webhookId && drain.attempts > 0)
    .map(({ queue }) => queue);

it('after five failures in a row a webhook is drained by the failing queue’s workers, until it succeeds', async () => {
  let isFailing = true;
  const { webhookId, path } = await listen(owner, ['AGENT_CREATED'], () => (isFailing ? 500 : 204));
  for (let count = 1; count <= failingAfter; count += 1) {
    await test(webhookId);
    await until(() => receiver.got.filter((got) => got.path === path).length >= count);
  }
  const drains = () => queuesOf(webhookId).filter((queue) => queue === 'failing').length;
  await until(() => drains() > 0, 200);
  const before = drains();
  // The fan-out asks for a drain unless one is coming already; the worker asks for the next one at its retry.
  const dynamo = runDatabase();
  const drain = {
    TableName: await physicalName(dynamo, 'webhooks'),
    Key: toItem(drainKey({ owner: owner.organizationId, webhookId })),
    ConsistentRead: true,
  };
  await until(async () => {
    const { Item = {} } = await dynamo.send(new GetItemCommand(drain));
    const { wantedAt, backOffUntil, nextDrainAt } = unmarshall(Item);
    return wantedAt === undefined && backOffUntil !== nextDrainAt;
  });
  const agent = { type: 'agent', npn: '73000001', firstName: 'Maria', lastName: 'Delgado' };
  await importOutcome(owner.organizationId, [agent], { emitEvents: true });
  await until(() => drains() > before, 200);

  isFailing = false;
  await test(webhookId);
  await until(() => queuesOf(webhookId).at(-1) === 'healthy', 200);
});

it('410 disables the webhook, which the feed says', async () => {
  const { webhookId } = await listen(owner, ['AGENT_CREATED'], () => 410);
  await test(webhookId);
  const disabled = await eventually(async () => {
    const { items } = await ask(owner, 'GET', '/v2/upstream/events?types=WEBHOOK_DISABLED');
    return (items as Data[])[0];
  });
  expect(disabled).toMatchObject({ payload: { webhookId, disabledReason: expect.stringContaining('410') } });
});

describe('A dead-letter queue', () => {
  // Where a worker sends unreadable messages; the delivery queues have one worker.
  const queues = {
    'webhook-fanout': 'webhook-fanout-dead',
    'webhook-fanout-imports': 'webhook-fanout-dead',
    'deliveries-healthy': 'deliveries-healthy-dead',
    'deliveries-failing': 'deliveries-healthy-dead',
    'compliance-changes': 'compliance-changes-dead',
    'compliance-changes-imports': 'compliance-changes-dead',
    'license-sweep': 'license-sweep-dead',
    'registry-reconciliation': 'registry-reconciliation-dead',
    'registry-sync': 'registry-sync-dead',
    'sandbox-nightly-run': 'sandbox-nightly-run-dead',
    'agency-moves': 'agency-moves-dead',
  };

  const arriveIn = (deadLettered: string) =>
    Object.values(queues).filter((queue) => queue === deadLettered).length;

  // All at once: each redrive waits a second for more.
  it('of every worker is redriven, and unreadable messages become dead letters again', async () => {
    const expected = await Promise.all(
      Object.entries(queues).map(async ([queue, deadLettered]) => {
        const least = (await messagesIn(deadLettered)) + arriveIn(deadLettered);
        return { queue, deadLettered, least };
      }),
    );
    await Promise.all(
      expected.map(({ queue }) => sendMessage(`${queue}-dead`, JSON.stringify({ unreadable: randomUUID() }))),
    );

    const redriven = await Promise.all(expected.map(({ queue }) => admin('redrive', { queue })));

    for (const { moved } of redriven) expect(Number(moved)).toBeGreaterThanOrEqual(1);
    // Redriving may have looked at one again, and hides it for half a minute: it is counted all the same.
    for (const { deadLettered, least } of expected) {
      expect(await eventually(async () => (await messagesIn(deadLettered)) >= least || undefined)).toBe(true);
    }
  });
});
