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
