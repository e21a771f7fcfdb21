import { randomUUID } from 'node:crypto';
import { type EventReceiver, startEventReceiver } from '../support/event-receiver.ts';
import { call, newOrganization, type Organization } from '../support/local-api.ts';

// What text may be, from the bytes of a request to the receiver of its event.

const associations = '/v2/upstream/downstream-entity-associations';
let carrier: Organization;
let receiver: EventReceiver;

beforeAll(async () => {
  carrier = await newOrganization('upstreamEntity');
  receiver = await startEventReceiver();
  const { json } = await call('POST', '/v2/upstream/webhooks', {
    headers: carrier.bearer,
    body: { url: receiver.url('/hooks'), types: ['DOWNSTREAM_ENTITY_CREATED'] },
  });
  const { _id, secret } = json['data'] as { readonly _id: string; readonly secret: string };
  receiver.addSecret(_id, secret);
});
afterAll(() => receiver.close());

const draft = (fields: object = {}) => ({
  downstreamEntityName: 'Agency',
  firstName: 'Maria',
  lastName: 'Delgado',
  email: `${randomUUID()}@example.com`,
  category: 'agency',
  isNpnRequired: false,
  ...fields,
});
const add = (fields: object) =>
  call('POST', `${associations}/add`, { headers: carrier.bearer, body: draft(fields) });

it('an agency whose name has an emoji is added, and its event arrives', async () => {
  const { status, json } = await add({ downstreamEntityName: ' Agency 🏢 Cafe\u0301 ' });
  expect(status).toBe(201);
  const entity = { legalName: 'Agency 🏢 Café' };
  expect(json['data']).toMatchObject({ downstreamEntity: entity });
  const [delivered] = await receiver.until('/hooks', ({ payload }) => JSON.stringify(payload).includes('🏢'));
  expect(delivered?.body).toContain(entity.legalName);
});

it('an idempotency key counts for a webhook’s path with a slash at its end too, and for its id in either case', async () => {
  const headers = { ...carrier.bearer, 'idempotency-key': randomUUID() };
  const body = { url: receiver.url('/other'), types: ['DOCUMENT_UPLOADED'] };
  const first = await call('POST', '/v2/upstream/webhooks', { headers, body });
  const again = await call('POST', '/v2/upstream/webhooks/', { headers, body });
  expect([first.status, again.text]).toEqual([201, first.text]);

  const { _id } = first.json['data'] as { readonly _id: string };
  const change = { headers: { ...headers, 'idempotency-key': randomUUID() }, body: { isActive: false } };
  const changed = await call('PATCH', `/v2/upstream/webhooks/${_id}`, change);
  const replayed = await call('PATCH', `/v2/upstream/webhooks/${_id.toUpperCase()}`, change);
  expect([changed.status, replayed.text]).toEqual([200, changed.text]);
});
