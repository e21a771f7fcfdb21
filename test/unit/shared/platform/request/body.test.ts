import * as z from 'zod/mini';
import { formFile } from '../../../../../shared/platform/contract/form-file.ts';
import { routeGroup } from '../../../../../shared/platform/contract/route.ts';
import { parseForm } from '../../../../../shared/platform/request/form.ts';
import { createPipeline } from '../../../../../shared/platform/request/pipeline.ts';
import { carrier, type EventOptions, send } from '../../../../support/api-event.ts';
import { testContext } from '../../../../support/context.ts';

const thing = z.object({ name: z.string() });
const access = { kind: 'upstream', feature: null } as const;
const one = { status: 200, one: thing } as const;
const body = z.strictObject({ name: z.string() });

const { routes, ...group } = routeGroup('things', {
  create: { method: 'POST', path: '/v2/upstream/things', access, body, answer: one },
  check: { method: 'POST', path: '/v2/upstream/checks', access, answer: one },
  list: { method: 'GET', path: '/v2/upstream/things', access, answer: one },
  test: {
    method: 'POST',
    path: '/v2/upstream/tests',
    access,
    body: z.strictObject({ name: z.optional(z.string()) }),
    isBodyOptional: true,
    answer: one,
  },
  upload: {
    method: 'POST',
    path: '/v2/upstream/files',
    access,
    body,
    form: z.strictObject({ name: z.string(), file: formFile }),
    fileTypes: ['application/pdf'],
    answer: one,
  },
  exchange: {
    method: 'POST',
    path: '/v2/auth/jwt',
    access: 'public',
    rate: 'token',
    countedBy: 'name',
    body,
    answer: one,
  },
  requestToken: {
    method: 'POST',
    path: '/v2/oauth/token',
    access: 'public',
    standard: 'RFC 6749',
    rate: 'token',
    countedBy: 'client_id',
    body: z.object({ client_id: z.string() }),
    answer: { status: 200, bare: z.object({ access_token: z.string() }) },
  },
});

const pipeline = createPipeline({
  ...testContext(),
  group: { ...group, routes },
  operations: {
    create: ({ body }) => body,
    check: () => ({ name: 'checked' }),
    list: () => ({ name: 'listed' }),
    test: ({ body }) => ({ name: body.name ?? 'nothing' }),
    upload: ({ body }) => ({
      name: 'file' in body ? `${body.name}: ${Buffer.from(body.file.content).toString()}` : body.name,
    }),
    exchange: ({ body }) => body,
    requestToken: ({ body }) => ({ access_token: body.client_id }),
  },
  deps: {},
  rateLimiter: { take: async () => ({ limit: 10, remaining: 9, reset: 1, admitted: true }) },
  idempotency: {
    once: async (_, __, { operate, respond }) => ({
      ...respond(await operate(() => [])),
      replayed: false,
    }),
  },
  parseForm,
});

/** What is answered: the name, or the first fault. */
async function answerTo(route: Parameters<typeof send>[1], options: EventOptions) {
  const { status, json, data } = await send(pipeline, route, { identity: carrier, ...options });
  const { issues: [issue] = [] } = (json['details'] ?? {}) as { readonly issues?: readonly object[] };
  return [status, status === 200 ? data['name'] : issue] as const;
}

const type = (contentType: string) => ({ headers: { 'Content-Type': contentType } });
const large = JSON.stringify({ name: 'x'.repeat(300_000) });

