import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { routeGroup } from '#platform/contract/route.ts';
import { FormFile, formFile, parseForm } from '#platform/request/form.ts';
import { baseUrlOf } from '#platform/request/headers.ts';
import { createPipeline } from '#platform/request/pipeline.ts';
import { carrier, type EventOptions, send } from '../../../../support/api-event.ts';
import { testContext } from '../../../../support/context.ts';

describe('base url', () => {
  /** An event's members as API Gateway documents them, for a request to a route. */
  const asked = (domainName: string, path: string, resource = '/v2/openapi.json') =>
    ({ resource, requestContext: { domainName, path } }) as unknown as APIGatewayProxyEvent;
  const overTls = { 'x-forwarded-proto': 'https', 'x-forwarded-port': '443' };

  it.each([
    ['a stage', 'abc123.execute-api.us-east-1.amazonaws.com', '/prod', overTls],
    ['a custom domain', 'api.carrier-compliance.com', '', overTls],
    ['a base path of a custom domain', 'api.carrier-compliance.com', '/compliance', overTls],
  ])('is the address of %s', (_, domainName, prefix, headers) => {
    const expected = `https://${domainName}${prefix}`;
    expect(baseUrlOf(asked(domainName, `${prefix}/v2/openapi.json`), headers)).toBe(expected);
    const id = '65f0c1d2e3a4b5c6d7e8f901';
    const one = asked(domainName, `${prefix}/v2/upstream/policies/${id}`, '/v2/upstream/policies/{policyId}');
    expect(baseUrlOf(one, headers)).toBe(expected);
  });

  it('has the port of the local run', () => {
    const headers = { 'x-forwarded-proto': 'http', 'x-forwarded-port': '3000' };
    expect(baseUrlOf(asked('127.0.0.1', '/v2/openapi.json'), headers)).toBe('http://127.0.0.1:3000');
  });
});

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
  rateLimiter: { take: async () => ({ limit: 10, remaining: 9, reset: 1, isAdmitted: true }) },
  idempotency: {
    once: async (_, __, { operate, respond }) => ({
      ...respond(await operate(() => [])),
      isReplayed: false,
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

  it('that is not JSON is told where, and shown nothing of it', async () => {
    expect(await answerTo(routes.create, { rawBody: '{"name": "Jane",}' })).toEqual([
      400,
      { path: '', message: 'is not valid JSON at position 16 (line 1 column 17)' },
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

describe('form', () => {
  async function posted(form: FormData): Promise<[Uint8Array<ArrayBuffer>, string]> {
    const request = new Response(form);
    const contentType = request.headers.get('content-type') ?? '';
    return [new Uint8Array(await request.arrayBuffer()), contentType];
  }

  it('a form is parsed into its fields and files', async () => {
    const form = new FormData();
    form.set('category', 'E&O');
    form.set('file', new Blob([new Uint8Array([0, 255, 10])]), 'ä "b".pdf');
    const { category, file } = await parseForm(...(await posted(form)));

    expect(category).toBe('E&O');
    if (!(file instanceof FormFile)) throw new Error('not a file');
    expect(file.name).toBe('ä "b".pdf');
    expect([...file.content]).toEqual([0, 255, 10]);
  });

  it('equal files are equal for idempotency keys, and different ones are not', () => {
    const json = (text: string, name = 'a.pdf') => JSON.stringify(new FormFile(Buffer.from(text), name));
    expect(json('one')).toBe(json('one'));
    expect(json('one')).not.toBe(json('two'));
    expect(json('one')).not.toBe(json('one', 'b.pdf'));
  });

  it('a duplicate part is refused', async () => {
    const form = new FormData();
    form.append('category', 'W9');
    form.append('category', 'E&O');
    await expect(parseForm(...(await posted(form)))).rejects.toMatchObject({
      errorType: 'validation_error',
      details: { issues: [{ path: 'category' }] },
    });
  });

  it.each([
    ['no boundary', 'multipart/form-data', 'text'],
    ['nothing', 'multipart/form-data; boundary=a', ''],
  ])('a body that is no form is refused: %s', async (_, contentType, body) => {
    await expect(parseForm(Buffer.from(body), contentType)).rejects.toMatchObject({
      errorType: 'validation_error',
    });
  });

  it.each(['a', "x'()+_,-./:=?", 'b'.repeat(70)])('a boundary may be %j', async (boundary) => {
    const part = `--${boundary}\r\ncontent-disposition: form-data; name="category"\r\n\r\nW9\r\n`;
    const contentType = `multipart/form-data; boundary="${boundary}"`;
    expect(await parseForm(Buffer.from(`${part}--${boundary}--\r\n`), contentType)).toEqual({
      category: 'W9',
    });
  });

  it('text that is not UTF-8, and a long name, are refused by the name’s beginning', async () => {
    const part = (name: string, value: string) =>
      `--a\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const form = Buffer.from(`${part('category', 'Käse')}--a--\r\n`, 'latin1');
    await expect(parseForm(form, 'multipart/form-data; boundary=a')).rejects.toMatchObject({
      details: { issues: [{ path: 'category', message: 'is not UTF-8' }] },
    });
    const long = part('n'.repeat(5_000), 'x');
    await expect(
      parseForm(Buffer.from(`${long}${long}--a--\r\n`), 'multipart/form-data; boundary=a'),
    ).rejects.toMatchObject({ details: { issues: [{ path: `${'n'.repeat(100)}…` }] } });
  });

  it.each([
    ['filename="5%22 rider.pdf"', '5" rider.pdf'],
    ['filename="100%25.pdf"', '100%25.pdf'],
    ['filename="a\\b.pdf"', 'a\\b.pdf'],
  ])('a form with %s has the file name %s', async (parameter, name) => {
    const boundary = '----form-boundary-7d29';
    const content = 'Content-Disposition: form-data; filename="\\"x\\""';
    const part = `--${boundary}\r\nContent-Type: application/pdf\r\nContent-Disposition: form-data; name="file"; ${parameter}\r\n\r\n${content}`;
    const { file } = await parseForm(
      Buffer.from(`${part}\r\n--${boundary}--\r\n`),
      `multipart/form-data; boundary=${boundary}`,
    );
    expect(
      file instanceof FormFile && { name: file.name, content: Buffer.from(file.content).toString() },
    ).toEqual({
      name,
      content,
    });
  });
});
