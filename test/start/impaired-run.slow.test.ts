import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localCapacity } from '../../infra/capacity.ts';
import type { ReceivedWebhook } from '../../infra/local/demo/receiver.ts';
import { type LocalRun, startLocalRun } from '../../infra/local/local-run.ts';
import type { FaultableCall, Faults } from '../support/aws-faults/faults.ts';
import { awsFaults } from '../support/aws-faults/middleware.ts';
import { newDatabase } from '../support/engine.ts';
import { longerTimeouts } from '../support/fast-clock/fast-worker.ts';
import { withoutAction } from '../support/grants.ts';

// A local run of its own that lacks a permission and capacity, and whose AWS calls fail where a test says so. One run
// serves all of these tests, since a start takes seconds.

let run: LocalRun;
let logDirectory: string;
let bearer: Record<string, string>;
let decide: Faults = () => 'none';
const errors: string[] = [];

/** Webhook requests of synchronizations that the demo's receiver got, in order; the demo's story has other events. */
const received: ReceivedWebhook[] = [];

beforeAll(async () => {
  logDirectory = await mkdtemp(join(tmpdir(), 'impaired-run-'));
  run = await startLocalRun({
    seed: true,
    logDirectory,
    engines: { dynamoDbLocal: newDatabase() },
    onError: (line) => errors.push(line),
    onWebhook: (one) => {
      if (one.body.includes('ENTITY_COMPLIANCE_DATA_SYNCHRONIZED')) received.push(one);
    },
    ...(await longerTimeouts(logDirectory)),
    statementsFor: (functionName, statements) =>
      functionName === 'policies' ? withoutAction(statements, 'dynamodb:Query') : statements,
    awsMiddleware: awsFaults((call) => decide(call)),
    environment: {
      capacity: {
        ...localCapacity,
        reserved: { compliance: 1 },
      },
    },
  });
  const { clientId = '', clientSecret = '' } = run.demo?.upstream ?? {};
  const response = await fetch(`${run.baseUrl}/v2/auth/jwt`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret }),
  });
  const { data } = (await response.json()) as { data: { accessToken: string } };
  bearer = { authorization: `Bearer ${data.accessToken}` };
  await run.waitUntilIdle();
});

afterAll(async () => {
  await run.stop();
  await rm(logDirectory, { recursive: true });
});

afterEach(() => {
  decide = () => 'none';
});

describe('a missing permission', () => {
  const get = async (path: string) => {
    const response = await fetch(`${run.baseUrl}${path}`, { headers: bearer });
    return { status: response.status, text: await response.text() };
  };

  it('fails the function, and the caller learns nothing about it', async () => {
    const { status, text } = await get('/v2/upstream/policies');
    expect(status).toBe(500);
    expect(JSON.parse(text)).toMatchObject({ errorType: 'internal_server_error' });
    expect(text).not.toMatch(/dynamodb|denied|arn:/i);
    expect(errors.join()).toContain('policies is not authorized to perform: dynamodb:Query');
  });

  it('leaves what the role still allows working', async () => {
    const { status } = await get(`/v2/upstream/policies/${run.demo?.policyId}`);
    expect(status).toBe(200);
  });
});

describe('scarce capacity', () => {
  /** Responses to a number of simultaneous requests. */
  const together = async (path: string, times: number) =>
    Promise.all(
      Array.from({ length: times }, async () => {
        const response = await fetch(`${run.baseUrl}${path}`, { headers: bearer });
        return {
          status: response.status,
          headers: response.headers,
          body: JSON.parse(await response.text()),
        };
      }),
    );

  it('answers 500 while all executions of a function are busy, and recovers', async () => {
    const answers = await together('/v2/upstream/compliance-configs', 20);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 500]));
    expect(answers.find(({ status }) => status === 500)?.body).toMatchObject({
      statusCode: 500,
      errorType: 'internal_server_error',
    });
    expect(await together('/v2/upstream/compliance-configs', 1)).toMatchObject([{ status: 200 }]);
  });
});

/** Synchronizes the demo's agency and returns its events once the run is idle. */
async function synchronize() {
  received.length = 0;
  const association = `${run.baseUrl}/v2/upstream/downstream-entity-associations/${run.demo?.downstreamEntityAssociationId}`;
  const { data } = JSON.parse(await (await fetch(association, { headers: bearer })).text());
  // With a newer record of the registry, a synchronization is not answered from the one before.
  const record = await fetch(`${run.baseUrl}/v2/sandbox/registry-records/${data.downstreamEntity.npn}`, {
    method: 'PUT',
    headers: { ...bearer, 'content-type': 'application/json' },
    body: '{"regulatoryActions": []}',
  });
  expect(record.status).toBe(200);
  const { status } = await fetch(`${association}/sync`, { method: 'POST', headers: bearer });
  expect(status).toBe(202);
  await run.waitUntilIdle();
  return received.map(({ signature, body }) => ({
    signature,
    event: JSON.parse(body) as { eventId: string; webhookType: string; sequence: number },
  }));
}

it('an event has arrived once the run is idle, with its signature verified', async () => {
  await synchronize();
  const [seen, ...more] = await synchronize();
  expect(more).toEqual([]);
  expect(seen).toMatchObject({
    signature: 'verified',
    event: { webhookType: 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED', sequence: 2 },
  });
});

describe('an event arrives, and is the same event each time, although', () => {
  /** Makes the next call of an action by a function fail, and returns the calls that failed. */
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
    ['the bus throttles the publisher', 'event-publisher', 'events:PutEvents', 'throttle'],
    ['the response of the bus is lost', 'event-publisher', 'events:PutEvents', 'fail after'],
    ['the publisher crashes between the bus and the outbox', 'event-publisher', 'events:PutEvents', 'crash'],
    [
      'the publisher crashes once the event has its sequence number',
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

it('a schedule fires on request, with the input in its template', async () => {
  expect(await run.fireSchedule('event-publisher-republish')).toMatchObject({ republished: 0, failed: 0 });
  await expect(run.fireSchedule('nothing')).rejects.toThrow('There is no schedule "nothing".');
});