describe('a body', () => {
  it('is as it is stored, and what is compared as it was sent', async () => {
    const sent = { body: { name: ' e\u0301 ' } };
    expect(await answerTo(routes.create, sent)).toEqual([200, '\u00E9']);
    expect(await answerTo(routes.exchange, sent)).toEqual([200, ' e\u0301 ']);
  });

  it('that holds half of a surrogate pair is refused, not mended', async () => {
    const rawBody = '{"name":"\uD83C"}';
    expect(await answerTo(routes.create, { rawBody })).toEqual([
      400,
      expect.objectContaining({ path: 'name' }),
    ]);
  });

  it('whose bytes are not UTF-8 is refused as a whole', async () => {
    const sent = { binaryBody: Buffer.from([0x22, 0xff, 0x22]), ...type('application/json') };
    expect(await answerTo(routes.create, sent)).toEqual([400, { path: '', message: 'is not UTF-8' }]);
  });

  it('that is too large is told what is accepted', async () => {
    const { status, json } = await send(pipeline, routes.create, { identity: carrier, rawBody: large });
    expect([status, json['errorMessage'], json['details']]).toEqual([
      413,
      ['The body is too large.'],
      { expected: 'a body of at most 262144 bytes', actual: 'a larger body' },
    ]);
  });

  it('is required', async () => {
    expect(await answerTo(routes.create, type('application/json'))).toMatchObject([
      400,
      { path: '', message: expect.stringContaining('The body is empty') },
    ]);
  });

  it.each([
    ['none', {}, 'nothing'],
    ['spaces', { rawBody: ' \n' }, 'nothing'],
    ['{}', { body: {} }, 'nothing'],
    ['one', { body: { name: 'a test' } }, 'a test'],
  ])('that may be left out can be %s', async (_, sent, name) => {
    expect(await answerTo(routes.test, sent)).toEqual([200, name]);
  });

  it('of a token request is a form', async () => {
    const form = type('application/x-www-form-urlencoded');
    const rawBody = 'client_id=one';
    expect((await send(pipeline, routes.requestToken, { rawBody, ...form })).json).toEqual({
      access_token: 'one',
    });
    expect((await send(pipeline, routes.requestToken, { rawBody })).status).toBe(400);
  });
});

describe('a route without a body', () => {
  it.each(['', ' \n', '{}', ' {} '])('takes %j', async (rawBody) => {
    expect(await answerTo(routes.check, { rawBody })).toEqual([200, 'checked']);
  });

  it('takes none', async () => {
    expect(await answerTo(routes.check, {})).toEqual([200, 'checked']);
  });

  it.each(['{"name":"x"}', '[]', 'x', large])(
    'refuses another one, however large: %.20s',
    async (rawBody) => {
      const refusal = { path: '', message: 'This endpoint does not accept a body.' };
      expect(await answerTo(routes.check, { rawBody })).toEqual([400, refusal]);
    },
  );

  it('and with GET does not look at one', async () => {
    expect(await answerTo(routes.list, { rawBody: 'x' })).toEqual([200, 'listed']);
  });
});

describe('a form', () => {
  const boundary = 'part';
  const form = [
    `--${boundary}\r\nContent-Disposition: form-data; name="name"\r\n\r\n a file \r\n`,
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\nbytes\r\n--${boundary}--\r\n`,
  ].join('');
  const multipart = type(`multipart/form-data; boundary=${boundary}`);

  it.each([
    ['bytes', { binaryBody: Buffer.from(form) }],
    ['text', { rawBody: form }],
  ])('is read from %s', async (_, sent) => {
    expect(await answerTo(routes.upload, { ...sent, ...multipart })).toEqual([200, 'a file: bytes']);
  });

  it('may be JSON instead, and nothing else', async () => {
    expect(await answerTo(routes.upload, { body: { name: 'announced' } })).toEqual([200, 'announced']);
    const accepted = ['application/json', 'multipart/form-data'];
    expect(await answerTo(routes.upload, { rawBody: '{}', ...type('text/plain') })).toEqual([
      400,
      { path: 'content-type', message: `must be ${accepted.join(' or ')}`, accepted },
    ]);
  });

  it('is refused where only JSON is taken', async () => {
    expect(await answerTo(routes.create, { rawBody: form, ...multipart })).toMatchObject([
      400,
      { path: 'content-type', accepted: ['application/json'] },
    ]);
  });
});
