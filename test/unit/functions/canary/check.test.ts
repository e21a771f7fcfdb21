import { createHmac } from 'node:crypto';
import { type Caller, CallFailure, type Reply } from '../../../../functions/canary/caller.ts';
import { check, longestWaitMs, stepNames } from '../../../../functions/canary/check.ts';
import { canaryReceiverFunction } from '../../../../functions/canary-receiver/function.ts';
import { recordingLogger } from '../../../support/recording-logger.ts';

const credentials = {
  clientId: 'client',
  clientSecret: 'secret_of-the-client',
  downstreamEntityAssociationId: 'association',
  webhookId: 'webhook',
  webhookSecret: 'whsec_of-the-webhook',
};
const writtenAt = new Date('2026-03-01T12:00:00.000Z');

type Calls = 'token' | 'list' | 'read' | 'write' | 'repeat' | 'deliveries';
type Deps = Parameters<typeof check>[0];
type Break = (reply: Reply) => Reply;

/** What a receiver responds to a delivery of this event. */
async function receipt(body: string, secret: string): Promise<string> {
  const timestamp = '1772366400';
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  const receive = canaryReceiverFunction.compose({ now: () => new Date(writtenAt.getTime() + 1_200) });
  const answer = await receive({
    headers: { 'x-service-timestamp': timestamp, 'x-service-signature': signature },
    body,
    isBase64Encoded: false,
  });
  return typeof answer === 'string' ? answer : (answer.body ?? '');
}

const reply = (status: number, data: unknown, headers: Record<string, string> = {}): Reply => ({
  status,
  data,
  headers: new Headers(headers),
});

/** An API that works, except for what is broken; the event arrives when the deliveries are listed for the second time. */
function api(broken: Partial<Record<Calls, Break>> = {}, signedWith = credentials.webhookSecret): Caller {
  let externalId = '';
  let lists = 0;
  const written = () => ({ _id: 'association', externalId, updatedAt: writtenAt.toISOString() });
  const answers: Record<string, (body: object | undefined) => Promise<[Calls, Reply]> | [Calls, Reply]> = {
    'POST /v2/auth/jwt': () => ['token', reply(201, { accessToken: 'token' })],
    'GET /v2/upstream/downstream-entity-associations': () => ['list', reply(200, [{ _id: 'association' }])],
    'GET /v2/upstream/downstream-entity-associations/association': () => [
      'read',
      reply(200, { _id: 'association' }),
    ],
    'PATCH /v2/upstream/downstream-entity-associations/association': (body) => {
      const isFirst = externalId === '';
      externalId = String(Object.values(body ?? {})[0]);
      if (isFirst) return ['write', reply(200, written())];
      return ['repeat', reply(200, written(), { 'idempotency-replayed': 'true' })];
    },
    'GET /v2/upstream/webhooks/webhook/deliveries?limit=10': async () => {
      lists += 1;
      const event = JSON.stringify({ payload: { externalId } });
      const attempt = { statusCode: 200, error: null, responseBody: await receipt(event, signedWith) };
      const items = lists < 2 ? [] : [{ createdAt: writtenAt.toISOString(), attempts: [attempt] }];
      return ['deliveries', reply(200, { items })];
    },
  };
  return async (method, path, { body } = {}) => {
    const answer = answers[`${method} ${path}`];
    if (answer === undefined) throw new Error(`The canary should not call ${method} ${path}.`);
    const [name, working] = await answer(body);
    return broken[name]?.(working) ?? working;
  };
}

async function run(call: Caller, readCredentials: Deps['readCredentials'] = async () => credentials) {
  const logger = recordingLogger();
  let at = writtenAt.getTime();
  const result = await check({
    call,
    readCredentials,
    now: () => new Date(at),
    pause: async (ms) => {
      at += ms;
    },
    logger,
  });
  return { result, lines: logger.lines };
}

it('makes every step, and logs what each felt like and that the run passed', async () => {
  const { result, lines } = await run(api());
  expect(result.passed).toBe(true);
  expect(result.steps.map(({ step, status }) => [step, status])).toEqual([
    ['credentials', undefined],
    ['token', 201],
    ...['list', 'read', 'write', 'repeat', 'webhook'].map((step) => [step, 200]),
  ]);
  // From the write until it arrived, however often the canary asked.
  expect(result.steps.at(-1)).toMatchObject({ step: 'webhook', ms: 1_200 });
  expect(lines.map(({ event }) => event)).toEqual([...stepNames.map(() => 'canary_step'), 'canary_passed']);
  for (const { level } of lines) expect(level).toBe('info');
});

