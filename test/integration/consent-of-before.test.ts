import { withScope } from '../../shared/domain/contacts/store.ts';
import { contactWrites } from '../../shared/domain/contacts/write.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import { itemsOf } from '../../shared/platform/data/table-items.ts';
import { transact } from '../../shared/platform/data/transact.ts';
import {
  add,
  address,
  agencyOrganization,
  contactsSeen,
  context,
  list,
  shown,
  signIn,
} from '../support/associations-tests.ts';
import { scopesIn } from '../support/scopes.ts';
import { dynamo } from '../support/tables.ts';

/** What was stored before anybody kept who knows an agency, by whom a contact was named, and which statuses there are. */
async function stored(downstreamOrganizationId?: string, status: 'active' | 'invited' = 'active') {
  const carrier = await context.carrier();
  const { entity, association } = scopesIn(context.tables);
  const agency = await entity(downstreamOrganizationId);
  const id = await association(carrier, agency, downstreamOrganizationId, newObjectId(new Date()), {
    status,
  });
  const [wide, own] = [address(), address()];
  const common = {
    downstreamEntityId: agency,
    ...(downstreamOrganizationId === undefined ? {} : { downstreamOrganizationId }),
    businessRoles: [],
    isPrimary: false,
  };
  for (const [email, scope] of [
    [wide, common],
    [own, { ...common, downstreamEntityAssociationId: id }],
  ] as const) {
    const person = { firstName: 'Maria', lastName: 'Delgado', email };
    const contact = withScope(undefined, { person, scope }, new Date());
    await transact(dynamo, contactWrites(itemsOf(context.tables.contacts), undefined, contact));
  }
  return { carrier, agency, id, wide, own };
}

const emails = async (carrier: string) => (await contactsSeen(carrier)).map(({ email }) => email).sort();

it('a carrier that works with an agency sees what it saw, and adds branches', async () => {
  const { carrier, agency, id, wide, own } = await stored();
  expect(await shown(carrier, id)).toMatchObject({ status: 'active' });
  expect(await emails(carrier)).toEqual([wide, own].sort());
  expect(await list(carrier, { email: wide })).toEqual([id]);
  const { data } = await add(carrier, { downstreamEntityId: agency, branchName: 'Waco' });
  expect(data).toMatchObject({ status: 'active' });
});

it('an agency with an organization has no confirmed contact, one without signs them in as before', async () => {
  const [alone, shared] = [await stored(), await stored(await agencyOrganization())];
  expect((await signIn(alone.carrier, alone.id, alone.own)).status).toBe(200);
  expect((await signIn(shared.carrier, shared.id, shared.own)).status).toBe(403);
});

it('a carrier that comes to an agency of before is invited', async () => {
  const { agency, wide, own } = await stored();
  const carrier = await context.carrier();
  const { data } = await add(carrier, { downstreamEntityId: agency });
  expect(data).toMatchObject({ status: 'invited' });
  const id = String(data['_id']);
  for (const email of [wide, own]) expect((await signIn(carrier, id, email)).status).toBe(403);
  expect(await emails(carrier)).not.toEqual(expect.arrayContaining([wide]));
});

it('one that is invited signs nobody in until the agency agrees', async () => {
  const { carrier, id, own } = await stored(undefined, 'invited');
  expect((await signIn(carrier, id, own)).status).toBe(403);
});
