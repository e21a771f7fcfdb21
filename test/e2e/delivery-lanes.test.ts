import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { admin, call, newOrganization, type Organization } from '../support/local-api.ts';
import { startReceiver } from '../support/receiver.ts';

// Two delivery queues, so that a slow or dead receiver never delays another.

const patienceMs = 20_000;
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
  const until = Date.now() + patienceMs;
  for (;;) {
    const found = receiver.got.filter((one) => one.path === path);
    if (found.length >= count || Date.now() > until) return found;
    await pause(50);
  }
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

const attempted = z.object({
  event: z.literal('webhook_delivery'),
  eventId: z.string(),
  lane: z.string(),
  outcome: z.string(),
});

/** What the log says of the attempts to deliver an event. */
const attemptsOf = (eventId: unknown) =>
  readFileSync(join(process.env['TEST_LOGS'] ?? '', 'webhook-delivery.log'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .flatMap((line) => attempted.safeParse(JSON.parse(line)).data ?? [])
    .filter((one) => one.eventId === eventId)
    .map(({ lane, outcome }) => `${lane} ${outcome}`);

it('events and retries for a webhook whose last attempt failed go through the slow queue', async () => {
  await newWebhook('/failing');
  await tellOfAnAgent();
  const [first] = await got('/failing', 1);
  const refused = first?.headers['webhook-id'];
  while (!attemptsOf(refused).includes('fast retried')) await pause(50);

  isFailing = false;
  await tellOfAnAgent();
  await got('/failing', 3);

  const other = receiver.got.find((one) => one.path === '/failing' && one.headers['webhook-id'] !== refused);
  for (const eventId of [refused, other?.headers['webhook-id']]) {
    while (!attemptsOf(eventId).includes('slow succeeded')) await pause(50);
  }
  expect(attemptsOf(other?.headers['webhook-id'])).toEqual(['slow succeeded']);
});

it('a slow receiver gets at most three events at once, and the others as it answers', async () => {
  const webhookId = await newWebhook('/slow');
  const tests = await Promise.all(
    Array.from({ length: 6 }, () =>
      call('POST', `/v2/upstream/webhooks/${webhookId}/test`, { headers: organization.bearer, body: {} }),
    ),
  );
  expect(tests.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 202]);
  expect(await got('/slow', 6)).toHaveLength(6);
  expect(most).toBeLessThanOrEqual(3);
});
