import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { createHttpRegistry } from '../../../../../shared/domain/registry/http-registry.ts';
import {
  RegistryUnavailable,
  registryAction,
  registryAppointment,
  registryLicense,
  registryLine,
} from '../../../../../shared/domain/registry/registry.ts';
import { simulate } from '../../../../../shared/domain/registry/simulator.ts';

// No test waits in real time: pauses end at once, and a test decides when a timeout expires.
jest.mock('node:timers/promises', () => ({ setTimeout: jest.fn() }));
const timeouts = { attemptMs: 150, callMs: 600, pauseMs: 10 };
let nowMs: number;
let limits: Map<number, AbortController>;

/** Expires the latest timeout of this length. */
function expire(limitMs: number): void {
  nowMs += limitMs;
  limits.get(limitMs)?.abort(new DOMException('The operation timed out.', 'TimeoutError'));
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** The responses of the registry in order; the last one repeats. */
let answers: Answer[] = [];
/** The response to questions about regulatory actions. */
let actions: Answer;
let asked: { readonly method: string | undefined; readonly url: string | undefined; readonly key: unknown }[];
let server: Server;
let address: string;
let keys: string[];

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url?.endsWith('/regulatory-actions') === true) return void actions(response, request);
    asked.push({ method: request.method, url: request.url, key: request.headers['x-api-key'] });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    answer?.(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
  actions = json({ regulatoryActions: [] });
  keys = ['old key', 'new key'];
  nowMs = 0;
  limits = new Map();
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  jest.spyOn(AbortSignal, 'timeout').mockImplementation((limitMs) => {
    const controller = new AbortController();
    limits.set(limitMs, controller);
    return controller.signal;
  });
  jest
    .mocked(pause)
    .mockReset()
    .mockImplementation(async (ms = 0) => {
      nowMs += ms;
    });
});

const npn = '17654321';
const { entity } = simulate(npn, new Date());

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const text =
  (body: string, status = 200): Answer =>
  (response) =>
    response.writeHead(status).end(body);
const never: Answer = () => expire(timeouts.attemptMs);
const halfway: Answer = (response) =>
  response.writeHead(200).write('{"kind":', () => expire(timeouts.attemptMs));
const reset: Answer = (response) => response.destroy();

const registry = () =>
  createHttpRegistry({
    address,
    key: { current: async () => keys[0] ?? '', forget: () => void keys.shift() },
    timeouts,
  });

/** The message and cause of a call's error, which must be RegistryUnavailable. */
async function failureOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof RegistryUnavailable)) throw new Error(`Not unavailable: ${String(error)}`);
  return `${error.message} ${String(error.cause ?? '')}`;
}

it('requests an entity with the API key of this environment', async () => {
  answers = [json(entity)];
  expect(await registry().fetch(npn, 'organization')).toMatchObject(entity ?? {});
  expect(asked).toEqual([{ method: 'GET', url: `/v1/entities/${npn}`, key: 'old key' }]);
});

it('reads the JSON that the runbook shows, which has every member', async () => {
  const [, section = ''] = readFileSync('infra/runbook.md', 'utf8').split('## A registry in JSON');
  const [entityShown, actionsShown] = Array.from(
    section.matchAll(/```json\n(.*?)```/gs),
    ([, shown = '']) => JSON.parse(shown) as Record<string, Record<string, unknown>[]>,
  );
  answers = [json(entityShown)];
  actions = json(actionsShown);
  expect(await registry().fetch(npn, 'organization')).toEqual({
    ...entityShown,
    actions: actionsShown?.['regulatoryActions'],
    setAside: [],
    nulled: [],
  });
  const [license, appointment, action] = [
    entityShown?.['licenses'],
    entityShown?.['appointments'],
    actionsShown?.['regulatoryActions'],
  ].map((rows) => rows?.[0] ?? {});
  const [line = {}] = z.parse(z.array(z.record(z.string(), z.unknown())), license?.['linesOfAuthority']);
  expect([license, line, appointment, action].map((row) => Object.keys(row ?? {}).sort())).toEqual(
    [registryLicense, registryLine, registryAppointment, registryAction].map(({ shape }) =>
      Object.keys(shape).sort(),
    ),
  );
});

it('subscribes to changes', async () => {
  answers = [text('', 204)];
  await registry().subscribe(npn);
  expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([`PUT /v1/subscriptions/${npn}`]);
});

it('does not find an unknown NPN', async () => {
  answers = [json({ message: 'no such NPN' }, 404)];
  expect(await registry().fetch(npn, 'organization')).toBeUndefined();
  expect(await registry().poll(npn)).toMatchObject({ isNotFound: true, licenses: undefined });
});

