import { createHmac } from 'node:crypto';
import { request as send } from 'node:http';
import type { Demo } from '../../infra/local/demo/demo.ts';
import { createPages, createWebhookReceiver, lineOf, receiverPath } from '../../infra/local/demo/receiver.ts';
import { type Listener, openListener } from '../../infra/local/listener.ts';

let listener: Listener;

const organization = {
  organizationId: 'a'.repeat(24),
  clientId: 'client_1',
  clientSecret: 'secret_1',
  restrictedToken: 'token_1',
};
const demo: Demo = {
  upstream: organization,
  downstream: organization,
  npn: '9000000001',
  policyId: '1',
  downstreamEntityAssociationId: '2',
  filingId: '3',
  filingWithOpenEscalation: { filingId: '4', sourceCategoryId: '5', sourceTaskId: '6' },
  receiptId: '65f0c1d2e3a4b5c6d7e8f909',
  fileDocumentId: '7',
  lapsedLicense: {
    agentId: '8',
    downstreamEntityAssociationId: '9',
    policyId: '10',
    productId: '11',
    expiredOn: '2026-01-15',
    effectiveDate: '2026-02-12',
    renewedOn: '2026-02-20',
  },
  unappointedSeller: {
    downstreamEntityAssociationId: '12',
    policyId: '13',
    productId: '14',
    agentId: '15',
  },
  unlicensedSale: { policyId: '16', agentId: '17' },
};

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const lines: string[] = [];

beforeAll(async () => {
  const receiver = createWebhookReceiver((one) => lines.push(lineOf(one)));
  receiver.addSecret('known', secret);
  const pages = createPages(() => demo, receiver);
  listener = await openListener(0);
  listener.serve(async (request, response) => {
    if (!pages(request, response)) response.writeHead(404).end();
  });
});

afterAll(() => listener.close());

/** Status of a GET with another Host header, which `fetch` does not send. */
const statusFor = (path: string, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    send(`${listener.address}${path}`, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });

describe('the receiver of webhooks', () => {
  const timestamp = '1772600767';

  /** Sends a body as the service does, and returns the status. */
  async function deliver(body: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
    const { status } = await fetch(listener.address + receiverPath, {
      method: 'POST',
      headers: {
        'x-service-webhook-id': 'known',
        'x-service-timestamp': timestamp,
        'x-service-signature': createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex'),
        ...headers,
      },
      body,
    });
    return status;
  }

  it('accepts an event whose signature is right, and says so in a line', async () => {
    const body = '{"webhookType":"AGENT_CREATED","sequence":7}';
    expect(await deliver(body)).toBe(204);
    expect(lines.at(-1)).toMatch(/Z {2}AGENT_CREATED 7, signature verified$/);
  });

  it.each([
    ['another signature', { 'x-service-signature': '0'.repeat(64) }, 401, 'wrong'],
    ['another timestamp', { 'x-service-timestamp': '1' }, 401, 'wrong'],
    ['a webhook whose secret it does not have', { 'x-service-webhook-id': 'foreign' }, 204, 'unknown'],
  ])('answers one with %s', async (_, headers, status, signature) => {
    expect(await deliver('no event', headers)).toBe(status);
    expect(lines.at(-1)).toMatch(new RegExp(`not an event, signature ${signature}$`));
  });

  it('refuses a body that is too large', async () => {
    expect(await deliver('x'.repeat(1_024 * 1_024 + 1))).toBe(413);
  });
});

describe('/', () => {
  it('leads a browser to the reference', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    const { status, headers } = await fetch(listener.address, { headers: { accept }, redirect: 'manual' });
    expect({ status, location: headers.get('location') }).toEqual({ status: 302, location: '/docs' });
  });

  it.each([['*/*'], ['application/json']])('is the API’s for a caller that accepts %s', async (accept) => {
    expect((await fetch(listener.address, { headers: { accept }, redirect: 'manual' })).status).toBe(404);
  });
});

describe('the demo’s credentials', () => {
  it('are there for the reference', async () => {
    expect(await (await fetch(`${listener.address}/docs/demo.json`)).json()).toEqual(demo);
  });

  it('are not there for a website whose name was made to resolve to this machine', async () => {
    expect(await statusFor('/docs/demo.json', 'localhost:3000')).toBe(200);
    expect(await statusFor('/docs/demo.json', 'rebound.example')).toBe(404);
    expect(await statusFor('/docs/demo.json', '127.0.0.1.rebound.example')).toBe(404);
  });
});

it.each(['/docs', '/v2/upstream/webhooks', receiverPath])('a GET of %s is the API’s', async (path) => {
  expect((await fetch(`${listener.address}${path}`)).status).toBe(404);
});
