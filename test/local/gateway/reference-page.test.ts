import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveReferencePage } from '../../../infra/local/gateway/reference-page.ts';

let server: Server;
let address: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (!serveReferencePage(request, response)) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('the reference page', () => {
  it('loads its script from the local run, as a module', async () => {
    const page = await (await fetch(`${address}/docs`)).text();
    const [, path = ''] = /<script type="module" src="([^"]+)">/.exec(page) ?? [];
    const script = await fetch(address + path);
    expect(script.headers.get('content-type')).toMatch(/^text\/javascript/);
    const text = await script.text();
    expect(text).toBe(await readFile('node_modules/@redocly/cli/lib/chunks/redoc.standalone.js', 'utf8'));
    expect(text).toMatch(/export ?\{[^}]*\};?\s*$/);
  });

  it('refers to no other address and allows none', async () => {
    const response = await fetch(`${address}/docs`);
    expect(await response.text()).not.toMatch(/https?:/);
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'self';/);
  });

  it('leaves every other path to the API', async () => {
    expect((await fetch(`${address}/docs/other`)).status).toBe(404);
    expect((await fetch(`${address}/docs`, { method: 'POST' })).status).toBe(404);
  });
});
