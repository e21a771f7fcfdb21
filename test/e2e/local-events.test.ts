import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FaultableCall, Faults } from '../../infra/local/aws/faults.ts';
import type { Received } from '../../infra/local/demo/webhook-receiver.ts';
import { type LocalRun, startLocalRun } from '../../infra/local/local-run.ts';
import { until } from '../support/until.ts';

/** A local run of its own, in which calls of AWS go wrong where a test says so. */
let run: LocalRun;
let logDirectory: string;
let bearer: Record<string, string>;
let decide: Faults = () => 'none';

/** What the page at /webhooks was shown, as it came. */
const shown: Received[] = [];
const leaving = new AbortController();

async function follow(): Promise<void> {
  const { body } = await fetch(`${run.baseUrl}/webhooks/received`, { signal: leaving.signal });
  let text = '';
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString('utf8');
    const lines = text.split('\n\n');
    text = lines.pop() ?? '';
    for (const line of lines.filter((one) => one.startsWith('data: '))) {
      shown.push(JSON.parse(line.slice(6)) as Received);
    }
  }
}

beforeAll(async () => {
  logDirectory = await mkdtemp(join(tmpdir(), 'local-events-'));
  run = await startLocalRun({
    seed: true,
    logDirectory,
    onError: () => undefined,
    faults: (call) => decide(call),
  });
  const { clientId = '', clientSecret = '' } = run.demo?.upstream ?? {};
  const response = await fetch(`${run.baseUrl}/v2/auth/jwt`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret }),
  });
  const { data } = (await response.json()) as { data: { accessToken: string } };
  bearer = { authorization: `Bearer ${data.accessToken}` };
  follow().catch(() => undefined);
  await run.waitUntilIdle();
}, 60_000);

afterAll(async () => {
  leaving.abort();
  await run.stop();
  await rm(logDirectory, { recursive: true });
});

afterEach(() => {
  decide = () => 'none';
});

/** Has the demo's agency synchronized; answers the events of it that the page was shown, when all has come to rest. */
async function synchronize() {
  shown.length = 0;
  const id = run.demo?.downstreamEntityAssociationId;
  const { status } = await fetch(`${run.baseUrl}/v2/upstream/downstream-entity-associations/${id}/sync`, {
    method: 'POST',
    headers: bearer,
  });
  expect(status).toBe(202);
  await run.waitUntilIdle();
  await until(() => shown.length > 0);
  return shown.map(({ signature, body }) => ({
    signature,
    event: JSON.parse(body) as { eventId: string; webhookType: string; sequence: number },
  }));
}

it('an event is shown on the page when the run has come to rest, its signature verified', async () => {
  await synchronize();
  const [seen, ...more] = await synchronize();
  expect(more).toEqual([]);
  expect(seen).toMatchObject({
    signature: 'verified',
    event: { webhookType: 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED', sequence: 2 },
  });
});

describe('an event arrives, and is the same event each time, although', () => {
  /** The first call of an action by a function, from now on, goes wrong. */
  const once = (functionName: string, action: string, fault: ReturnType<Faults>): FaultableCall[] => {
    const hit: FaultableCall[] = [];
    decide = (call) => {
      if (hit.length > 0 || call.functionName !== functionName || call.action !== action) return 'none';
      hit.push(call);
      return fault;
    };
    return hit;
  };

  it.each([
    ['the bus holds the publisher back', 'event-publisher', 'events:PutEvents', 'throttle'],
    ['the bus’s answer is lost', 'event-publisher', 'events:PutEvents', 'fail after'],
    ['the publisher ends between the bus and the outbox', 'event-publisher', 'events:PutEvents', 'crash'],
    [
      'the publisher ends when the event has its number',
      'event-publisher',
      'dynamodb:TransactWriteItems',
      'crash',
    ],
  ] as const)('%s', async (_, functionName, action, fault) => {
    const hit = once(functionName, action, fault);
    const seen = await synchronize();
    expect(hit).toHaveLength(1);
    expect(seen.length).toBeGreaterThan(0);
    expect(new Set(seen.map(({ event }) => `${event.eventId} ${event.sequence}`)).size).toBe(1);
  });
});

it('a schedule fires when a test asks for it, with what its template says', async () => {
  expect(await run.fireSchedule('event-publisher-republish')).toMatchObject({ republished: 0, failed: 0 });
  await expect(run.fireSchedule('nothing')).rejects.toThrow('There is no schedule "nothing".');
});
