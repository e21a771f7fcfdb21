import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { contact } from '#domain/contacts/resource.ts';
import { namedAgency } from '../support/import-lines.ts';
import { admin, call, errorShape, newOrganization, type Organization } from '../support/local-api.ts';

const id = (): string => randomBytes(12).toString('hex');
const contactsOf = (data: unknown) => z.parse(z.array(contact), data);
const pageOf = (data: unknown) => z.parse(z.object({ items: z.array(contact), total: z.number() }), data);

const entityId = id();
const otherEntityId = id();
const associationId = id();
const rivalAssociationId = id();
const marketId = id();

let carrier: Organization;
let rival: Organization;
let agency: Organization;

const take = async (records: readonly object[], organizationId?: string) => {
  const result = await admin('import', {
    ...(organizationId === undefined ? {} : { organizationId }),
    firstLine: 1,
    lines: records.map((record) => JSON.stringify(record)),
  });
  expect(result).toMatchObject({ imported: records.length, rejected: [] });
};

const person = (lastName: string) => ({
  firstName: 'Maria',
  lastName,
  email: `${id()}@lonestar.example`,
});

const imported = {
  wide: { _id: id(), ...person('Vega') },
  ofCarrier: { _id: id(), ...person('Delgado') },
  ofRival: { _id: id(), ...person('Okafor') },
};

beforeAll(async () => {
  [carrier, rival, agency] = await Promise.all([
    newOrganization('upstreamEntity'),
    newOrganization('upstreamEntity'),
    newOrganization('downstreamEntity'),
  ]);
  const entities = [entityId, otherEntityId].map((_id, index) =>
    namedAgency(_id, `Lone Star Brokerage ${index}`, {
      ein: `74-${Math.floor(Math.random() * 10_000_000)}`,
      isNpnRequired: false,
      downstreamOrganizationId: agency.organizationId,
    }),
  );
  const association = (_id: string) => ({ type: 'association', _id, downstreamEntityId: entityId });
  await take([...entities, association(associationId)], carrier.organizationId);
  await take([association(rivalAssociationId)], rival.organizationId);
  const market = { type: 'market', _id: marketId, downstreamEntityId: otherEntityId };
  await take([{ ...market, upstreamEntityName: 'Harborline Surplus' }], agency.organizationId);
  await take([
    {
      type: 'contact',
      ...imported.wide,
      associations: [{ downstreamEntityId: entityId, businessRoles: ['Accounting'] }],
    },
    {
      type: 'contact',
      ...imported.ofCarrier,
      isDeliverable: true,
      associations: [
        {
          downstreamEntityId: entityId,
          downstreamEntityAssociationId: associationId,
          businessRoles: ['Compliance'],
          isPrimary: true,
        },
        { downstreamEntityId: entityId, downstreamEntityAssociationId: rivalAssociationId },
      ],
    },
    {
      type: 'contact',
      ...imported.ofRival,
      associations: [{ downstreamEntityId: entityId, downstreamEntityAssociationId: rivalAssociationId }],
    },
  ]);
});

describe.each([
  ['v1', '/v1/contacts'],
  ['v2', '/v2/upstream/contacts'],
])('Upstream: contacts, %s', (_, path) => {
  it('lists one entry per contact, with only the scopes that the carrier sees', async () => {
    const { status, json } = await call('GET', path, { headers: carrier.bearer });
    expect(status).toBe(200);
    const found = contactsOf(json['data']).filter(({ lastName }) =>
      ['Vega', 'Delgado', 'Okafor'].includes(lastName),
    );
    const { _id: wideId, ...wide } = imported.wide;
    const { _id: ownId, ...own } = imported.ofCarrier;
    expect(found.sort((one, other) => (one.lastName < other.lastName ? -1 : 1))).toEqual([
      {
        contactId: ownId,
        ...own,
        isDeliverable: true,
        associations: [
          {
            downstreamEntityAssociationId: associationId,
            downstreamEntityId: entityId,
            businessRoles: ['Compliance'],
            isPrimary: true,
          },
        ],
      },
      {
        contactId: wideId,
        ...wide,
        isDeliverable: false,
        associations: [{ downstreamEntityId: entityId, businessRoles: ['Accounting'], isPrimary: false }],
      },
    ]);
  });
});

describe('Agency: add a contact', () => {
  const path = '/v2/downstream/contacts';
  const add = (body: object, headers: Readonly<Record<string, string>> = {}) =>
    call('POST', path, { headers: { ...agency.bearer, ...headers }, body: { ...person('Nowak'), ...body } });

  it('makes the contact visible to the carrier immediately', async () => {
    const { json } = await add({ upstreamDownstreamAssociationId: associationId, businessRoles: ['Claims'] });
    const { contactId } = z.parse(contact, json['data']);
    const { status, json: seen } = await call('GET', `/v2/upstream/contacts/${contactId}`, {
      headers: carrier.bearer,
    });
    expect(status).toBe(200);
    expect(seen['data']).toEqual(json['data']);
    expect((await call('GET', `/v2/upstream/contacts/${contactId}`, { headers: rival.bearer })).status).toBe(
      404,
    );
  });

  it('is undone by deleting it, which frees its address', async () => {
    const body = { ...person('Ito'), downstreamEntityId: entityId };
    const { json } = await add(body);
    const { contactId } = z.parse(contact, json['data']);
    const one = (method: string) => call(method, `${path}/${contactId}`, { headers: agency.bearer });
    expect(await one('DELETE')).toMatchObject({
      status: 200,
      json: { data: { contactId, associations: [] } },
    });
    expect((await one('GET')).status).toBe(404);
    expect((await add(body)).status).toBe(201);
  });

  it('answers 409 when repeated, or the first answer under the same idempotency key', async () => {
    const body = { ...person('Nowak'), downstreamEntityId: entityId };
    const headers = { 'idempotency-key': randomUUID() };
    const first = await add(body, headers);
    const replayed = await add(body, headers);
    expect(replayed).toMatchObject({ status: 201, text: first.text });
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    const anew = { 'idempotency-key': randomUUID() };
    expect(await add(body, anew)).toMatchObject({
      status: 409,
      json: errorShape(409, 'conflict', {
        details: { contactId: z.parse(contact, first.json['data']).contactId },
      }),
    });
  });
});

describe('an import of contacts', () => {
  it('removes a deleted one from every list and frees its address', async () => {
    const associations = [{ downstreamEntityId: entityId }];
    const gone = { type: 'contact', _id: id(), ...person('Ito'), associations };
    const path = `/v2/upstream/contacts/${gone._id}`;
    const status = async () => (await call('GET', path, { headers: carrier.bearer })).status;
    await take([gone]);
    expect(await status()).toBe(200);
    await take([{ ...gone, isDeleted: true }]);
    expect(await status()).toBe(404);
    await take([{ ...gone, _id: id() }]);
  });
});

describe('an agency’s contacts', () => {
  const path = '/v2/downstream/contacts';

  it('have the scopes at every entity, in pages by name', async () => {
    const { status, json } = await call('GET', `${path}?limit=100&downstreamEntityId=${entityId}`, {
      headers: agency.bearer,
    });
    expect(status).toBe(200);
    const { items, total } = pageOf(json['data']);
    expect(items).toHaveLength(total);
    const names = items.map(({ lastName }) => lastName);
    expect(names).toEqual([...names].sort());
    expect(items.find(({ contactId }) => contactId === imported.ofCarrier._id)?.associations).toHaveLength(2);
    const { json: second } = await call('GET', `${path}?limit=1&page=2`, { headers: agency.bearer });
    expect(pageOf(second['data']).items).toHaveLength(1);
  });
});
