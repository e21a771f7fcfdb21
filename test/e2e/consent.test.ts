import { randomBytes, randomUUID } from 'node:crypto';
import { contact, namedAgency } from '../support/import-lines.ts';
import {
  admin,
  call,
  errorShape,
  importRecords,
  invoke,
  newOrganization,
  newOrganizations,
  type Organization,
} from '../support/local-api.ts';

const path = '/v2/upstream/downstream-entity-associations';
const objectId = (): string => randomBytes(12).toString('hex');
const address = (): string => `${randomUUID()}@lonestar.example`;

const agency = objectId();
const associationId = objectId();
const wide = { contactId: objectId(), email: address() };

let carrier: Organization;
let attacker: Organization;
let organization: Organization;

beforeAll(async () => {
  [carrier, attacker, organization] = await newOrganizations(
    'upstreamEntity',
    'upstreamEntity',
    'downstreamEntity',
  );
  const entity = namedAgency(agency, 'Lone Star Brokerage', { npn: '17654329' });
  await importRecords(
    carrier.organizationId,
    { ...entity, ein: '75-7654321', downstreamOrganizationId: organization.organizationId },
    { type: 'association', _id: associationId, downstreamEntityId: agency },
    contact(wide.email, [{ downstreamEntityId: agency }], { _id: wide.contactId }),
  );
});

const ask = async (who: Organization, method: string, at: string, body?: object) => {
  const { status, json } = await call(method, at, { headers: who.bearer, body });
  return { status, json, data: json['data'] as Record<string, unknown> };
};

const draft = (fields: object = {}) => ({
  downstreamEntityName: 'Anything',
  firstName: 'Mallory',
  lastName: 'Malone',
  email: address(),
  category: 'agency',
  isNpnRequired: false,
  downstreamEntityId: agency,
  ...fields,
});

const signIn = (who: Organization, id: string, email: string) =>
  ask(who, 'GET', `${path}/${id}/sign-in-url?email=${email}`);

const contactIds = async (who: Organization) => {
  const { data } = await ask(who, 'GET', '/v2/upstream/contacts');
  return (data as unknown as { contactId: string }[]).map(({ contactId }) => contactId);
};

it('a new carrier with another’s agency, in two adds at once, learns no contact, signs nobody in, locks nobody out', async () => {
  const answers = await Promise.all(
    ['Austin', 'Dallas'].map((branchName) =>
      ask(attacker, 'POST', `${path}/add`, draft({ branchName, email: wide.email })),
    ),
  );
  for (const { status, data } of answers) {
    expect({ status, data }).toMatchObject({
      status: 201,
      data: {
        status: 'invited',
        downstreamEntity: {
          legalName: 'Lone Star Brokerage',
          category: 'agency',
          npn: '17654329',
          ein: null,
        },
      },
    });
    const refused = await signIn(attacker, String(data['_id']), wide.email);
    expect(refused).toMatchObject({ status: 403, json: errorShape(403, 'contact_not_authorized') });
  }
  expect(await contactIds(attacker)).toEqual([]);
  for (const version of ['/v2/upstream/contacts', '/v1/contacts']) {
    expect((await ask(attacker, 'GET', `${version}/${wide.contactId}`)).status).toBe(404);
  }
  expect(await ask(attacker, 'GET', `${path}?email=${wide.email}`)).toMatchObject({ status: 200, data: [] });

  expect((await signIn(carrier, associationId, wide.email)).status).toBe(200);
  const named = { firstName: 'Maria', lastName: 'Delgado', email: wide.email };
  const body = { ...named, upstreamDownstreamAssociationId: associationId };
  expect((await ask(organization, 'POST', '/v2/downstream/contacts', body)).status).toBe(201);
  const branch = await ask(carrier, 'POST', `${path}/add`, draft({ branchName: 'Waco', email: wide.email }));
  expect(branch).toMatchObject({ status: 201, data: { status: 'active' } });
});

describe('the agency’s side agrees', () => {
  const invite = async (who: Organization, email: string) => {
    const { data } = await ask(who, 'POST', `${path}/invite`, draft({ email }));
    const token = new URL(String(data['url'])).searchParams.get('token') ?? '';
    return { id: String(data['downstreamEntityAssociationId']), token };
  };

  it.each([
    ['the agencies’ application', (input: object) => invoke('link-redemption', input)],
    [
      'an operator',
      async (input: object) => ({ ok: true, result: await admin('redeem-one-time-link', input) }),
    ],
  ])('when somebody of it redeems an invitation through %s, once', async (_, redeem) => {
    const who = await newOrganization('upstreamEntity');
    const email = address();
    const { id, token } = await invite(who, email);
    // The carrier has the link, too.
    for (const stranger of [{}, { verifiedEmail: email }, { organizationId: who.organizationId }]) {
      expect(await redeem({ token, ...stranger })).toEqual({
        ok: true,
        result: { purpose: 'invitation', downstreamEntityAssociationId: id, email: null, agreed: false },
      });
    }
    expect((await ask(who, 'GET', `${path}/${id}`)).data).toMatchObject({ status: 'invited' });
    const given = { token, organizationId: organization.organizationId, verifiedEmail: email };
    expect(await redeem(given)).toEqual({
      ok: true,
      result: { purpose: 'invitation', downstreamEntityAssociationId: id, email, agreed: true },
    });
    expect(await invoke('link-redemption', given)).toMatchObject({
      ok: false,
      error: { errorType: 'not_found' },
    });
    expect((await ask(who, 'GET', `${path}/${id}`)).data).toMatchObject({ status: 'active' });
    expect((await signIn(who, id, email)).status).toBe(200);
    expect(await contactIds(who)).toContain(wide.contactId);
  });

  it('when it signs a contract, or an operator says so', async () => {
    for (const command of ['execute-contract', 'activate-association']) {
      const who = await newOrganization('upstreamEntity');
      const { data } = await ask(who, 'POST', `${path}/add`, draft());
      const id = String(data['_id']);
      expect((await signIn(who, id, wide.email)).status).toBe(403);
      await admin(command, { downstreamEntityAssociationId: id });
      expect((await ask(who, 'GET', `${path}/${id}`)).data).toMatchObject({ status: 'active' });
      expect((await signIn(who, id, wide.email)).status).toBe(200);
    }
  });
});
