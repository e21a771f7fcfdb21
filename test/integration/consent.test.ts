import { newObjectId } from '#platform/data/keys.ts';
import {
  add,
  added,
  address,
  agencyAdds,
  agencyContact,
  agencyOrganization,
  agencySees,
  at,
  contactStatuses,
  contactsSeen,
  context,
  draft,
  imported,
  importedAgency,
  invite,
  list,
  privateVictim,
  redeem,
  routes,
  shown,
  signIn,
  victim,
} from '../support/associations-tests.ts';
import { eventsIn } from '../support/events.ts';
import { associationWith, contact, namedAgency } from '../support/import-lines.ts';
import { recordsInto } from '../support/imports.ts';

describe('consent', () => {
  describe('a carrier with the id of an agency that others work with', () => {
    it.each(['addAssociation', 'inviteAssociation'] as const)(
      'by %s learns no contact, signs nobody in, and is invited',
      async (route) => {
        const { agency, wide, ofCarrier, contactId } = await victim();
        const attacker = await context.carrier();
        const own = address();
        const { status, data } = await context.ask(attacker, routes[route], {
          body: draft({ downstreamEntityId: agency, email: own }),
        });
        expect(status).toBe(201);
        const association = String(data['_id'] ?? data['downstreamEntityAssociationId']);
        expect(await shown(attacker, association)).toMatchObject({
          status: 'invited',
          downstreamEntity: {
            _id: agency,
            legalName: 'Lone Star Brokerage',
            category: 'agency',
            npn: '17654321',
            ein: null,
          },
        });

        const scope = { downstreamEntityId: agency, downstreamEntityAssociationId: association };
        const seen = await contactsSeen(attacker);
        expect(seen).toMatchObject([{ email: own, associations: [scope] }]);
        expect(seen[0]?.associations).toHaveLength(1);
        expect(await contactsSeen(attacker, { downstreamEntityAssociationId: association })).toEqual(seen);
        expect(await contactStatuses(attacker, contactId)).toEqual([404, 404]);
        for (const email of [wide, ofCarrier]) expect(await list(attacker, { email })).toEqual([]);
        expect(await list(attacker, { email: own })).toEqual([association]);

        for (const email of [wide, ofCarrier, own]) {
          expect(await signIn(attacker, association, email)).toMatchObject({
            status: 403,
            errorType: 'contact_not_authorized',
          });
        }
      },
    );

    it.each(['adds', 'imports'] as const)(
      'sees its contact as it gave it when the agency %s the person at the same market, until that agrees',
      async (how) => {
        const { organization, agency } = await victim();
        const attacker = await context.carrier();
        const email = address();
        const named = { firstName: 'Quentin', lastName: 'Reed', email };
        const association = await added(attacker, { downstreamEntityId: agency, ...named });
        const seen = await contactsSeen(attacker);
        expect(seen).toMatchObject([named]);
        const scope = { downstreamEntityId: agency, downstreamEntityAssociationId: association };
        const own = { businessRoles: ['Compliance'], isPrimary: true };
        const person = { firstName: 'Maria', lastName: 'Delgado', email };
        if (how === 'adds') {
          const body = { upstreamDownstreamAssociationId: association, ...own, ...person };
          expect((await agencyAdds(organization, body)).status).toBe(201);
        } else {
          const record = {
            type: 'contact',
            ...person,
            associations: [{ ...scope, ...own }],
            isDeliverable: true,
          };
          await imported(organization, record);
          // Again, and differently.
          await imported(organization, { ...record, lastName: 'Vega' }, record);
        }

        expect(await contactsSeen(attacker)).toEqual(seen);
        expect(await contactsSeen(attacker, { downstreamEntityAssociationId: association })).toEqual(seen);
        expect(await contactsSeen(attacker, { businessRole: 'Compliance' })).toEqual([]);
        expect(await contactStatuses(attacker, seen[0]?.contactId ?? '')).toEqual([200, 200]);
        expect(await list(attacker, { email })).toEqual([association]);
        const ofAgency = { ...person, associations: [{ ...scope, ...own }] };
        expect(await agencySees(organization)).toContainEqual(expect.objectContaining(ofAgency));
        expect((await signIn(attacker, association, email)).status).toBe(403);

        await imported(attacker, { ...associationWith(association, agency), status: 'active' });
        expect(await contactsSeen(attacker)).toContainEqual(expect.objectContaining(ofAgency));
      },
    );

    it('is invited by each of two adds at the same moment, and sees nothing through either', async () => {
      const { agency, wide } = await victim();
      const attacker = await context.carrier();
      const answers = await Promise.all(
        ['Austin', 'Dallas'].map((branchName) =>
          add(attacker, { downstreamEntityId: agency, branchName, email: address() }),
        ),
      );
      for (const { status, data } of answers) {
        expect({ status, data }).toMatchObject({ status: 201, data: { status: 'invited' } });
        expect((await signIn(attacker, String(data['_id']), wide)).status).toBe(403);
      }
      expect(JSON.stringify(await contactsSeen(attacker))).not.toContain(wide);
    });

    it('adds no scope to a contact that exists, and locks nobody out by adding', async () => {
      const { carrier, organization, agency, association, wide, ofCarrier } = await victim();
      const attacker = await context.carrier();
      const answers = await Promise.all(
        Array.from({ length: 3 }, (_, index) =>
          add(attacker, { downstreamEntityId: agency, branchName: `Branch ${index}`, email: wide }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
      expect(await contactsSeen(attacker)).toEqual([]);
      const body = { upstreamDownstreamAssociationId: association, email: wide };
      expect((await agencyAdds(organization, body)).status).toBe(201);
      expect((await signIn(carrier, association, ofCarrier)).status).toBe(200);
    });

    it('gets no event about what others do with the agency', async () => {
      const { carrier, organization, agency, association } = await victim();
      const attacker = await context.carrier();
      const mine = await added(attacker, { downstreamEntityId: agency });
      await added(carrier, { downstreamEntityId: agency, branchName: 'Waco' });
      await agencyAdds(organization, { upstreamDownstreamAssociationId: association, email: address() });
      const events = (await eventsIn(context.tables.outbox)).filter(
        ({ upstreamEntityId }) => upstreamEntityId === attacker,
      );
      expect(events).toMatchObject([
        { type: 'DOWNSTREAM_ENTITY_CREATED', entityId: mine, payload: { status: 'invited' } },
      ]);
      expect(JSON.stringify(events)).not.toContain('75-1234567');
    });
  });

  describe('a carrier with the id of an agency that one other carrier added', () => {
    it('is invited, sees nothing of it, and takes nothing from that carrier', async () => {
      const { carrier, association, agency, email } = await privateVictim();
      const attacker = await context.carrier();
      const answers = await Promise.all(
        ['Austin', 'Dallas'].map((branchName) =>
          add(attacker, { downstreamEntityId: agency, branchName, email: address() }),
        ),
      );
      for (const { data } of answers) {
        expect(data).toMatchObject({ status: 'invited' });
        expect((await signIn(attacker, String(data['_id']), email)).status).toBe(403);
      }
      expect(JSON.stringify(await contactsSeen(attacker))).not.toContain(email);
      expect((await signIn(carrier, association, email)).status).toBe(200);
      expect(await contactsSeen(carrier)).toMatchObject([{ email }]);
      const branch = await add(carrier, { downstreamEntityId: agency, branchName: 'Waco', email });
      expect(branch.data).toMatchObject({ status: 'active' });
      expect((await signIn(carrier, String(branch.data['_id']), email)).status).toBe(200);
    });

    it('of two carriers that add an imported agency at the same moment, one is active', async () => {
      for (let round = 0; round < 2; round += 1) {
        const agency = await importedAgency();
        const carriers = await Promise.all([context.carrier(), context.carrier()]);
        const answers = await Promise.all(
          carriers.map((carrier) => add(carrier, { downstreamEntityId: agency, email: address() })),
        );
        expect(answers.map(({ data }) => data['status']).sort()).toEqual(['active', 'invited']);
      }
    });
  });

  describe('an agency that one carrier knows', () => {
    it('is its own affair: invited by it, its contacts are seen and signed in', async () => {
      const carrier = await context.carrier();
      const email = address();
      const { data } = await context.ask(carrier, routes.inviteAssociation, { body: draft({ email }) });
      const id = String(data['downstreamEntityAssociationId']);
      expect(await contactsSeen(carrier)).toMatchObject([{ email }]);
      expect((await signIn(carrier, id, email)).status).toBe(200);
    });

    it('is not its own any more when it gets an organization', async () => {
      const { carrier, association, agency, email } = await privateVictim();
      const { data } = await context.ask(carrier, routes.inviteAssociation, {
        body: draft({ downstreamEntityId: agency, email: address() }),
      });
      const organization = await agencyOrganization();
      const entity = { type: 'downstream-entity', _id: agency, legalName: 'Lone Star Brokerage' };
      await imported(undefined, { ...entity, downstreamOrganizationId: organization });
      expect((await signIn(carrier, association, email)).status).toBe(403);
      // What the agency itself confirms may sign in.
      const confirmed = await agencyAdds(organization, { downstreamEntityId: agency, email });
      expect(confirmed.status).toBe(201);
      expect((await signIn(carrier, association, email)).status).toBe(200);
      const invited = String(data['downstreamEntityAssociationId']);
      expect((await signIn(carrier, invited, email)).status).toBe(403);
      const stranger = await context.carrier();
      expect((await add(stranger, { downstreamEntityId: agency })).data).toMatchObject({ status: 'invited' });
    });

    it.each([
      [
        'another carrier’s imported association',
        (agency: string) => ({
          type: 'association',
          downstreamEntityId: agency,
        }),
      ],
      [
        'a contact of an operator’s',
        (agency: string) =>
          contact(address(), [{ downstreamEntityId: agency }], {
            firstName: 'Samuel',
            lastName: 'Whitfield',
          }),
      ],
    ])('is not its own any more after %s', async (kind, record) => {
      const { carrier, association, agency, email } = await privateVictim();
      const other = kind.startsWith('another') ? await context.carrier() : undefined;
      await imported(other, record(agency));
      expect((await signIn(carrier, association, email)).status).toBe(403);
    });

    it('takes no active association while an organization joins it at the same moment', async () => {
      for (let round = 0; round < 2; round += 1) {
        const agency = await importedAgency();
        const [carrier, organization] = await Promise.all([context.carrier(), agencyOrganization()]);
        const email = address();
        const [{ data }] = await Promise.all([
          add(carrier, { downstreamEntityId: agency, email }),
          imported(
            undefined,
            namedAgency(agency, 'Lone Star Brokerage', { downstreamOrganizationId: organization }),
          ),
        ]);
        expect((await signIn(carrier, String(data['_id']), email)).status).toBe(403);
      }
    });
  });

  describe('a carrier that the agency works with', () => {
    it('adds further branches as active, and signs in whom the agency confirmed', async () => {
      const { carrier, organization, agency, wide } = await victim();
      const named = address();
      const { data } = await add(carrier, { downstreamEntityId: agency, branchName: 'Waco', email: named });
      expect(data).toMatchObject({ status: 'active', downstreamEntity: { ein: '75-1234567' } });
      const id = String(data['_id']);
      expect((await signIn(carrier, id, wide)).status).toBe(200);
      expect((await signIn(carrier, id, named)).status).toBe(403);
      expect((await agencyAdds(organization, { downstreamEntityId: agency, email: named })).status).toBe(201);
      expect((await signIn(carrier, id, named)).status).toBe(200);
    });

    it('does not add branches as active while its own association is invited or inactive', async () => {
      const { agency } = await victim();
      const invited = await context.carrier();
      await added(invited, { downstreamEntityId: agency });
      for (const carrier of [invited, await inactiveCarrier(agency)]) {
        const { data } = await add(carrier, { downstreamEntityId: agency, branchName: 'Waco' });
        expect(data).toMatchObject({ status: 'invited' });
      }
    });
  });

  it('a filter of contacts by an unknown association is an empty list', async () => {
    const carrier = await context.carrier();
    const downstreamEntityAssociationId = newObjectId(new Date());
    expect(await contactsSeen(carrier, { downstreamEntityAssociationId })).toEqual([]);
  });

  it('what the registry says goes on while a carrier is invited', async () => {
    const { agency } = await victim();
    const attacker = await context.carrier();
    const id = await added(attacker, { downstreamEntityId: agency });
    for (const route of [
      routes.listAssociationLicenses,
      routes.listAssociationAppointments,
      routes.listAssociationPolicyComplianceStatuses,
    ]) {
      expect((await context.ask(attacker, route, at(id))).status).toBe(200);
    }
    expect((await context.ask(attacker, routes.syncAssociation, at(id))).status).toBe(202);
  });
});

const person = { type: 'contact', firstName: 'Samuel', lastName: 'Whitfield' };

/** A carrier that only an operator’s import has as an agency’s, and not as active. */
async function inactiveCarrier(agency: string): Promise<string> {
  const carrier = await context.carrier();
  await imported(carrier, { type: 'association', downstreamEntityId: agency, status: 'inactive' });
  return carrier;
}

/** An agency without an organization, which a carrier works with, and its contact of an operator's import. */
async function sharedWithoutOrganization() {
  const carrier = await context.carrier();
  const agency = await importedAgency();
  const association = newObjectId(new Date());
  const chief = address();
  await imported(carrier, { ...associationWith(association, agency), status: 'active' });
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
    const scope = { downstreamEntityId: agency, downstreamEntityAssociationId: id };
    await imported(attacker, { ...person, email: own, associations: [scope] });
    for (const verifiedEmail of [own, address()]) {
      expect(await redeem(token, { verifiedEmail })).toMatchObject({ result: { agreed: false } });
      expect(await redeem(friend.token, { verifiedEmail })).toMatchObject({ result: { agreed: false } });
    }
    expect((await shown(attacker, id))['status']).toBe('invited');
    expect(await redeem(token, { verifiedEmail: chief })).toMatchObject({ result: { agreed: true } });
    expect((await shown(attacker, id))['status']).toBe('active');
  });

  it('has no contact imported that others see, but one at its association when that is agreed', async () => {
    const { carrier, organization, agency } = await victim();
    const attacker = await context.carrier();
    const wide = { ...person, email: address(), associations: [{ downstreamEntityId: agency }] };
    for (const carrierId of [attacker, await inactiveCarrier(agency)])
      expect(await recordsInto(context.tables)(carrierId, [wide])).toMatchObject({
        rejected: [{ issues: [{ path: 'associations[0].downstreamEntityAssociationId' }] }],
      });
    const { id } = await invite(attacker, { downstreamEntityId: agency, email: address() });
    const [scope, email] = [
      { downstreamEntityId: agency, downstreamEntityAssociationId: id, businessRoles: ['Principal'] },
      address(),
    ];
    await imported(attacker, { ...person, email, associations: [scope] });
    expect(JSON.stringify(await contactsSeen(attacker))).toContain(email);
    expect(JSON.stringify([await agencySees(organization), await contactsSeen(carrier)])).not.toContain(
      email,
    );
  });

  it('gives way to the agency’s own word about a contact that a carrier named', async () => {
    const { carrier, organization, agency } = await victim();
    const email = address();
    const { data } = await add(carrier, { downstreamEntityId: agency, branchName: 'Austin', email });
    const named = { upstreamDownstreamAssociationId: data['_id'], email, businessRoles: ['Claims'] };
    expect((await agencyAdds(organization, named)).status).toBe(201);
    expect((await agencyAdds(organization, named)).status).toBe(409);
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

    // What an import leaves out stays: the agency has not agreed by it.
    await imported(attacker, associationWith(id, agency, { producerCode: 'W' }));
    expect((await shown(attacker, id))['status']).toBe('invited');
    await imported(attacker, associationWith(id, agency, { status: 'active' }));
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
