import { randomUUID } from 'node:crypto';
import type { Contact } from '#domain/contacts/resource.ts';
import { createContactStore } from '#domain/contacts/store.ts';
import { contactsTable } from '#domain/tables.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { tableOf } from '#platform/data/table.ts';
import type { Pipeline } from '#platform/request/pipeline.ts';
import { contactsFunction } from '../../functions/contacts/function.ts';
import { contactRoutes } from '../../functions/contacts/routes.ts';
import { callerOf, type EventOptions, send } from '../support/api-event.ts';
import {
  added,
  address,
  agencyAdds,
  agencyContact,
  agencyOrganization,
  agencySees,
  contactStatuses,
  contactsSeen,
  context,
  imported,
  importedAgency,
  list,
  redeem,
  signIn,
  victim,
} from '../support/associations-tests.ts';
import { testContext } from '../support/context.ts';
import { contact } from '../support/import-lines.ts';
import { dynamo } from '../support/tables.ts';

const { updateAgencyContact, deleteAgencyContact } = contactRoutes.routes;

let pipeline: Pipeline;
beforeAll(() => {
  pipeline = contactsFunction.compose({
    dynamo,
    tables: context.tables,
    context: testContext(),
  });
});

const ask = (route: Parameters<typeof send>[1], organizationId: string, options: EventOptions) =>
  send(pipeline, route, {
    identity: { ...callerOf(organizationId, 'downstreamEntity'), credentialId: organizationId },
    ...options,
  });
const change = (organizationId: string, contactId: string, body: object, options: EventOptions = {}) =>
  ask(updateAgencyContact, organizationId, { params: { contactId }, body, ...options });
const remove = (
  organizationId: string,
  contactId: string,
  query: Record<string, string> = {},
  options: EventOptions = {},
) => ask(deleteAgencyContact, organizationId, { params: { contactId }, query, ...options });

/** A contact that the agency adds; its id and address. */
async function colleague(organizationId: string, scope: object, fields: object = {}) {
  const email = address();
  const { status, data } = await agencyAdds(organizationId, { email, ...scope, ...fields });
  expect(status).toBe(201);
  return { contactId: String(data['contactId']), email };
}

const tokenOf = ({ data }: Awaited<ReturnType<typeof signIn>>): string =>
  new URL(String(data['url'])).searchParams.get('token') ?? '';

const named = (contacts: readonly Contact[], email: string) => contacts.find((one) => one.email === email);