describe('a receiver whose executions others take', () => {
  const busy = {
    statusCode: 429,
    error: null,
    responseBody: '{"Reason":"ReservedFunctionConcurrentInvocationLimitExceeded"}',
  };

  it('gets the event with a later attempt', async () => {
    let lists = 0;
    const deliveries: Break = ({ status, headers, data }) => {
      lists += 1;
      if (lists < 3) return reply(200, { items: [{ createdAt: writtenAt.toISOString(), attempts: [busy] }] });
      return { status, headers, data };
    };
    const { result } = await run(api({ deliveries }));
    expect(result.passed).toBe(true);
    expect(result.steps.at(-1)).toMatchObject({ step: 'webhook', status: 200 });
  });

  it('fails no run, and its step says so', async () => {
    const deliveries: Break = () =>
      reply(200, { items: [{ createdAt: writtenAt.toISOString(), attempts: [busy, busy] }] });
    const { result, lines } = await run(api({ deliveries }));
    expect(result.passed).toBe(true);
    expect(result.steps.at(-1)).toMatchObject({ step: 'webhook', status: 429 });
    expect(lines.at(-1)).toMatchObject({ event: 'canary_passed' });
  });
});

const failing = (status: number): Break => {
  return () => {
    throw new CallFailure(`The response was ${status}, some_error.`, { status, requestId: 'dev-1' });
  };
};
const attempts = (attempt: object): Break => {
  return () => reply(200, { items: [{ createdAt: writtenAt.toISOString(), attempts: [attempt] }] });
};

test.each<[string, string, Caller, RegExp]>([
  ['a token is refused', 'token', api({ token: failing(401) }), /401/],
  ['the list is empty', 'list', api({ list: () => reply(200, []) }), /0 records instead of the canary’s one/],
  ['a record is no record', 'read', api({ read: () => reply(200, null) }), /other data than expected/],
  ['another record is read', 'read', api({ read: () => reply(200, { _id: 'x' }) }), /another record/],
  ['a write fails', 'write', api({ write: failing(500) }), /500, some_error/],
  [
    'a write is not made',
    'write',
    api({ write: ({ data }) => reply(200, { ...Object(data), externalId: 'old' }) }),
    /does not show what was written/,
  ],
  ['a write is made twice', 'repeat', api({ repeat: ({ data }) => reply(200, data) }), /done again/],
  [
    'a repeated write gets another response',
    'repeat',
    api({ repeat: ({ headers, data }) => ({ status: 200, headers, data: { ...Object(data), version: 2 } }) }),
    /another response/,
  ],
  ['the event is signed with another secret', 'webhook', api({}, 'whsec_other'), /wrong signature/],
  [
    'the receiver refuses the event',
    'webhook',
    api({ deliveries: attempts({ statusCode: 503, error: null, responseBody: 'no' }) }),
    /status 503/,
  ],
  [
    'the receiver cannot be reached',
    'webhook',
    api({ deliveries: attempts({ statusCode: null, error: 'timeout', responseBody: null }) }),
    /timeout/,
  ],
  [
    'another event arrives',
    'webhook',
    api({ deliveries: attempts({ statusCode: 200, error: null, responseBody: '{"ok":true}' }) }),
    new RegExp(`not arrived within ${longestWaitMs / 1_000} seconds`),
  ],
  [
    'the event never arrives',
    'webhook',
    api({ deliveries: () => reply(200, { items: [] }) }),
    /not arrived within/,
  ],
])('fails with the step when %s', async (_, step, call, reason) => {
  const { result, lines } = await run(call);
  expect(result.passed).toBe(false);
  expect(result.steps.at(-1)).toMatchObject({ step, reason: expect.stringMatching(reason) });
  const last = lines.at(-1);
  expect(last).toMatchObject({ level: 'error', event: 'canary_failed', step });
  expect(JSON.stringify([result, lines])).not.toMatch(/of-the-client|of-the-webhook/);
});

it('says how to make the credentials that it lacks', async () => {
  const { result, lines } = await run(api(), async () => undefined);
  // Not a failed run, which would roll back the deployment that makes them.
  expect(lines).toMatchObject([{ level: 'warn', event: 'canary_not_set_up' }]);
  expect(result.passed).toBe(false);
  expect(result.steps).toMatchObject([
    { step: 'credentials', reason: expect.stringContaining('npm run smoke-test') },
  ]);
});

it('logs the name of an unexpected error and not its text', async () => {
  const { result } = await run(() => Promise.reject(new RangeError('secret_of-the-client')));
  expect(result.steps.at(-1)).toMatchObject({ step: 'token', reason: 'RangeError' });
});

it('the receiver responds to nothing else', async () => {
  const receive = canaryReceiverFunction.compose({ now: () => writtenAt });
  for (const event of [{}, { headers: {}, body: 'text', isBase64Encoded: false }]) {
    expect(await receive(event)).toEqual({ statusCode: 400 });
  }
});
