import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { contact } from '#domain/contacts/resource.ts';
import { newId } from '../support/filings.ts';
import { namedAgency } from '../support/import-lines.ts';
import {
  call,
  errorShape,
  importRecords,
  newOrganizations,
  type Organization,
} from '../support/local-api.ts';

const entityId = newId();
const associationId = newId();

let carrier: Organization;
let rival: Organization;
let agency: Organization;

const person = (lastName: string) => ({
  firstName: 'Maria',
  lastName,
  email: `${newId()}@lonestar.example`,
});

beforeAll(async () => {
  [carrier, rival, agency] = await newOrganizations('upstreamEntity', 'upstreamEntity', 'downstreamEntity');
  const { organizationId: downstreamOrganizationId } = agency;
  const entity = namedAgency(entityId, 'Lone Star Brokerage', {
    ein: `74-${Math.floor(Math.random() * 10_000_000)}`,
    isNpnRequired: false,
    downstreamOrganizationId,
  });
  const association = { type: 'association', downstreamEntityId: entityId };
  await importRecords(carrier.organizationId, entity, { ...association, _id: associationId });
  await importRecords(rival.organizationId, association);
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
