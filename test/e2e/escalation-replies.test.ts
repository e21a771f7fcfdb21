import { randomBytes, randomUUID } from 'node:crypto';
import {
  carrier,
  filingIn,
  newFiling,
  place,
  read,
  upstreamFilings,
  write,
} from '../support/imported-filings.ts';
import { call, errorShape, newOrganization } from '../support/local-api.ts';

it('50 equal replies at once under one idempotency key have one effect', async () => {
  const owner = await newOrganization('upstreamEntity');
  const filingId = await newFiling(owner, { downstreamEntityId: undefined });
  const key = randomUUID();
  const path = `${upstreamFilings}/${filingId}/escalation/messages`;
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => write('POST', path, owner, { ...place, body: 'once' }, key)),
  );
  for (const { status } of answers) expect([201, 409]).toContain(status);
  const done = answers.filter(({ status }) => status === 201).map(({ json }) => json);
  expect(new Set(done.map(({ requestId }) => requestId)).size).toBe(1);
  const { escalations } = await read(`${upstreamFilings}/${filingId}`, owner);
  expect(escalations[0]?.messages.filter(({ authorType }) => authorType === 'customer')).toHaveLength(1);
});

it('an answer larger than one database item is replayed completely', async () => {
  const messages = Array.from({ length: 130 }, (_, index) => ({
    authorType: 'service',
    // Random text does not compress to less than three quarters.
    body: randomBytes(3_700).toString('base64').slice(0, 4_900),
    sentAt: new Date(Date.parse('2026-03-01T00:00:00.000Z') + index * 1_000).toISOString(),
  }));
  const escalation = { status: 'waiting customer input', openedAt: '2026-03-01T00:00:00.000Z', messages };
  const items = [{ sourceTaskId: place.sourceTaskId, label: 'Signed affidavit', escalation }];
  const checklist = [{ sourceCategoryId: place.sourceCategoryId, name: 'Documents', items }];
  const filingId = await newFiling(carrier, { checklist });
  const key = randomUUID();
  const path = `${upstreamFilings}/${filingId}/escalation/messages`;
  const first = await write('POST', path, carrier, { ...place, body: 'Signed.' }, key);
  const second = await write('POST', path, carrier, { ...place, body: 'Signed.' }, key);
  expect(first.status).toBe(201);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
  expect(second.text).toBe(first.text);
  expect(filingIn(second.json).escalations[0]?.messages).toHaveLength(131);
});

it('a refused reply may be corrected and sent again under its idempotency key', async () => {
  const filingId = await newFiling();
  const announced = await call('POST', '/v2/upstream/file-documents', {
    headers: carrier.bearer,
    body: {
      category: 'Surplus Lines',
      fileName: 'late.pdf',
      contentType: 'application/pdf',
      sizeInBytes: 1_000,
    },
  });
  const { _id } = announced.json['data'] as { readonly _id: string };
  const key = randomUUID();
  const path = `${upstreamFilings}/${filingId}/escalation/messages`;
  const refused = await write('POST', path, carrier, { ...place, fileDocumentIds: [_id] }, key);
  expect(refused.status).toBe(400);
  expect(refused.json).toMatchObject({ details: { issues: [{ path: 'fileDocumentIds[0]' }] } });
  expect((await write('POST', path, carrier, { ...place, body: 'Later.' }, key)).status).toBe(201);
});

it('a reply must be JSON; a form is refused even if it holds only text', async () => {
  const filingId = await newFiling();
  const form = new FormData();
  form.set('sourceCategoryId', place.sourceCategoryId);
  form.set('sourceTaskId', place.sourceTaskId);
  form.set('body', 'text only');
  const url = `${process.env['TEST_BASE_URL']}${upstreamFilings}/${filingId}/escalation/messages`;
  const response = await fetch(url, { method: 'POST', headers: carrier.bearer, body: form });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject(
    errorShape(400, 'validation_error', {
      details: { issues: [{ path: 'content-type', accepted: ['application/json'] }] },
    }),
  );
});
