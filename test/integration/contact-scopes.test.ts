import { newObjectId } from '../../shared/platform/data/object-id.ts';
import {
  add,
  added,
  address,
  agencyAdds,
  agencyOrganization,
  contactsSeen,
  context,
  imported,
  importedAgency,
  victim,
} from '../support/associations-tests.ts';
import { scopesIn } from '../support/scopes.ts';

describe('the scopes of a contact', () => {
  it('are ten for one carrier and agency: an add beyond them is made without the scope', async () => {
    const { carrier, agency, wide, association, organization } = await victim();
    const branches: string[] = [];
    for (let index = 0; index < 11; index += 1) {
      branches.push(
        await added(carrier, { downstreamEntityId: agency, branchName: `B${index}`, email: wide }),
      );
    }
    const seen = (await contactsSeen(carrier)).find(({ email }) => email === wide);
    const named = seen?.associations.flatMap(({ downstreamEntityAssociationId: id = [] }) => id);
    expect(named).toEqual(branches.slice(0, 10));
    // What the agency itself names is not the carrier's, at the carrier's market either.
    expect(
      (await agencyAdds(organization, { upstreamDownstreamAssociationId: association, email: wide })).status,
    ).toBe(201);
    // Another carrier's scopes are counted by themselves.
    const other = await context.carrier();
    const theirs = newObjectId(new Date());
    await imported(other, { type: 'association', _id: theirs, downstreamEntityId: agency });
    expect(
      (await agencyAdds(organization, { upstreamDownstreamAssociationId: theirs, email: wide })).status,
    ).toBe(201);
  });

  it('that the agency itself names leave the carrier its ten', async () => {
    const { carrier, agency, wide, organization } = await victim();
    for (let index = 0; index < 11; index += 1) {
      const upstreamDownstreamAssociationId = await added(carrier, {
        downstreamEntityId: agency,
        branchName: `B${index}`,
        email: address(),
      });
      expect((await agencyAdds(organization, { upstreamDownstreamAssociationId, email: wide })).status).toBe(
        201,
      );
    }
    const last = await added(carrier, { downstreamEntityId: agency, branchName: 'B11', email: wide });
    const seen = (await contactsSeen(carrier)).find(({ email }) => email === wide);
    expect(
      seen?.associations.map(({ downstreamEntityAssociationId }) => downstreamEntityAssociationId),
    ).toContain(last);
  });

  it('are sixty in all: an add beyond them is made without the scope, a contact is refused', async () => {
    const [carrier, organization] = await Promise.all([context.carrier(), agencyOrganization()]);
    const agency = await importedAgency(organization);
    const { entity } = scopesIn(context.tables);
    const others = await Promise.all(Array.from({ length: 60 }, () => entity(organization)));
    const email = address();
    await imported(undefined, {
      type: 'contact',
      firstName: 'Maria',
      lastName: 'Delgado',
      email,
      associations: others.map((downstreamEntityId) => ({ downstreamEntityId })),
    });
    await imported(carrier, { type: 'association', downstreamEntityId: agency });
    expect((await add(carrier, { downstreamEntityId: agency, branchName: 'Waco', email })).status).toBe(201);
    expect(await contactsSeen(carrier)).toEqual([]);
    expect((await agencyAdds(organization, { downstreamEntityId: agency, email })).status).toBe(400);
  });
});