it('reads row by row: a row that cannot be read is set aside, and the others count', async () => {
  const [first, ...others] = entity?.licenses ?? [];
  const revoked = { ...first, status: 'Revoked', expirationDate: '12/31/2027' };
  const line = { code: null, name: 'Life', status: 'active' };
  const numbered = { ...first, licenseNumber: 4711, residencyStatus: 'R', linesOfAuthority: [line] };
  const { issueDate: _, licenseClassName: _name, ...short } = { ...first, stateCode: 'mp' };
  const appointments = [{ stateCode: 'TX', status: 'Appointed' }];
  answers = [json({ ...entity, licenses: [revoked, numbered, short, ...others], appointments })];
  const order = { stateCode: 'TX', disposition: 'Revocation', dateOfAction: 'May 2026' };
  actions = json({ regulatoryActions: [order] });
  const report = await registry().fetch(npn, 'organization');
  expect(report?.licenses).toHaveLength(others.length + 1);
  expect(report?.licenses[0]).toMatchObject({
    licenseNumber: '4711',
    residencyStatus: 'resident',
    linesOfAuthority: [{ code: '', name: 'Life', issueDate: null }],
  });
  expect(report?.actions).toMatchObject([{ disposition: 'Revocation', dateOfAction: null }]);
  expect(report?.nulled).toEqual(['dateOfAction']);
  expect(report?.setAside).toMatchObject([
    {
      faults: ['expirationDate'],
      unread: { kind: 'license', stateCode: first?.stateCode, isLive: false },
    },
    { faults: ['stateCode'], unread: { stateCode: 'MP', isLive: true } },
    { faults: ['companyCode'], unread: { kind: 'appointment', stateCode: 'TX' } },
  ]);
});

it.each([
  ['503', json({}, 503)],
  ['500', text('oops', 500)],
  ['429', json({}, 429, { 'retry-after': '0' })],
  ['a broken connection', reset],
  ['no response', never],
  ['an incomplete response', halfway],
])('retries after %s', async (_, failure) => {
  answers = [failure, json(entity)];
  expect(await registry().fetch(npn, 'organization')).toMatchObject(entity ?? {});
  expect(asked).toHaveLength(2);
});

it.each([
  ['503', json({ secret: 'Jane Doe' }, 503), 3],
  ['a broken connection', reset, 3],
  ['400, which is not retried', json({ secret: 'Jane Doe' }, 400), 1],
  ['a redirect, which is not followed', json({}, 302, { location: 'http://127.0.0.1:1/' }), 3],
  ['something that is not JSON', text('<html>Jane Doe</html>'), 1],
  ['JSON that does not match the schema', json({ ...entity, kind: 'Jane Doe' }), 1],
])(
  'is unavailable if it receives only %s, and reveals nothing of the response',
  async (_, answer, attempts) => {
    answers = [answer];
    expect(await failureOf(registry().fetch(npn, 'organization'))).not.toContain('Jane Doe');
    expect(asked).toHaveLength(attempts);
  },
);

it('names the properties that do not match the schema', async () => {
  answers = [json({ ...entity, kind: 'robot' })];
  expect(await failureOf(registry().fetch(npn, 'organization'))).toContain('kind (invalid_value)');
});

it('fails when its time is up, even with attempts left', async () => {
  answers = [() => expire(timeouts.callMs)];
  await failureOf(registry().fetch(npn, 'organization'));
  expect(asked).toHaveLength(1);
});

it('waits for the seconds in Retry-After', async () => {
  answers = [json({}, 503, { 'retry-after': '1' }), json(entity)];
  const key = { current: async () => '', forget: () => undefined };
  const longer = { ...timeouts, callMs: 3_000 };
  expect(
    await createHttpRegistry({ address, key, timeouts: longer }).fetch(npn, 'organization'),
  ).toMatchObject(entity ?? {});
  expect(pause).toHaveBeenCalledTimes(1);
  expect(pause).toHaveBeenCalledWith(1_000);
});

it('accepts a date in Retry-After', async () => {
  const past = new Date(Date.now() - 60_000).toUTCString();
  answers = [json({}, 503, { 'retry-after': past }), json(entity)];
  expect(await registry().fetch(npn, 'organization')).toMatchObject(entity ?? {});
});

it('fails at once if Retry-After exceeds its time', async () => {
  answers = [json({}, 429, { 'retry-after': '3600' })];
  await failureOf(registry().fetch(npn, 'organization'));
  expect(asked).toHaveLength(1);
  expect(pause).not.toHaveBeenCalled();
});

it('reads the key again after it was replaced', async () => {
  answers = [json({}, 401), json(entity)];
  expect(await registry().fetch(npn, 'organization')).toMatchObject(entity ?? {});
  expect(asked.map(({ key }) => key)).toEqual(['old key', 'new key']);
});

it('is unavailable without its key', async () => {
  const keyless = createHttpRegistry({
    address,
    key: { current: () => Promise.reject(new Error('AccessDenied')), forget: () => undefined },
  });
  expect(await failureOf(keyless.fetch(npn, 'organization'))).toContain('key of the registry');
  expect(asked).toEqual([]);
});
