import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { LocalFunction } from '../../../infra/local/functions/local-function.ts';
import { FunctionError, ThrottledError } from '../../../infra/local/functions/worker-messages.ts';
import { createGateway } from '../../../infra/local/gateway/gateway.ts';
import { longestMs } from '../../support/until.ts';

const megabyte = 1_024 * 1_024;

/** A function that answers with what `answer` makes of its event. */
function fake(answer: (event: Record<string, unknown>) => unknown): LocalFunction {
  return {
    settings: {
      module: '',
      handler: '',
      functionName: 'fake',
      functionArn: 'fake',
      memoryLimitInMB: 128,
      timeoutMs: 1_000,
      environment: {},
    },
    invoke: async (payload) => answer(JSON.parse(JSON.stringify(payload))),
    stream: (payload) => {
      const answered = answer(JSON.parse(JSON.stringify(payload)));
      if (answered instanceof Readable) return answered;
      const head = { statusCode: 200, headers: { 'Content-Type': 'application/json', Connection: 'x' } };
      return Readable.from([
        Buffer.from(`${JSON.stringify(head)}${'\0'.repeat(8)}${JSON.stringify(answered)}`),
      ]);
    },
    crash: async () => {},
    stop: async () => {},
  };
}

/** A function of which as many run as may. */
const throttled: LocalFunction = {
  ...fake(() => null),
  invoke: () => Promise.reject(new ThrottledError()),
  stream: () => {
    const stream = new Readable({ read() {} });
    stream.destroy(new ThrottledError());
    return stream;
  },
};

const decision = (effect: 'Allow' | 'Deny', context: object = {}) => ({
  principalId: 'caller',
  policyDocument: {
    Version: '2012-10-17',
    Statement: [{ Action: 'execute-api:Invoke', Effect: effect, Resource: '*' }],
  },
  context,
});

const functions: Record<string, LocalFunction> = {
  echo: fake((event) => event),
  silent: fake(() => new Readable({ read() {} })),
  broken: fake(() =>
    Readable.from(
      (async function* () {
        yield Buffer.from(`{"statusCode":200,"headers":{}}${'\0'.repeat(8)}[1,`);
        throw new Error('gone');
      })(),
    ),
  ),
  failed: fake(() => {
    const stream = new Readable({ read() {} });
    stream.destroy(new FunctionError({ errorType: 'Error', errorMessage: 'an internal name' }));
    return stream;
  }),
  busy: throttled,
  allow: fake((event) => decision('Allow', { organizationId: 'o', count: 3, methodArn: event['methodArn'] })),
  deny: fake(() => decision('Deny', { errorType: 'forbidden' })),
  failing: fake(() => {
    throw new Error('no');
  }),
  misconfigured: fake(() => decision('Allow', { list: [] })),
};

const route = (path: string, functionArn: string, authorizerArn?: string, timeoutMs = longestMs) => ({
  path,
  methods: new Map([['ANY', { functionArn, timeoutMs, authorizerArn }]]),
});

const faults: string[] = [];
let server: Server;
let address: string;

