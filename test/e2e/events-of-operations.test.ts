import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { type AnyEvent, anyEvent, eventOf } from '#domain/events/event.ts';
import { type WebhookType, webhookTypes } from '#domain/events/payloads.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { pdf } from '../support/files.ts';
import { filing } from '../support/import-lines.ts';
import { admin, call, importRecords, newOrganization, type Organization } from '../support/local-api.ts';
import { startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';

// What operations and imports tell, from the request that changes something to the receiver that hears of it.

let organization: Organization;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeAll(async () => {
  organization = await newOrganization('upstreamEntity');
  receiver = await startReceiver(() => 204);
  const body = { url: receiver.url('/hooks'), types: webhookTypes };
  expect((await ask('POST', '/v2/upstream/webhooks', body)).status).toBe(201);
});

afterAll(() => receiver.close());

const ask = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
  const answer = await call(method, path, {
    headers: { ...organization.bearer, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  return { ...answer, data: answer.json['data'] as Readonly<Record<string, unknown>> };
};

/** The events that have come, each once, however often it was delivered, those of one entity in their order. */
const heard = (): AnyEvent[] => {
  const events = receiver.got.map(({ body }) => z.parse(anyEvent, JSON.parse(body)));
  const once = new Map(events.map((event) => [event.eventId, event]));
  return [...once.values()].sort((one, other) => one.sequence - other.sequence);
};

/** Events of a type about what `payload` names, once there are so many of them; each is what its type's schema says. */
async function emitted(type: WebhookType, payload: object, length = 1): Promise<AnyEvent[]> {
  const found = () =>
    heard().filter((event) => {
      if (event.webhookType !== type) return false;
      const said = z.parse(z.record(z.string(), z.unknown()), event.payload);
      return Object.entries(payload).every(([name, value]) => said[name] === value);
    });
  await until(() => found().length >= length);
  for (const event of found()) {
    expect(event.upstreamEntityId).toBe(organization.organizationId);
    expect(z.parse(eventOf(type), event)).toEqual(event);
  }
  return found();
}

let count = 0;
const draft = (fields: object = {}): object => {
  count += 1;
  return {
    downstreamEntityName: `Agency ${count}`,
    firstName: 'Maria',
    lastName: 'Delgado',
    email: `agency-${count}@example.com`,
    category: 'agency',
    isNpnRequired: false,
    ...fields,
  };
};

const associations = '/v2/upstream/downstream-entity-associations';

/** Uploads a file in a form with these fields. */
async function sendForm(
  path: string,
  bearer: Readonly<Record<string, string>>,
  fields: Record<string, string>,
) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob([new Uint8Array(pdf())]), 'w9.pdf');
  const encoded = new Response(form);
  const { status, json } = await call('POST', path, {
    headers: { ...bearer, 'content-type': encoded.headers.get('content-type') ?? '' },
    rawBody: await encoded.text(),
  });
  expect(status).toBe(201);
  return { fileDocumentId: (json['data'] as { _id: string })._id };
}

/** Announces a file and uploads it; nobody has used it yet. */
async function uploaded(): Promise<string> {
  const { data } = await ask('POST', '/v2/upstream/file-documents', {
    category: 'Surplus Lines',
    fileName: 'proof.pdf',
    contentType: 'application/pdf',
    sizeInBytes: pdf().length,
  });
  const { url, headers } = data['upload'] as { url: string; headers: Record<string, string> };
  const { 'content-length': _, ...sent } = headers;
  expect((await fetch(url, { method: 'PUT', headers: sent, body: new Uint8Array(pdf()) })).ok).toBe(true);
  return String(data['_id']);
}

describe('the events of operations', () => {
  it('an association that is added, invited, or changed emits events, numbered in order', async () => {
    const { data } = await ask('POST', `${associations}/add`, draft({ externalId: 'E-1' }));
    const downstreamEntityAssociationId = String(data['_id']);
    const path = `${associations}/${downstreamEntityAssociationId}`;
    expect(await emitted('DOWNSTREAM_ENTITY_CREATED', { downstreamEntityAssociationId })).toMatchObject([
      { sequence: 1, payload: { externalId: 'E-1', status: 'active' } },
    ]);
    const key = { 'idempotency-key': randomUUID() };
    await ask('PATCH', path, { externalId: 'E-2' }, key);
    await ask('PATCH', path, { externalId: 'E-2' }, key);
    await ask('PATCH', path, { externalId: 'E-2' });
    await ask('PATCH', path, { producerCode: 'P-1' });
    expect(await emitted('DOWNSTREAM_ENTITY_UPDATED', { downstreamEntityAssociationId }, 2)).toMatchObject([
      { sequence: 1, payload: { externalId: 'E-2', producerCode: null } },
      { sequence: 2, payload: { externalId: 'E-2', producerCode: 'P-1' } },
    ]);
    const invited = await ask('POST', `${associations}/invite`, draft());
    const { downstreamEntityAssociationId: id } = invited.data;
    const events = await emitted('DOWNSTREAM_ENTITY_CREATED', { downstreamEntityAssociationId: id });
    expect(events).toMatchObject([{ payload: { status: 'invited' } }]);
  });

  it('a document emits its event when its file is uploaded', async () => {
    const path = '/v2/upstream/file-documents';
    const { fileDocumentId } = await sendForm(path, organization.bearer, { category: 'W9' });
    expect(await emitted('DOCUMENT_UPLOADED', { fileDocumentId })).toMatchObject([
      { payload: { category: 'W9', version: 1, fileName: 'w9.pdf', sizeInBytes: pdf().length } },
    ]);

    const laterId = await uploaded();
    await ask('GET', `/v2/upstream/file-documents/${laterId}/download-url`);
    expect(await emitted('DOCUMENT_UPLOADED', { fileDocumentId: laterId })).toMatchObject([
      { payload: { fileName: 'proof.pdf' } },
    ]);
  });

  it('a file whose first use is on a filing emits one event', async () => {
    const [filingId, fileDocumentId] = [newObjectId(new Date()), await uploaded()];
    await importRecords(organization.organizationId, filing(filingId));
    const path = `/v2/upstream/surplus-lines-filings/${filingId}/policy-document`;
    expect((await ask('PUT', path, { fileDocumentId })).status).toBe(200);
    await ask('GET', `/v2/upstream/file-documents/${fileDocumentId}/download-url`);
    expect(await emitted('DOCUMENT_UPLOADED', { fileDocumentId })).toHaveLength(1);
  });

  it('an agency’s file for a market emits an event to the carrier of that market', async () => {
    const agency = await newOrganization('downstreamEntity');
    const [entityId, downstreamEntityAssociationId] = [newObjectId(new Date()), newObjectId(new Date())];
    await importRecords(
      organization.organizationId,
      {
        type: 'downstream-entity',
        _id: entityId,
        legalName: 'Gulf Shore',
        downstreamOrganizationId: agency.organizationId,
      },
      { type: 'association', _id: downstreamEntityAssociationId, downstreamEntityId: entityId },
    );
    const { fileDocumentId } = await sendForm('/v2/downstream/documents', agency.bearer, {
      category: 'E&O',
      downstreamEntityAssociationId,
    });
    expect(await emitted('DOCUMENT_UPLOADED', { fileDocumentId })).toMatchObject([
      { payload: { category: 'E&O', downstreamEntityAssociationId } },
    ]);
  });

  it('a synchronization with the registry emits its event when it is complete', async () => {
    const npn = '17654321';
    const { data } = await ask('POST', `${associations}/add`, draft({ downstreamEntityNpn: npn }));
    const { data: queued } = await ask('POST', `${associations}/${String(data['_id'])}/sync`);
    const { registryDataSubscriptionId } = queued;
    const events = await emitted('ENTITY_COMPLIANCE_DATA_SYNCHRONIZED', { registryDataSubscriptionId });
    expect(events).toMatchObject([{ payload: { registryDataSubscriptionId, npn } }]);
  });

  it('an import emits events if the operator asks for them', async () => {
    const agent = (_id: string, npn: string) =>
      JSON.stringify({ type: 'agent', _id, npn, firstName: 'Maria', lastName: 'Delgado' });
    const [silent, loud] = [newObjectId(new Date()), newObjectId(new Date())];
    const { organizationId } = organization;
    await admin('import', { organizationId, firstLine: 1, lines: [agent(silent, '5001')] });
    const lines = [agent(loud, '5002'), agent(silent, '5001')];
    const outcome = await admin('import', { organizationId, firstLine: 1, lines, emitEvents: true });
    expect(outcome).toMatchObject({ imported: 2, rejected: [] });
    expect(await emitted('AGENT_CREATED', { agentId: loud })).toMatchObject([{ payload: { npn: '5002' } }]);
    expect(heard().filter(({ webhookType }) => webhookType === 'AGENT_CREATED')).toHaveLength(1);
  });
});
