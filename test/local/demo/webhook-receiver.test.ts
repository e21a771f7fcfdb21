import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createWebhookReceiver,
  type Received,
  type WebhookReceiver,
} from '../../../infra/local/demo/webhooks.ts';

let receiver: WebhookReceiver;
let server: Server;
let address: string;
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

beforeEach(async () => {
  receiver = createWebhookReceiver(() => new Date('2026-03-04T05:06:07.890Z'));
  receiver.addSecret('known', secret);
  server = createServer((request, response) => {
    if (!receiver.serve(request, response)) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const timestamp = '1772600767';
const body = '{"webhookType":"AGENT_CREATED","sequence":1}';
const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');

const deliver = (headers: Readonly<Record<string, string>> = {}, sent: string = body) =>
  fetch(address + receiver.path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-service-webhook-id': 'known',
      'x-service-timestamp': timestamp,
      'x-service-signature': signature,
      ...headers,
    },
    body: sent,
  });

/** The page's connection: what it is told, one after the other. */
async function page(): Promise<{ next(): Promise<Received>; close(): Promise<void> }> {
  const response = await fetch(`${address}/webhooks/received`);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader();
  let text = '';
  return {
    async next() {
      for (;;) {
        const found = /^data: (.*)\n\n/m.exec(text);
        if (found !== null) {
          text = text.slice(found.index + found[0].length);
          return JSON.parse(found[1] ?? '') as Received;
        }
        const { value, done } = await reader.read();
        if (done) throw new Error('The connection has ended.');
        text += Buffer.from(value).toString('utf8');
      }
    },
    close: () => reader.cancel(),
  };
}

describe('a delivery', () => {
  it('with a valid signature is accepted and shown immediately', async () => {
    const { next, close } = await page();
    const { status } = await deliver();
    expect(status).toBe(204);
    expect(await next()).toEqual({
      at: '2026-03-04T05:06:07.890Z',
      webhookId: 'known',
      signature: 'verified',
      status: 204,
      headers: expect.objectContaining({
        'content-type': 'application/json',
        'x-service-timestamp': timestamp,
        'x-service-signature': signature,
      }),
      body,
    });
    await close();
  });

  it.each([
    ['another signature', { 'x-service-signature': signature.replace(/^./, 'x') }],
    ['a shorter signature', { 'x-service-signature': 'short' }],
    ['another timestamp', { 'x-service-timestamp': '1' }],
  ])('with %s is refused, and shown as such', async (_, headers) => {
    expect((await deliver(headers)).status).toBe(401);
    const { next, close } = await page();
    expect(await next()).toMatchObject({ signature: 'wrong', status: 401 });
    await close();
  });

  it('for an unknown webhook is accepted unverified', async () => {
    expect((await deliver({ 'x-service-webhook-id': 'foreign' })).status).toBe(204);
    const { next, close } = await page();
    expect(await next()).toMatchObject({ webhookId: 'foreign', signature: 'secret unknown' });
    await close();
  });

  it('that is too large is refused', async () => {
    expect((await deliver({}, 'x'.repeat(1_024 * 1_024 + 1))).status).toBe(413);
  });
});

describe('the page', () => {
  it('shows the last 200 deliveries when opened, oldest first', async () => {
    for (let index = 0; index < 201; index += 1) await deliver({ 'x-service-webhook-id': String(index) });
    const { next, close } = await page();
    for (let index = 1; index < 201; index += 1)
      expect(await next()).toMatchObject({ webhookId: String(index) });
    await close();
  });

  it('forgets all deliveries when one page clears them, and so do the other pages', async () => {
    await deliver();
    const other = await fetch(`${address}/webhooks/received`);
    const reader = (other.body ?? new ReadableStream<Uint8Array>()).getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toContain('data: {');
    expect((await fetch(`${address}/webhooks/received`, { method: 'DELETE' })).status).toBe(204);
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('event: cleared\ndata:\n\n');
    await reader.cancel();
    const { next, close } = await page();
    await deliver({ 'x-service-webhook-id': 'later' });
    expect(await next()).toMatchObject({ webhookId: 'later' });
    await close();
  });

  it('leaves every other path to the API', async () => {
    expect((await fetch(`${address}/v2/upstream/webhooks`)).status).toBe(404);
    expect((await fetch(address + receiver.path)).status).toBe(404);
  });
});