beforeAll(async () => {
  const gateway = createGateway({
    definition: {
      resources: [
        route('/echo/{id}', 'echo'),
        route('/silent', 'silent', undefined, 50),
        route('/broken', 'broken'),
        route('/failed', 'failed'),
        route('/busy', 'busy'),
        route('/guarded/busy', 'echo', 'busy'),
        ...['allow', 'deny', 'failing', 'misconfigured'].map((name) =>
          route(`/guarded/${name}`, 'echo', name),
        ),
      ],
      responses: {
        ACCESS_DENIED: {
          responseTemplates: { 'application/json': '{"why":"$context.authorizer.errorType"}' },
        },
      },
      binaryMediaTypes: ['multipart/form-data'],
    },
    api: { apiId: 'api', stage: 'local' },
    functionByArn: (name) => functions[name] ?? fake(() => null),
    onFault: (message) => faults.push(message),
  });
  server = createServer((request, response) => void gateway(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const get = (path: string, init?: RequestInit): Promise<Response> => fetch(address + path, init);
const answered = async (path: string, init?: RequestInit) => {
  const response = await get(path, init);
  return { status: response.status, body: JSON.parse(await response.text()) };
};

describe("a function's event", () => {
  it('is that of a Lambda proxy integration', async () => {
    const { body } = await answered('/echo/a%20b?state=TX&state=NY&text=a+b', {
      headers: { 'X-Custom': 'one', 'x-local-source-ip': '203.0.113.7' },
    });
    expect(body).toMatchObject({
      resource: '/echo/{id}',
      path: '/echo/a%20b',
      httpMethod: 'GET',
      pathParameters: { id: 'a b' },
      multiValueQueryStringParameters: { state: ['TX', 'NY'], text: ['a b'] },
      body: null,
      isBase64Encoded: false,
      requestContext: {
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        identity: { sourceIp: '203.0.113.7' },
      },
    });
    const names = Object.keys(body.headers).map((name) => name.toLowerCase());
    expect(names).toContain('x-custom');
    expect(names).not.toContain('x-local-source-ip');
  });

  it('has every value of a header that is sent twice', async () => {
    const sent = request(`${address}/echo/1`, { headers: { 'X-Custom': ['one', 'two'] } }).end();
    const [response] = await once(sent, 'response');
    const { multiValueHeaders } = JSON.parse(await text(response));
    expect(multiValueHeaders).toMatchObject({ 'X-Custom': ['one', 'two'] });
  });

  it('describes the actual connection, whatever the caller claims', async () => {
    const { body } = await answered('/echo/1', {
      headers: { 'x-forwarded-proto': 'https', 'X-Forwarded-Port': '1' },
    });
    const forwarded = Object.entries(body.headers).filter(([name]) => /^x-forwarded-p/i.test(name));
    expect(Object.fromEntries(forwarded)).toEqual({
      'X-Forwarded-Proto': 'http',
      'X-Forwarded-Port': new URL(address).port,
    });
  });

  it('has null for missing parts, and the address of the socket', async () => {
    const { body } = await answered('/echo/1');
    expect(body).toMatchObject({ multiValueQueryStringParameters: null });
    expect(body.requestContext.identity.sourceIp).toBe('127.0.0.1');
  });

  it('contains the body as text, or as base64 if its type is binary', async () => {
    const text = await answered('/echo/1', { method: 'POST', body: '{"é":1}' });
    expect(text.body).toMatchObject({ body: '{"é":1}', isBase64Encoded: false });
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const bytes = await answered('/echo/1', { method: 'POST', body: Buffer.from([255, 0, 1]), headers });
    expect(bytes.body).toMatchObject({ body: '/wAB', isBase64Encoded: true });
  });
});

describe('the authorizer', () => {
  it('passes its context to the function as strings', async () => {
    const { body } = await answered('/guarded/allow', { method: 'PUT' });
    expect(body.requestContext.authorizer).toEqual({
      principalId: 'caller',
      organizationId: 'o',
      count: '3',
      methodArn: 'arn:aws:execute-api:us-east-1:000000000000:api/local/PUT/guarded/allow',
    });
  });

  it.each([
    ['deny', 403, { why: 'forbidden' }],
    ['failing', 500, { message: 'Internal server error' }],
    ['misconfigured', 500, { message: 'Internal server error' }],
  ])('that answers %s ends the request with %i', async (name, status, body) => {
    expect(await answered(`/guarded/${name}`)).toEqual({ status, body });
  });
});

describe('the gateway', () => {
  it('answers unknown paths and malformed encodings', async () => {
    expect(await answered('/nothing')).toMatchObject({ status: 403 });
    expect(await answered('/echo/%zz')).toMatchObject({ status: 400 });
  });

  it.each([
    ['more than 6 MB for the function', 6 * megabyte, 'text/plain'],
    ['more than 6 MB in base64', 5 * megabyte, 'multipart/form-data'],
  ])('refuses %s with 413', async (_, length, type) => {
    const init = { method: 'POST', body: Buffer.alloc(length, 97), headers: { 'content-type': type } };
    expect(await answered('/echo/1', init)).toMatchObject({ status: 413 });
  });

  it('answers 504 when the integration times out', async () => {
    expect(await answered('/silent')).toMatchObject({ status: 504 });
  });

  it('does not reveal why a function failed', async () => {
    expect(await answered('/failed')).toEqual({ status: 502, body: { message: 'Internal server error' } });
    expect(faults.at(-1)).toMatch(/an internal name/);
  });

  it.each([
    ['/busy', 502],
    ['/guarded/busy', 500],
  ])('answers 500 for a function that Lambda throttles: %s', async (path, status) => {
    expect(await answered(path)).toEqual({ status, body: { message: 'Internal server error' } });
    expect(faults.at(-1)).toMatch(/INTEGRATION_FAILURE|AUTHORIZER_FAILURE/);
  });

  it('closes the connection when a response breaks off, and never ends it as if complete', async () => {
    const response = await get('/broken');
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it('renames headers that a function may not set', async () => {
    const response = await get('/echo/1');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('x-amzn-remapped-connection')).toBe('x');
  });
});
