import { randomUUID } from 'node:crypto';
import { newCarrier, routes } from '../support/webhooks-tests.ts';

const types = ['CONTRACT_SIGNED', 'DOCUMENT_UPLOADED'] as const;

describe('the type of a test event', () => {
  it.each([
    ['no body', {}],
    ['no body, but its media type', { headers: { 'content-type': 'application/json' } }],
    ['an empty body', { rawBody: '' }],
    ['{}', { body: {} }],
  ])('is the webhook’s first one with %s', async (_, sent) => {
    const carrier = newCarrier();
    const { _id: webhookId } = await carrier.webhook({ types: [...types] });
    const { status, data } = await carrier.ask(routes.testWebhook, { params: { webhookId }, ...sent });
    expect([status, data]).toEqual([202, expect.objectContaining({ webhookType: 'CONTRACT_SIGNED' })]);
  });

  it('is the one that the body names', async () => {
    const carrier = newCarrier();
    const webhook = await carrier.webhook({ types: [...types] });
    const { status, data } = await carrier.test(webhook, { webhookType: 'DOCUMENT_UPLOADED' });
    expect([status, data]).toEqual([202, expect.objectContaining({ webhookType: 'DOCUMENT_UPLOADED' })]);
  });

  it('is one test event, whether the request under a key has no body or {}', async () => {
    const carrier = newCarrier();
    const { _id: webhookId } = await carrier.webhook({ types: [...types] });
    const sent = { params: { webhookId }, headers: { 'idempotency-key': randomUUID() } };
    const first = await carrier.ask(routes.testWebhook, sent);
    const second = await carrier.ask(routes.testWebhook, { ...sent, body: {} });
    expect([second.status, second.data]).toEqual([202, first.data]);
  });

  it.each(['null', '[]', '{"type":"CONTRACT_SIGNED"}'])('%s is refused', async (rawBody) => {
    const carrier = newCarrier();
    const { _id: webhookId } = await carrier.webhook();
    expect((await carrier.ask(routes.testWebhook, { params: { webhookId }, rawBody })).status).toBe(400);
  });

  it('and a webhook is not registered without a body', async () => {
    expect((await newCarrier().ask(routes.createWebhook)).status).toBe(400);
  });
});
