import { randomUUID } from 'node:crypto';
import { followEntity } from '../../shared/domain/contacts/follow.ts';
import { withScope } from '../../shared/domain/contacts/store.ts';
import { contactWrites } from '../../shared/domain/contacts/write.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { itemsOf } from '../../shared/platform/data/table-items.ts';
import { transact } from '../../shared/platform/data/transact.ts';
import {
  agencyOf,
  ask,
  association,
  carrierOf,
  contacts,
  entity,
  ids,
  listFor,
  pageFor,
  person,
  routes,
  scopeAt,
  store,
} from '../support/contacts-tests.ts';
import { id } from '../support/scopes.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';

describe('sequential database calls', () => {
  const [upstream, downstream] = [id(), id()];
  let entityId: string;
  let marketId: string;
  let contactId: string;

  beforeAll(async () => {
    entityId = await entity(downstream);
    marketId = await association(upstream, entityId, downstream);
    ({ contactId } = await store([scopeAt(entityId, { downstreamOrganizationId: downstream })]));
  });

  it.each([
    ['a carrier’s list', 2, () => ask(routes.listContacts, carrierOf(upstream))],
    [
      'a carrier’s list for one association',
      2,
      () =>
        ask(routes.listContacts, carrierOf(upstream), { query: { downstreamEntityAssociationId: marketId } }),
    ],
    ['a carrier’s read', 2, () => ask(routes.getContact, carrierOf(upstream), { params: { contactId } })],
    ['an agency’s list', 2, () => ask(routes.listAgencyContacts, agencyOf(downstream))],
    [
      'an agency’s read',
      1,
      () => ask(routes.getAgencyContact, agencyOf(downstream), { params: { contactId } }),
    ],
  ])('for %s are at most %i', async (_, most, work) => {
    expect((await databaseCalls(work)).inSequence).toBeLessThanOrEqual(most);
  });

  it('for a write under an idempotency key are four, also for a known address', async () => {
    const body = { upstreamDownstreamAssociationId: marketId, ...person() };
    for (const added of [body, { ...person(body.email), downstreamEntityId: entityId }]) {
      const headers = { 'idempotency-key': randomUUID() };
      const answers: unknown[] = [];
      const { inSequence } = await databaseCalls(async () => {
        answers.push(await ask(routes.createAgencyContact, agencyOf(downstream), { body: added, headers }));
      });
      expect(answers).toMatchObject([{ status: 201 }]);
      expect(inSequence).toBe(4);
    }
  });
});

describe('lookups for other operations', () => {
  const [upstream, downstream] = [id(), id()];
  let entityId: string;
  let associationId: string;

  beforeAll(async () => {
    entityId = await entity(downstream);
    associationId = await association(upstream, entityId, downstream);
  });

  it('find an address and a domain in any case', async () => {
    const domain = `${id()}.example`;
    const { contactId, scopes } = await store([scopeAt(entityId)], { email: `Maria@${domain}` });
    const found = [{ downstreamEntityId: entityId, contactId, scopes }];
    expect(await collect<object>(contacts.withEmail(`maria@${domain.toUpperCase()}`).pages)).toEqual(found);
    expect(await collect<object>(contacts.withDomain(domain.toUpperCase()).pages)).toEqual(found);
    expect(await collect<object>(contacts.withDomain(domain.slice(1)).pages)).toEqual([]);
  });

  it('find a contact of an association as soon as it is added', async () => {
    const scope = scopeAt(entityId, {
      downstreamEntityAssociationId: associationId,
      downstreamOrganizationId: downstream,
    });
    const added = { person: person(), scope };
    const { items } = await contacts.creation(added, new Date());
    await transact(dynamo, items);
    const lookup = { _id: associationId, downstreamEntityId: entityId, downstreamOrganizationId: downstream };
    const address = added.person.email.toUpperCase();
    expect(await contacts.contactAt(lookup, address)).toMatchObject(added.person);
    expect(await contacts.contactAt({ ...lookup, _id: id() }, address)).toBeUndefined();
    expect(await contacts.contactAt(lookup, 'nobody@agency.example')).toBeUndefined();
    await expect(contacts.creation(added, new Date())).rejects.toMatchObject({ reason: 'state_conflict' });
  });

  it('find a contact of the whole agency for each of its associations', async () => {
    const { email } = await store([scopeAt(entityId, { downstreamOrganizationId: downstream })]);
    const lookup = { _id: id(), downstreamEntityId: entityId, downstreamOrganizationId: downstream };
    expect(await contacts.contactAt(lookup, email)).toMatchObject({ email });
    expect(await contacts.contactAt({ ...lookup, downstreamEntityId: id() }, email)).toBeUndefined();
  });
});

it('a contact with more scopes than one transaction can write is rejected', () => {
  const scopes = Array.from({ length: 61 }, () => scopeAt(id(), { downstreamOrganizationId: id() }));
  const [first] = scopes;
  if (first === undefined) throw new Error('There is one.');
  const contact = withScope(undefined, { person: person(), scope: first }, new Date());
  expect(() => contactWrites(itemsOf('contacts'), undefined, { ...contact, scopes })).toThrow(
    'associations: exceed the number that a contact can have',
  );
});

describe('contacts of an entity that joins an organization', () => {
  const follow = (entityId: string, organization?: string) =>
    followEntity(contacts, entityId, organization, () => new Date(), []);

  it('appear in its lists until the entity leaves', async () => {
    const downstream = id();
    const entityId = await entity();
    const { contactId, email } = await store([scopeAt(entityId)]);
    await follow(entityId, downstream);
    expect(ids((await pageFor(downstream)).items)).toEqual([contactId]);
    const added = {
      person: person(email),
      scope: scopeAt(entityId, { downstreamOrganizationId: downstream }),
    };
    await expect(contacts.creation(added, new Date())).rejects.toMatchObject({ reason: 'state_conflict' });
    await follow(entityId);
    expect(await pageFor(downstream)).toMatchObject({ items: [], total: 0 });
  });

  it('are merged with the organization’s contact of the same address', async () => {
    const [upstream, downstream] = [id(), id()];
    const [joining, own] = [await entity(), await entity(downstream)];
    const associationId = await association(upstream, joining);
    const scope = { downstreamEntityAssociationId: associationId, isPrimary: true };
    const known = await store([scopeAt(own, { downstreamOrganizationId: downstream })]);
    const joined = await store([scopeAt(joining, scope)], { email: known.email.toUpperCase() });
    await follow(joining, downstream);
    // Repeating it changes nothing.
    await follow(joining, downstream);
    const { items } = await pageFor(downstream);
    expect(ids(items)).toEqual([known.contactId]);
    expect(items[0]?.associations).toEqual([
      expect.objectContaining({ downstreamEntityId: own }),
      expect.objectContaining({ downstreamEntityId: joining, ...scope }),
    ]);
    expect(ids(await listFor(upstream))).toEqual([known.contactId]);
    expect(await contacts.find(joined.contactId)).toBeUndefined();
  });
});
