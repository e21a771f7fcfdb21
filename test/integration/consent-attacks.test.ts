import { newObjectId } from '#platform/data/keys.ts';
import {
  add,
  added,
  address,
  agencyAdds,
  agencyContact,
  agencyOrganization,
  agencySees,
  contactsSeen,
  context,
  draft,
  imported,
  importedAgency,
  invite,
  privateVictim,
  redeem,
  routes,
  shown,
  signIn,
  victim,
} from '../support/associations-tests.ts';
import { associationWith } from '../support/import-lines.ts';

const person = { type: 'contact', firstName: 'Samuel', lastName: 'Whitfield' };

/** An agency without an organization, which a carrier works with, and its contact of an operator's import. */
async function sharedWithoutOrganization() {
  const carrier = await context.carrier();
  const agency = await importedAgency();
  const association = newObjectId(new Date());
  const chief = address();
  await imported(carrier, { type: 'association', _id: association, downstreamEntityId: agency });
  await imported(undefined, { ...person, email: chief, associations: [{ downstreamEntityId: agency }] });
  return { carrier, agency, association, chief };
}

describe('a carrier that redeems its own invitation of an agency that others work with', () => {
  it('does not agree in its name, whatever it says of itself', async () => {
    const { organization, agency, wide } = await victim();
    const attacker = await context.carrier();
    const own = address();
    const { id, token } = await invite(attacker, { downstreamEntityId: agency, email: own });
    for (const redeemer of [
      {},
      { verifiedEmail: own },
      { organizationId: attacker },
      { organizationId: await agencyOrganization() },
      { organizationId: await agencyOrganization(), verifiedEmail: wide },
    ]) {
      expect(await redeem(token, redeemer)).toEqual({
        ok: true,
        result: { purpose: 'invitation', downstreamEntityAssociationId: id, email: null, agreed: false },
      });
      expect(await shown(attacker, id)).toMatchObject({ status: 'invited', downstreamEntity: { ein: null } });
      expect((await contactsSeen(attacker)).map(({ email }) => email)).toEqual([own]);
      for (const email of [own, wide]) expect((await signIn(attacker, id, email)).status).toBe(403);
    }
    // The agency itself still can.
    expect(await redeem(token, { organizationId: organization })).toMatchObject({ result: { agreed: true } });
  });

  it('is signed in as nobody who was a contact before, or became one since', async () => {
    const { organization, agency, wide } = await victim();
    const later = address();
    const links = await Promise.all(
      [wide, later].map(async (email) => ({
        email,
        ...(await invite(await context.carrier(), { downstreamEntityId: agency, email })),
      })),
    );
    expect((await agencyAdds(organization, { downstreamEntityId: agency, email: later })).status).toBe(201);
    for (const { token, email } of links) {
      expect(await redeem(token)).toMatchObject({ result: { agreed: false, email: null } });
      const redeemer = { organizationId: organization, verifiedEmail: email };
      expect(await redeem(token, redeemer)).toMatchObject({
        result: { agreed: true, email: null },
      });
    }
  });

  it('does not agree in the name of an agency without an organization', async () => {
    const { agency, chief } = await sharedWithoutOrganization();
    const attacker = await context.carrier();
    const own = address();
    const { id, token } = await invite(attacker, { downstreamEntityId: agency, email: own });
    const friend = await invite(await context.carrier(), { downstreamEntityId: agency, email: address() });
    // A carrier that the agency has not agreed with vouches for nobody, by no way.
    await imported(attacker, { ...person, email: own, associations: [{ downstreamEntityId: agency }] });
    for (const verifiedEmail of [own, address()]) {
      expect(await redeem(token, { verifiedEmail })).toMatchObject({ result: { agreed: false } });
      expect(await redeem(friend.token, { verifiedEmail })).toMatchObject({ result: { agreed: false } });
    }
    expect((await shown(attacker, id))['status']).toBe('invited');
    expect(await redeem(token, { verifiedEmail: chief })).toMatchObject({ result: { agreed: true } });
    expect((await shown(attacker, id))['status']).toBe('active');
  });

  it('takes nothing from the carrier that knew the agency first', async () => {
    const { carrier, association, agency, email } = await privateVictim();
    const attacker = await context.carrier();
    const { id, token } = await invite(attacker, { downstreamEntityId: agency, email: address() });
    expect(await redeem(token, { verifiedEmail: email })).toMatchObject({ result: { agreed: false } });
    expect((await signIn(carrier, association, email)).status).toBe(200);
    // Nor does it with the word of somebody whom the first carrier confirmed.
    const confirmed = address();
    await imported(carrier, { ...person, email: confirmed, associations: [{ downstreamEntityId: agency }] });
    expect(await redeem(token, { verifiedEmail: confirmed })).toMatchObject({ result: { agreed: true } });
    expect((await shown(attacker, id))['status']).toBe('active');
    expect((await signIn(carrier, association, email)).status).toBe(200);
  });

  it('of its own agency confirms nobody for the time when that is shared', async () => {
    const carrier = await context.carrier();
    const email = address();
    const { id, token } = await invite(carrier, { email });
    expect(await redeem(token, { verifiedEmail: email })).toMatchObject({ result: { agreed: true, email } });
    const { downstreamEntity } = (await shown(carrier, id)) as { downstreamEntity: { _id: string } };
    expect((await signIn(carrier, id, email)).status).toBe(200);
    const organization = await agencyOrganization();
    const entity = { type: 'downstream-entity', _id: downstreamEntity._id, legalName: 'Lone Star Brokerage' };
    await imported(undefined, { ...entity, downstreamOrganizationId: organization });
    expect((await signIn(carrier, id, email)).status).toBe(403);
    // It agreed, so the agency sees whom the carrier named.
    expect(await agencySees(organization)).toMatchObject([{ email }]);
  });
});