describe('changing a contact', () => {
  it('changes names and address of all its scopes, for the carriers of its markets too', async () => {
    const { carrier, organization, agency, association } = await victim();
    const { contactId, email } = await colleague(organization, { downstreamEntityId: agency });
    await agencyAdds(organization, { upstreamDownstreamAssociationId: association, email });
    const next = { firstName: 'Mary', lastName: 'Delgado-Reyes', email: address() };
    const { status, data } = await change(organization, contactId, next);
    expect({ status, data }).toMatchObject({ status: 200, data: { contactId, ...next } });
    expect(data['associations']).toHaveLength(2);
    expect((await agencyContact(organization, contactId)).data).toEqual(data);
    expect(named(await contactsSeen(carrier), next.email)).toMatchObject({ contactId, ...next });
    expect(await list(carrier, { email: next.email })).toEqual([association]);
    expect(await list(carrier, { email })).toEqual([]);
    // The old address is free, for another contact.
    expect((await colleague(organization, { downstreamEntityId: agency }, { email })).contactId).not.toBe(
      contactId,
    );
  });

  it('leaves what is not sent, and no other scope than the one named', async () => {
    const { organization, agency, association } = await victim();
    const roles = { businessRoles: ['Claims'] };
    const { contactId, email } = await colleague(organization, { downstreamEntityId: agency, ...roles });
    await agencyAdds(organization, { upstreamDownstreamAssociationId: association, email });
    for (const name of ['upstreamDownstreamAssociationId', 'downstreamEntityAssociationId']) {
      const body = { [name]: association, businessRoles: [name], isPrimary: true };
      const { data } = await change(organization, contactId, body);
      expect(data).toMatchObject({ firstName: 'Maria', lastName: 'Delgado', email });
      expect(data['associations']).toEqual(
        expect.arrayContaining([
          { downstreamEntityId: agency, ...roles, isPrimary: false },
          {
            downstreamEntityId: agency,
            downstreamEntityAssociationId: association,
            businessRoles: [name],
            isPrimary: true,
          },
        ]),
      );
    }
  });

  it.each([
    [{ businessRoles: ['Claims'] }, 'businessRoles'],
    [{ isPrimary: true }, 'isPrimary'],
    [{}, ''],
    [{ upstreamDownstreamAssociationId: newObjectId(new Date()) }, ''],
    [
      {
        upstreamDownstreamAssociationId: newObjectId(new Date()),
        downstreamEntityAssociationId: newObjectId(new Date()),
        isPrimary: true,
      },
      'downstreamEntityAssociationId',
    ],
    [{ email: 'nobody' }, 'email'],
    [{ firstName: ' ' }, 'firstName'],
    [{ downstreamEntityId: newObjectId(new Date()) }, 'downstreamEntityId'],
  ])('refuses %j', async (body, path) => {
    const { organization, contactId } = await victim();
    expect(await change(organization, contactId, body)).toMatchObject({
      status: 400,
      json: {
        errorType: 'validation_error',
        details: { issues: expect.arrayContaining([expect.objectContaining({ path })]) },
      },
    });
  });

  it('gives a market one primary contact at most, and another one once the first gave it up', async () => {
    const { organization, association } = await victim();
    const at = { upstreamDownstreamAssociationId: association };
    const [first, second] = [
      await colleague(organization, at, { isPrimary: true }),
      await colleague(organization, at),
    ];
    expect(await change(organization, second.contactId, { ...at, isPrimary: true })).toMatchObject({
      status: 409,
      json: { errorType: 'conflict', details: { contactId: first.contactId } },
    });
    expect((await change(organization, first.contactId, { ...at, isPrimary: false })).status).toBe(200);
    const answers = await Promise.all(
      [first, second].map(({ contactId }) => change(organization, contactId, { ...at, isPrimary: true })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('refuses an address that another contact has, in any case, also of two at the same moment', async () => {
    const { organization, agency } = await victim();
    const [one, other] = [
      await colleague(organization, { downstreamEntityId: agency }),
      await colleague(organization, { downstreamEntityId: agency }),
    ];
    expect(await change(organization, one.contactId, { email: other.email.toUpperCase() })).toMatchObject({
      status: 409,
      json: { errorType: 'conflict', details: { contactId: other.contactId } },
    });
    const email = address();
    const answers = await Promise.all(
      [one, other].map(({ contactId }) => change(organization, contactId, { email })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    // Another spelling of its own address is no other address.
    const [kept = one] = [one, other].filter((_, index) => answers[index]?.status === 409);
    expect((await change(organization, kept.contactId, { email: kept.email.toUpperCase() })).status).toBe(
      200,
    );
  });

  it('counts a new address as confirmed and not known to be deliverable, and ends the links of the old one', async () => {
    const { carrier, organization, agency, association } = await victim();
    const email = address();
    const contactId = newObjectId(new Date());
    await imported(
      undefined,
      contact(email, [{ downstreamEntityId: agency }], {
        _id: contactId,
        firstName: 'Samuel',
        lastName: 'Whitfield',
        isDeliverable: true,
      }),
    );
    const [open, kept] = [
      tokenOf(await signIn(carrier, association, email)),
      tokenOf(await signIn(carrier, association, email)),
    ];
    // Names and the spelling of the address change nothing of it.
    const renamed = await change(organization, contactId, { lastName: 'Wills', email: email.toUpperCase() });
    expect(renamed.data).toMatchObject({ isDeliverable: true, email: email.toUpperCase() });
    expect(await redeem(kept)).toMatchObject({ ok: true });
    const next = address();
    expect((await change(organization, contactId, { email: next })).data).toMatchObject({
      isDeliverable: false,
    });
    expect(await redeem(open)).toMatchObject({ ok: false });
    expect((await signIn(carrier, association, email)).status).toBe(403);
    const fresh = await signIn(carrier, association, next);
    expect(fresh.status).toBe(200);
    expect(await redeem(tokenOf(fresh))).toMatchObject({ ok: true, result: { email: next } });
  });

  it('keeps both of two changes at the same moment', async () => {
    const { organization, agency } = await victim();
    const { contactId } = await colleague(organization, { downstreamEntityId: agency });
    const answers = await Promise.all([
      change(organization, contactId, { firstName: 'Ana' }),
      change(organization, contactId, { lastName: 'Vega' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await agencyContact(organization, contactId)).data).toMatchObject({
      firstName: 'Ana',
      lastName: 'Vega',
    });
  });
});

describe('deleting a contact', () => {
  it('ends one scope, or all, and with the last one erases who it was', async () => {
    const { carrier, organization, agency, association } = await victim();
    const email = address();
    const contactId = newObjectId(new Date());
    const record = contact(email, [{ downstreamEntityId: agency, businessRoles: ['Claims of Samuel'] }], {
      _id: contactId,
      firstName: 'Samuel',
      lastName: 'Whitfield',
    });
    await imported(undefined, record);
    await agencyAdds(organization, {
      upstreamDownstreamAssociationId: association,
      email,
      isPrimary: true,
    });
    const link = tokenOf(await signIn(carrier, association, email));
    const wide = { downstreamEntityId: agency, businessRoles: ['Claims of Samuel'], isPrimary: false };
    const one = await remove(organization, contactId, { upstreamDownstreamAssociationId: association });
    expect(one).toMatchObject({ status: 200, data: { contactId, associations: [wide] } });
    expect(named(await contactsSeen(carrier), email)?.associations).toEqual([wide]);
    // The market has no primary contact anymore.
    await colleague(organization, { upstreamDownstreamAssociationId: association }, { isPrimary: true });

    const all = await remove(organization, contactId);
    expect(all).toMatchObject({ status: 200, data: { contactId, associations: [] } });
    expect((await agencyContact(organization, contactId)).status).toBe(404);
    expect(named(await agencySees(organization), email)).toBeUndefined();
    expect(await contactStatuses(carrier, contactId)).toEqual([404, 404]);
    expect(await list(carrier, { email })).toEqual([]);
    expect(await redeem(link)).toMatchObject({ ok: false });
    expect((await remove(organization, contactId)).status).toBe(404);
    const kept = await createContactStore(
      tableOf(contactsTable, dynamo, context.tables.contacts),
    ).findEvenDeleted(contactId);
    expect(JSON.stringify(kept)).not.toMatch(/Samuel|Whitfield|lonestar/);
    // Nobody is added again by a record that was imported before, and the address is free.
    await imported(undefined, record);
    expect((await agencyContact(organization, contactId)).status).toBe(404);
    expect((await colleague(organization, { downstreamEntityId: agency }, { email })).contactId).not.toBe(
      contactId,
    );
  });

  it('is refused at a market where the person is no contact, and under the key of another deletion', async () => {
    const { organization, agency, association, contactId } = await victim();
    const other = { downstreamEntityAssociationId: association };
    expect(await remove(organization, contactId, other)).toMatchObject({
      status: 404,
      json: { details: { issues: [{ path: 'downstreamEntityAssociationId' }] } },
    });
    const { contactId: two, email } = await colleague(organization, other);
    await agencyAdds(organization, { downstreamEntityId: agency, email });
    const headers = { 'idempotency-key': randomUUID() };
    expect((await remove(organization, two, other, { headers })).data['associations']).toHaveLength(1);
    // Without the market it is another request.
    expect((await remove(organization, two, {}, { headers })).status).toBe(422);
    expect((await remove(organization, two, other, { headers })).headers['idempotency-replayed']).toBe(
      'true',
    );
  });

  it('ends a contact once, however many ask for it', async () => {
    const { organization, agency } = await victim();
    const { contactId } = await colleague(organization, { downstreamEntityId: agency });
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove(organization, contactId)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
  });
});

describe('a change of a contact that is not the agency’s alone', () => {
  it('is refused for a stranger’s contact, and for one that only a carrier named', async () => {
    const { carrier, organization, agency, contactId } = await victim();
    const branch = await added(carrier, { downstreamEntityId: agency, branchName: 'Waco', email: address() });
    const [ofCarrier] = (await contactsSeen(carrier)).filter(({ associations }) =>
      associations.some(({ downstreamEntityAssociationId: id }) => id === branch),
    );
    const attacker = await context.carrier();
    await added(attacker, { downstreamEntityId: agency, email: address() });
    const [ofAttacker] = await contactsSeen(attacker);
    const stranger = await agencyOrganization();
    for (const [owner, id = ''] of [
      [organization, ofCarrier?.contactId],
      [organization, ofAttacker?.contactId],
      [stranger, contactId],
      [organization, newObjectId(new Date())],
    ] as const) {
      expect((await change(owner, id, { lastName: 'Vega' })).status).toBe(404);
      expect((await remove(owner, id)).status).toBe(404);
    }
    // Once the agency says that it knows the person, she is its own.
    const { email = '' } = ofCarrier ?? {};
    await agencyAdds(organization, { downstreamEntityId: agency, email });
    expect((await change(organization, ofCarrier?.contactId ?? '', { lastName: 'Vega' })).status).toBe(200);
  });

  it('shows a carrier that is only invited neither names nor address, and takes from it nothing that it gave', async () => {
    const { organization, agency } = await victim();
    const attacker = await context.carrier();
    const given = { firstName: 'Quentin', lastName: 'Reed', email: address() };
    const association = await added(attacker, { downstreamEntityId: agency, ...given });
    const seen = await contactsSeen(attacker);
    expect(seen).toMatchObject([given]);
    const contactId = seen[0]?.contactId ?? '';
    // At the whole agency; what came with the invitation stays hidden from the agency.
    await agencyAdds(organization, { downstreamEntityId: agency, email: given.email });
    expect(await contactsSeen(attacker)).toEqual(seen);
    const next = { firstName: 'Mary', lastName: 'Vega', email: address() };
    expect(await change(organization, contactId, next)).toMatchObject({
      status: 200,
      data: { ...next, associations: [{ downstreamEntityId: agency }] },
    });
    expect(await contactsSeen(attacker)).toEqual(seen);
    expect(await list(attacker, { email: next.email })).toEqual([]);
    expect(await list(attacker, { emailDomain: next.email.split('@')[1] ?? '' })).toEqual([association]);

    // Named at the invited market by the agency itself, and ended there.
    const at = { upstreamDownstreamAssociationId: association };
    await agencyAdds(organization, { ...at, email: next.email, isPrimary: true });
    expect(await contactsSeen(attacker)).toEqual(seen);
    expect((await remove(organization, contactId, at)).data).toMatchObject({
      associations: [{ downstreamEntityId: agency }],
    });
    expect(await contactsSeen(attacker)).toEqual(seen);
    // The market's primary role is free.
    await colleague(organization, at, { isPrimary: true });
    expect((await remove(organization, contactId)).data).toEqual({ contactId, associations: [] });
    expect((await agencyContact(organization, contactId)).status).toBe(404);
    expect(await contactsSeen(attacker)).toEqual(seen);
    expect(await list(attacker, { email: given.email })).toEqual([association]);
    const kept = await createContactStore(tableOf(contactsTable, dynamo, context.tables.contacts)).find(
      contactId,
    );
    expect(JSON.stringify(kept)).not.toMatch(new RegExp(`Mary|Vega|${next.email}`));
  });

  it('is not kept from an address by a carrier that named somebody there', async () => {
    const { organization, agency } = await victim();
    const attacker = await context.carrier();
    const squatted = address();
    await added(attacker, { downstreamEntityId: agency, email: squatted });
    const { contactId } = await colleague(organization, { downstreamEntityId: agency });
    const refused = await change(organization, contactId, { email: squatted });
    expect(refused.status).toBe(409);
    const { details } = refused.json as { details: { contactId: string } };
    // What the refusal says to do.
    const taken = await agencyAdds(organization, { downstreamEntityId: agency, email: squatted });
    expect(taken).toMatchObject({ status: 201, data: { contactId: details.contactId, firstName: 'Maria' } });
    expect((await remove(organization, contactId)).status).toBe(200);
  });

  it('changes no name or address that another organization’s agency has too, and ends its own scopes alone', async () => {
    const { organization, agency } = await victim();
    const theirs = await agencyOrganization();
    const other = await importedAgency(theirs);
    const carrier = await context.carrier();
    const association = newObjectId(new Date());
    await imported(carrier, { type: 'association', _id: association, downstreamEntityId: other });
    const [email, contactId] = [address(), newObjectId(new Date())];
    await imported(
      undefined,
      contact(email, [{ downstreamEntityId: agency }, { downstreamEntityId: other }], {
        _id: contactId,
        firstName: 'Samuel',
        lastName: 'Whitfield',
      }),
    );
    for (const body of [{ email: address() }, { lastName: 'Mallory' }]) {
      expect(await change(organization, contactId, body)).toMatchObject({
        status: 409,
        json: { errorType: 'conflict' },
      });
    }
    expect((await remove(organization, contactId)).data).toEqual({ contactId, associations: [] });
    expect((await agencyContact(theirs, contactId)).data).toMatchObject({ firstName: 'Samuel', email });
    expect((await signIn(carrier, association, email)).status).toBe(200);
    expect((await colleague(organization, { downstreamEntityId: agency }, { email })).contactId).not.toBe(
      contactId,
    );
  });
});
