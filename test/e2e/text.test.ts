import { randomUUID } from 'node:crypto';
import { type EventReceiver, startEventReceiver } from '../support/event-receiver.ts';
import { adminAnswer, call, newOrganization, type Organization } from '../support/local-api.ts';

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

it.each([
  ['blank', '  \u00A0 '],
  ['with NUL', 'a\u0000b'],
  ['with a line break', 'a\r\nb'],
  ['with half a surrogate pair', 'a\uD83Cb'],
  ['with U+FFFF', 'a\uFFFFb'],
])('a name %s is 400, which names the field', async (_, branchName) => {
  const { status, json } = await add({ branchName });
  expect(status).toBe(400);
  expect(json).toMatchObject({ details: { issues: [{ path: 'branchName' }] } });
});

it('a body whose bytes are not UTF-8 is 400, and nothing is stored', async () => {
  const response = await fetch(`${process.env['TEST_BASE_URL']}${associations}/add`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...carrier.bearer },
    body: Buffer.from(JSON.stringify(draft({ externalId: 'Müller' })), 'latin1'),
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ errorMessage: ['The body is not UTF-8.'] });
});

it('a line of an import is rejected for such text, and for a day that does not exist, with what is accepted', async () => {
  const line = (fields: object) =>
    JSON.stringify({
      type: 'license',
      status: 'active',
      licenseClassName: 'Insurance Producer',
      residencyStatus: 'resident',
      npn: '17654321',
      stateCode: 'TX',
      ...fields,
    });
  const lines = [
    line({ licenseNumber: 'a\u0000b' }),
    line({ licenseNumber: '1', nextRenewalDate: '2027-02-30' }),
    line({ licenseNumber: ' 2 ' }),
  ];
  const { organizationId } = carrier;
  expect(await adminAnswer('import', { organizationId, firstLine: 1, lines })).toMatchObject({
    result: {
      imported: 1,
      rejected: [
        { line: 1, issues: [{ path: 'licenseNumber', message: 'has control characters' }] },
        {
          line: 2,
          issues: [
            {
              path: 'nextRenewalDate',
              value: '2027-02-30',
              message: expect.stringContaining('must be a date such as'),
            },
          ],
        },
      ],
    },
  });
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
