import { randomUUID } from 'node:crypto';
import { itemOfAgent } from '#domain/agents/stored.ts';
import { createRecordConfig } from '#domain/compliance/record-config.ts';
import { simulatedKeys } from '#domain/registry/simulated-record.ts';
import { createSimulator } from '#domain/registry/simulator.ts';
import { complianceTable, registryRecordsTable, tablesOf } from '#domain/tables.ts';
import { tableOf } from '#platform/data/table.ts';
import { sandboxFunction } from '../../functions/sandbox/function.ts';
import { sandboxRoutes } from '../../functions/sandbox/routes.ts';
import { sandboxNightlyRunFunction } from '../../functions/sandbox-nightly-run/function.ts';
import { producerOf } from '../support/agency-records.ts';
import { callerOf, type EventOptions, send } from '../support/api-event.ts';
import { testContext } from '../support/context.ts';
import { eventsIn } from '../support/events.ts';
import { queueRecord, testQueue } from '../support/queue-messages.ts';
import { recordingLogger } from '../support/recording-logger.ts';
import { agentId, carrier, otherCarrier, put, subscribe, tables } from '../support/registry-records-tests.ts';
import { createTables, dynamo } from '../support/tables.ts';

const routes = sandboxRoutes.routes;
const npn = '17654321';
const [yesterday, inSixtyDays, later] = ['2026-05-31', '2026-07-31', '2026-09-30'];

let time: Date;
const now = () => time;
const pass = (minutes: number): void => {
  time = new Date(time.getTime() + minutes * 60_000);
};

let isQueueDown: boolean;
let queued: object[];
let log: ReturnType<typeof recordingLogger>;
let ask: (
  route: (typeof routes)[keyof typeof routes],
  options?: EventOptions & { readonly owner?: string },
) => ReturnType<typeof send>;
let work: ReturnType<typeof sandboxNightlyRunFunction.compose>;

beforeEach(async () => {
  time = new Date('2026-06-01T12:00:00.000Z');
  isQueueDown = false;
  queued = [];
  log = recordingLogger();
  const more = await createTables(['idempotency', 'rateCounters', 'downstreamEntities', 'organizations']);
  const names = { ...tables, ...more };
  const pipeline = sandboxFunction.compose({
    dynamo,
    tables: names,
    context: testContext({ now }),
    send: async (messages) => {
      if (isQueueDown) throw new Error('The queue is down.');
      queued.push(...messages);
    },
  });
  ask = (route, { owner = carrier, ...options } = {}) =>
    send(pipeline, route, {
      identity: callerOf(owner),
      ...(route.path.includes('{npn}') ? { params: { npn } } : {}),
      ...options,
    });
  work = sandboxNightlyRunFunction.compose({
    registry: createSimulator(tableOf(registryRecordsTable, dynamo, tables.registryRecords), now),
    tables: tablesOf(dynamo, names),
    queue: testQueue,
    context: testContext({ now, logger: log }),
  });
  for (const owner of [carrier, otherCarrier]) await subscribe(npn, owner);
});

/** Delivers what is queued, and the messages of before once more. */
const deliver = () =>
  work({ Records: queued.map((message) => queueRecord(randomUUID(), JSON.stringify(message))) });

const start = () => ask(routes.createSandboxNightlyRun);
const runIdOf = ({ data }: Awaited<ReturnType<typeof ask>>) => (data as { runId: string }).runId;
const statusOf = async (runId: string, owner = carrier) =>
  (await ask(routes.getSandboxNightlyRun, { owner, params: { runId } })).data;

/** Runs a night, a minute after what was before; answers what is said of it. */
async function night() {
  pass(1);
  const runId = runIdOf(await start());
  await deliver();
  return statusOf(runId);
}

const license = {
  stateCode: 'TX',
  licenseNumber: '148731',
  licenseClassName: 'Insurance Producer',
  issueDate: '2020-01-01',
};

const putLicense = (nextRenewalDate: string, owner = carrier) =>
  ask(routes.replaceSandboxRegistryRecord, { owner, body: { licenses: [{ ...license, nextRenewalDate }] } });

const eventsOf = async (pattern: RegExp) =>
  (await eventsIn(tables.outbox))
    .filter(({ type }) => pattern.test(type))
    .map(({ type, upstreamEntityId }) => `${type} ${upstreamEntityId}`);

test.each([
  ['ended yesterday', yesterday, 'AGENT_LICENSE_EXPIRED'],
  ['ends in 60 days', inSixtyDays, 'AGENT_LICENSE_EXPIRING'],
])('a license that %s gets its event once, and nobody else’s', async (_, end, type) => {
  for (const owner of [carrier, otherCarrier]) await putLicense(end, owner);
  expect(await night()).toEqual({ status: 'done', events: 2 });
  const expected = [`ENTITY_COMPLIANCE_DATA_SYNCHRONIZED ${carrier}`, `${type} ${carrier}`];
  expect((await eventsOf(/SYNCHRONIZED|LICENSE/)).sort()).toEqual(expected.sort());
  expect(await night()).toEqual({ status: 'done', events: 0 });
});

