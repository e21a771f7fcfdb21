import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createHttpRegistry } from '../../../../shared/registry/http-registry.ts';
import { RegistryUnavailable } from '../../../../shared/registry/registry.ts';
import { simulate } from '../../../../shared/registry/simulator.ts';

// No test waits for a clock: pauses pass at once, and a limit is reached when a test says so.
jest.mock('node:timers/promises', () => ({ setTimeout: jest.fn() }));
const timeouts = { attemptMs: 150, callMs: 600, pauseMs: 10 };
let nowMs: number;
let limits: Map<number, AbortController>;

/** Lets the limit of so many milliseconds that was set last be reached. */
function reach(limitMs: number): void {
  nowMs += limitMs;
  limits.get(limitMs)?.abort(new DOMException('The operation timed out.', 'TimeoutError'));
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A registry that gives these answers one after another, and the last one again and again. */
let answers: Answer[] = [];
let asked: { readonly method: string | undefined; readonly url: string | undefined; readonly key: unknown }[];
let server: Server;
let address: string;
let keys: string[];

beforeAll(async () => {
  server = createServer((request, response) => {
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
const never: Answer = () => reach(timeouts.attemptMs);
const halfway: Answer = (response) =>
  response.writeHead(200).write('{"kind":', () => reach(timeouts.attemptMs));
const reset: Answer = (response) => response.destroy();

const registry = () =>
  createHttpRegistry({
    address,
    key: { current: async () => keys[0] ?? '', forget: () => void keys.shift() },
    timeouts,
  });

/** The failure of a call, which must be ours, with everything that it says. */
async function failureOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof RegistryUnavailable)) throw new Error(`Not unavailable: ${String(error)}`);
  return `${error.message} ${String(error.cause ?? '')}`;
}

it('asks for an entity with the key of this environment', async () => {
  answers = [json(entity)];
  expect(await registry().fetchEntity(npn)).toEqual(entity);
  expect(asked).toEqual([{ method: 'GET', url: `/v1/entities/${npn}`, key: 'old key' }]);
});

it('asks for regulatory actions, and to be told of changes', async () => {
  answers = [json({ regulatoryActions: [] }), text('', 204)];
  expect(await registry().fetchRegulatoryActions(npn)).toEqual([]);
  await registry().subscribe(npn);
  expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
    `GET /v1/entities/${npn}/regulatory-actions`,
    `PUT /v1/subscriptions/${npn}`,
  ]);
});

it('an NPN that is not known is nobody and has no actions', async () => {
  answers = [json({ message: 'no such NPN' }, 404)];
  expect(await registry().fetchEntity(npn)).toBeUndefined();
  expect(await registry().fetchRegulatoryActions(npn)).toEqual([]);
});

it.each([
  ['503', json({}, 503)],
  ['500', text('oops', 500)],
  ['429', json({}, 429, { 'retry-after': '0' })],
  ['a connection that breaks', reset],
  ['an answer that never comes', never],
  ['an answer that stops halfway', halfway],
])('tries again after %s', async (_, failure) => {
  answers = [failure, json(entity)];
  expect(await registry().fetchEntity(npn)).toEqual(entity);
  expect(asked).toHaveLength(2);
});

it.each([
  ['503', json({ secret: 'Jane Doe' }, 503), 3],
  ['a connection that breaks', reset, 3],
  ['400, which no other attempt mends', json({ secret: 'Jane Doe' }, 400), 1],
  ['a redirect, which is not followed', json({}, 302, { location: 'http://127.0.0.1:1/' }), 3],
  ['something that is not JSON', text('<html>Jane Doe</html>'), 1],
  ['JSON that breaks the schema', json({ ...entity, kind: 'Jane Doe' }), 1],
])(
  'is unavailable when it gets nothing but %s, and tells nothing of the answer',
  async (_, answer, attempts) => {
    answers = [answer];
    expect(await failureOf(registry().fetchEntity(npn))).not.toContain('Jane Doe');
    expect(asked).toHaveLength(attempts);
  },
);

it('names the places that break the schema', async () => {
  answers = [json({ ...entity, kind: 'robot' })];
  expect(await failureOf(registry().fetchEntity(npn))).toContain('kind (invalid_value)');
});

it('gives up when its time is over, however often it might still try', async () => {
  answers = [() => reach(timeouts.callMs)];
  await failureOf(registry().fetchEntity(npn));
  expect(asked).toHaveLength(1);
});

it('waits as long as Retry-After says', async () => {
  answers = [json({}, 503, { 'retry-after': '1' }), json(entity)];
  const key = { current: async () => '', forget: () => undefined };
  const longer = { ...timeouts, callMs: 3_000 };
  expect(await createHttpRegistry({ address, key, timeouts: longer }).fetchEntity(npn)).toEqual(entity);
  expect(pause).toHaveBeenCalledTimes(1);
  expect(pause).toHaveBeenCalledWith(1_000);
});

it('understands Retry-After as a date', async () => {
  const past = new Date(Date.now() - 60_000).toUTCString();
  answers = [json({}, 503, { 'retry-after': past }), json(entity)];
  expect(await registry().fetchEntity(npn)).toEqual(entity);
});

it('gives up at once when Retry-After is beyond its time', async () => {
  answers = [json({}, 429, { 'retry-after': '3600' })];
  await failureOf(registry().fetchEntity(npn));
  expect(asked).toHaveLength(1);
  expect(pause).not.toHaveBeenCalled();
});

it('takes up a key that was replaced', async () => {
  answers = [json({}, 401), json(entity)];
  expect(await registry().fetchEntity(npn)).toEqual(entity);
  expect(asked.map(({ key }) => key)).toEqual(['old key', 'new key']);
});

it('is unavailable without its key', async () => {
  const keyless = createHttpRegistry({
    address,
    key: { current: () => Promise.reject(new Error('AccessDenied')), forget: () => undefined },
  });
  expect(await failureOf(keyless.fetchEntity(npn))).toContain('key of the registry');
  expect(asked).toEqual([]);
});
