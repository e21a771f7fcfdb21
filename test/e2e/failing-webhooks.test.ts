import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { attemptsAtOnce } from '../../functions/webhook-delivery/lease-limits.ts';
import { failingAfter } from '../../shared/domain/webhooks/health.ts';
import { admin, call, newOrganization, type Organization } from '../support/local-api.ts';
import { startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';

// Failing webhooks have their own queue, so that a slow or dead receiver never delays another.

const slownessMs = 800;

let organization: Organization;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let isFailing = true;
let underWay = 0;
let most = 0;

beforeAll(async () => {
  organization = await newOrganization('upstreamEntity');
  receiver = await startReceiver(async (path) => {
    if (path === '/failing') return isFailing ? 500 : 204;
    underWay += 1;
    most = Math.max(most, underWay);
    await pause(slownessMs);
    underWay -= 1;
    return 204;
  });
});

afterAll(() => receiver.close());

const newWebhook = async (path: string): Promise<string> => {
  const { status, json } = await call('POST', '/v2/upstream/webhooks', {
    headers: organization.bearer,
    body: { url: receiver.url(path), types: ['AGENT_CREATED'] },
  });
  expect(status).toBe(201);
  return z.parse(z.object({ data: z.object({ _id: z.string() }) }), json).data._id;
};

/** What a path got, once there is so much of it. */
async function got(path: string, count: number) {
  const found = () => receiver.got.filter((one) => one.path === path);
  await until(() => found().length >= count);
  return found();
}

let npn = 73_000_000;
const tellOfAnAgent = async (): Promise<void> => {
  npn += 1;
  const lines = [
    JSON.stringify({ type: 'agent', npn: String(npn), firstName: 'Maria', lastName: 'Delgado' }),
  ];
  const { organizationId } = organization;
  await admin('import', { organizationId, firstLine: 1, lines, emitEvents: true });
};

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
    .filter((one) => one.webhookId === webhookId && one.attempts > 0)
    .map(({ queue }) => queue);

const test = async (webhookId: string): Promise<void> => {
  const path = `/v2/upstream/webhooks/${webhookId}/test`;
  expect((await call('POST', path, { headers: organization.bearer, body: {} })).status).toBe(202);
};

it('after five failures in a row a webhook is drained by the failing queue’s workers, until it succeeds', async () => {
  const webhookId = await newWebhook('/failing');
  for (let count = 1; count <= failingAfter; count += 1) {
    await test(webhookId);
    await got('/failing', count);
  }
  const drains = () => queuesOf(webhookId).filter((queue) => queue === 'failing').length;
  await until(() => drains() > 0, 200);
  const before = drains();
  // The fan-out asks for a look at the event, and the worker for one at its retry.
  await tellOfAnAgent();
  await until(() => drains() > before, 200);

  isFailing = false;
  await test(webhookId);
  await until(() => queuesOf(webhookId).at(-1) === 'healthy', 200);
});

it(`a slow receiver gets at most ${attemptsAtOnce.healthy} events at once, and the others as it answers`, async () => {
  const webhookId = await newWebhook('/slow');
  await Promise.all(Array.from({ length: attemptsAtOnce.healthy + 5 }, () => test(webhookId)));
  expect(await got('/slow', attemptsAtOnce.healthy + 5)).toHaveLength(attemptsAtOnce.healthy + 5);
  expect(most).toBeLessThanOrEqual(attemptsAtOnce.healthy);
});