test.each(['2026-05-30', '2026-06-01', '2026-07-30', '2026-08-01'])(
  'a license that ends on %s is at no boundary on 2026-06-01',
  async (end) => {
    await putLicense(end);
    await night();
    expect(await eventsOf(/LICENSE/)).toEqual([]);
  },
);

test('a license that was in force before expires when its record says that it ended yesterday', async () => {
  await putLicense(later);
  await night();
  await putLicense(yesterday);
  await night();
  expect(await eventsOf(/LICENSE/)).toEqual([`AGENT_LICENSE_EXPIRED ${carrier}`]);
});

test('regulatory actions and changes of compliance are reported at once', async () => {
  await put(tables.agents, itemOfAgent(carrier, producerOf({ _id: agentId, npn }), time));
  const record = createRecordConfig(tableOf(complianceTable, dynamo, tables.compliance));
  const config = {
    productId: agentId,
    productName: 'Cargo',
    states: [{ stateCode: 'TX' as const, linesOfAuthority: [], appointment: 'not required' as const }],
    validFrom: '2026-01-01',
  };
  await record(carrier, { config, isSilent: true, mustExist: false }, time, () => []);
  const order = { stateCode: 'TX', actionId: '7', disposition: 'Fine', dateOfAction: yesterday };
  const body = {
    licenses: [{ ...license, nextRenewalDate: later }],
    regulatoryActions: [order],
  };
  await ask(routes.replaceSandboxRegistryRecord, { body });
  expect(await night()).toEqual({ status: 'done', events: 3 });
  await putLicense(yesterday);
  await night();
  const reported = (await eventsIn(tables.outbox)).filter(({ type }) => /ACTION|STATUS_CHANGE/.test(type));
  expect(reported.map(({ type, payload }) => [type, JSON.stringify(payload)])).toEqual(
    expect.arrayContaining([
      ['AGENT_REGULATORY_ACTION_ADDED', expect.stringContaining('"actionId":"7"')],
      ['AGENT_COMPLIANCE_STATUS_CHANGE', expect.stringContaining('"Licensed"')],
      ['AGENT_COMPLIANCE_STATUS_CHANGE', expect.stringContaining('"Expired License"')],
    ]),
  );
});

test('one run at a time, which 404s for others, and is found when it is over', async () => {
  const first = await start();
  expect(first).toMatchObject({ status: 202, data: { runId: expect.any(String) } });
  const runId = runIdOf(first);
  expect(await start()).toMatchObject({
    status: 409,
    json: { errorType: 'conflict', details: { runId } },
    headers: { 'retry-after': '10' },
  });
  expect(await statusOf(runId)).toEqual({ status: 'running', events: 0 });
  const unknown = { params: { runId: agentId } };
  expect(await ask(routes.getSandboxNightlyRun, unknown)).toMatchObject({ status: 404 });
  const foreign = { params: { runId }, owner: otherCarrier };
  expect(await ask(routes.getSandboxNightlyRun, foreign)).toMatchObject({ status: 404 });
  await deliver();
  expect(runIdOf(await start())).not.toBe(runId);
  expect(await statusOf(runId)).toMatchObject({ status: 'done' });
});

test('the same request twice begins one run', async () => {
  const same = { headers: { 'idempotency-key': randomUUID() }, identity: callerOf(carrier) };
  const first = await ask(routes.createSandboxNightlyRun, same);
  expect(await ask(routes.createSandboxNightlyRun, same)).toMatchObject({ status: 202, data: first.data });
  expect(queued).toHaveLength(1);
});

test('a run that did not end in 15 minutes is broken off, and the next request goes on with it', async () => {
  await putLicense(yesterday);
  const brokenNpn = '17654322';
  await subscribe(brokenNpn, carrier);
  // What is stored for it cannot be read.
  await put(tables.registryRecords, { ...simulatedKeys.record(brokenNpn), licenses: 'none' });
  const runId = runIdOf(await start());
  await deliver();
  expect(log.lines).toMatchObject([
    { event: 'nightly_run_failed', organizationId: carrier, npn: brokenNpn },
    { event: 'message_failed' },
  ]);
  expect(await statusOf(runId)).toEqual({ status: 'running', events: 2 });
  pass(15);
  expect(await statusOf(runId)).toEqual({ status: 'broken off', events: 2 });
  await put(tables.registryRecords, simulatedKeys.record(brokenNpn));
  // The queue delivers the message again; nobody waits for it any more.
  await deliver();
  expect(await statusOf(runId)).toMatchObject({ status: 'broken off' });
  expect(runIdOf(await start())).toBe(runId);
  expect(await statusOf(runId)).toMatchObject({ status: 'running' });
  await deliver();
  expect(await statusOf(runId)).toEqual({ status: 'done', events: 2 });
  expect(await eventsOf(/LICENSE/)).toEqual([`AGENT_LICENSE_EXPIRED ${carrier}`]);
});

test('a run that the queue does not accept can be asked for again half a minute later', async () => {
  isQueueDown = true;
  expect(await start()).toMatchObject({ status: 503 });
  isQueueDown = false;
  expect(await start()).toMatchObject({ status: 409 });
  pass(1);
  expect(await night()).toMatchObject({ status: 'done' });
});