describe('what a carrier that the agency has not agreed with writes', () => {
  const refused = { status: 403, errorType: 'invite_limit_reached' };

  it('is three associations at most, also of six at the same moment', async () => {
    const { agency } = await victim();
    const attacker = await context.carrier();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        add(attacker, { downstreamEntityId: agency, branchName: `B${index}`, email: address() }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(3);
    for (let index = 0; index < 3; index += 1) {
      await add(attacker, { downstreamEntityId: agency, branchName: `C${index}`, email: address() });
    }
    const body = draft({ downstreamEntityId: agency, email: address() });
    expect(await context.ask(attacker, routes.inviteAssociation, { body })).toMatchObject(refused);
    expect(await add(attacker, { downstreamEntityId: agency, branchName: 'D' })).toMatchObject(refused);
    const { data } = await context.ask(attacker, routes.listAssociations);
    expect(data).toHaveLength(3);
    // Other agencies and other carriers have room.
    expect((await add(attacker)).status).toBe(201);
    expect((await add(await context.carrier(), { downstreamEntityId: agency })).status).toBe(201);
  });

  it('is shown to the agency once it agreed: none of the contacts, and their names not at all', async () => {
    const { organization, agency, wide, ofCarrier } = await victim();
    const attacker = await context.carrier();
    const [squatted, other] = [address(), address()];
    const fake = { firstName: 'Mallory', lastName: 'Fake', downstreamEntityId: agency };
    await added(attacker, { ...fake, email: squatted });
    const id = await added(attacker, { ...fake, email: other, branchName: 'Waco' });
    const [own] = (await contactsSeen(attacker)).filter(({ email }) => email === other);
    const lists = [{}, { downstreamEntityId: agency }];
    for (const query of lists) {
      expect((await agencySees(organization, query)).map(({ email }) => email).sort()).toEqual(
        [ofCarrier, wide].sort(),
      );
    }
    expect((await agencyContact(organization, own?.contactId ?? '')).status).toBe(404);

    const chief = await agencyAdds(organization, { downstreamEntityId: agency, email: squatted });
    expect(chief).toMatchObject({
      status: 201,
      data: {
        firstName: 'Maria',
        lastName: 'Delgado',
        associations: [{ downstreamEntityId: agency }],
      },
    });
    expect(chief.data['associations']).toHaveLength(1);

    await imported(attacker, associationWith(id, agency, { branchName: 'Waco' }));
    for (const query of lists) {
      const seen = await agencySees(organization, query);
      expect(seen.map(({ email }) => email).sort()).toEqual([ofCarrier, wide, squatted, other].sort());
    }
    expect((await agencyContact(organization, own?.contactId ?? '')).status).toBe(200);
  });

  it('does not keep the agency from naming the same person at the same market', async () => {
    const { organization, agency } = await victim();
    const attacker = await context.carrier();
    const email = address();
    const id = await added(attacker, { downstreamEntityId: agency, email });
    const named = await agencyAdds(organization, { upstreamDownstreamAssociationId: id, email });
    expect(named).toMatchObject({
      status: 201,
      data: { firstName: 'Maria', associations: [{ downstreamEntityAssociationId: id }] },
    });
  });

  it('is compared with no EIN', async () => {
    const { agency, carrier } = await victim();
    const attacker = await context.carrier();
    const wrong = { downstreamEntityId: agency, ein: '99-9999999', email: address() };
    expect((await add(attacker, wrong)).data).toMatchObject({ status: 'invited' });
    expect((await add(carrier, { ...wrong, branchName: 'Waco' })).status).toBe(400);
  });
});

describe('a carrier’s import of contacts', () => {
  it('changes nothing of a person whom the agency named', async () => {
    const { carrier, organization, agency, association } = await victim();
    const email = address();
    const { data } = await agencyAdds(organization, { downstreamEntityId: agency, email });
    const contactId = String(data['contactId']);
    const associations = [{ downstreamEntityId: agency, downstreamEntityAssociationId: association }];
    for (const record of [
      { email, associations },
      { _id: contactId, email: address(), associations },
      { _id: contactId, email, associations, isDeleted: true },
    ]) {
      await imported(carrier, { type: 'contact', firstName: 'Mallory', lastName: 'Fake', ...record });
      expect((await agencyContact(organization, contactId)).data).toMatchObject({
        firstName: 'Maria',
        email,
        associations: expect.arrayContaining([
          { downstreamEntityId: agency, businessRoles: [], isPrimary: false },
        ]) as unknown,
      });
    }
  });
});
