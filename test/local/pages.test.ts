import { readFileSync } from 'node:fs';
import { createServer, type Server, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Demo } from '../../infra/local/demo/demo.ts';
import { createPages } from '../../infra/local/pages/pages.ts';

let server: Server;
let address: string;

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
  tryIt: {},
};

beforeAll(async () => {
  const pages = createPages(() => demo);
  server = createServer((request, response) => {
    if (!pages(request, response)) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Status of a GET with another Host header, which `fetch` does not send. */
const statusFor = (path: string, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    send(`${address}${path}`, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });

describe('the page of webhooks', () => {
  it('loads everything from the local run, and may load nothing else', async () => {
    const response = await fetch(`${address}/webhooks`);
    expect(response.headers.get('content-security-policy')).toBe("default-src 'self'");
    const text = await response.text();
    expect(text).not.toMatch(/(src|href)="https?:/);
    const loaded = Array.from(text.matchAll(/(?:<script[^>]* src|<link[^>]* href|<img src)="([^"]+)"/g));
    expect(loaded.length).toBeGreaterThan(3);
    for (const [, file = ''] of loaded) {
      const { status, headers } = await fetch(new URL(file, address));
      expect({ file, status }).toEqual({ file, status: 200 });
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });
});

it.each([
  'infra/local/pages/webhooks.js',
  'infra/reference/code.js',
  'infra/reference/dom.js',
  'infra/reference/reference.js',
  'infra/reference/try-it-form.js',
])('%s never takes data for markup', (file) => {
  expect(readFileSync(file, 'utf8')).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write|eval\(/);
});

describe('/', () => {
  it('leads a browser to the reference', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    const { status, headers } = await fetch(`${address}/`, { headers: { accept }, redirect: 'manual' });
    expect({ status, location: headers.get('location') }).toEqual({ status: 302, location: '/docs' });
  });

  it.each([['*/*'], ['application/json']])('is the API’s for a caller that accepts %s', async (accept) => {
    expect((await fetch(`${address}/`, { headers: { accept }, redirect: 'manual' })).status).toBe(404);
  });
});

describe('the demo’s credentials', () => {
  it('are there for the pages', async () => {
    expect(await (await fetch(`${address}/docs/demo.json`)).json()).toEqual(demo);
  });

  it('are not there for a website whose name was made to resolve to this machine', async () => {
    expect(await statusFor('/docs/demo.json', 'localhost:3000')).toBe(200);
    expect(await statusFor('/docs/demo.json', 'rebound.example')).toBe(404);
    expect(await statusFor('/docs/demo.json', '127.0.0.1.rebound.example')).toBe(404);
  });
});

it('every other path is the API’s', async () => {
  expect((await fetch(`${address}/docs`)).status).toBe(404);
  expect((await fetch(`${address}/webhooks/pages.ts`)).status).toBe(404);
  expect((await fetch(`${address}/v2/upstream/webhooks`)).status).toBe(404);
  expect((await fetch(`${address}/webhooks`, { method: 'POST' })).status).toBe(404);
});
