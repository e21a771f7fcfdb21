import { randomUUID } from 'node:crypto';
import { PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import * as fc from 'fast-check';
import { createContactsFunction } from '../../functions/contacts/function.ts';
import { contactRoutes } from '../../functions/contacts/routes.ts';
import { associationKeys } from '../../shared/associations/stored.ts';
import { followEntity } from '../../shared/contacts/follow.ts';
import { type ContactStore, createContactStore, withScope } from '../../shared/contacts/store.ts';
import { type ContactScope, contactKeys, type StoredContact } from '../../shared/contacts/stored.ts';
import { contactWrites } from '../../shared/contacts/write.ts';
import { collect } from '../../shared/data/collect.ts';
import { toItem } from '../../shared/data/dynamo.ts';
import { sortText } from '../../shared/data/sort-text.ts';
import {
  associationsTable,
  contactsTable,
  downstreamEntitiesTable,
  idempotencyTable,
  rateCountersTable,
} from '../../shared/data/tables.ts';
import { transact } from '../../shared/data/transact.ts';
import type { Identity } from '../../shared/identity/identity.ts';
import type { Pipeline } from '../../shared/request/pipeline.ts';
import type { Contact } from '../../shared/resources/contact.ts';
import { apiEvent, lambdaContext } from '../support/api-event.ts';
import { testContext } from '../support/context.ts';
import { id, scopesIn } from '../support/scopes.ts';
import { createTable, databaseCalls, dynamo } from '../support/tables.ts';

const { routes } = contactRoutes;

let pipeline: Pipeline;
let contacts: ContactStore;
const tables = { contacts: '', associations: '', downstreamEntities: '' };

beforeAll(async () => {
  const [idempotency, rateCounters] = await Promise.all([
    createTable(idempotencyTable),
    createTable(rateCountersTable),
  ]);
  tables.contacts = await createTable(contactsTable);
  tables.associations = await createTable(associationsTable);
  tables.downstreamEntities = await createTable(downstreamEntitiesTable);
  contacts = createContactStore(dynamo, tables.contacts);
  pipeline = createContactsFunction({
    clients: { dynamo },
    tables: { ...tables, idempotency, rateCounters },
    context: testContext(),
  });
});

const put = (table: string, item: Record<string, unknown>) =>
  dynamo.send(new PutItemCommand({ TableName: table, Item: toItem(item) }));
const { entity, association } = scopesIn(tables);

const person = (email = `${id()}@agency.example`) => ({ firstName: 'Maria', lastName: 'Delgado', email });

const scopeAt = (downstreamEntityId: string, rest: Partial<ContactScope> = {}): ContactScope => ({
  downstreamEntityId,
  businessRoles: [],
  isPrimary: false,
  ...rest,
});

/** Stores a contact with these scopes. */
async function store(scopes: readonly ContactScope[], values: Partial<StoredContact> = {}) {
  const [first, ...others] = scopes;
  if (first === undefined) throw new Error('A contact has a scope.');
  const made = withScope(undefined, { person: person(), scope: first }, new Date());
  const contact = { ...made, ...values, scopes: [first, ...others] };
  await contacts.save(undefined, contact, []);
  return contact;
}

const ask = async (
  route: Parameters<typeof apiEvent>[0],
  caller: Pick<Identity, 'organizationId' | 'category'>,
  options: Parameters<typeof apiEvent>[1] = {},
) => {
  const identity = { ...caller, credentialId: randomUUID() };
  const { status, headers, body } = await pipeline(apiEvent(route, { identity, ...options }), lambdaContext);
  let text = '';
  if (typeof body === 'string') text = body;
  else for await (const piece of body) text += piece;
  return { status, headers, json: JSON.parse(text) as Record<string, unknown> };
};

const carrierOf = (organizationId: string) => ({ organizationId, category: 'upstreamEntity' as const });
const agencyOf = (organizationId: string) => ({ organizationId, category: 'downstreamEntity' as const });

const listFor = async (upstream: string, query: Record<string, string> = {}): Promise<Contact[]> => {
  const { status, json } = await ask(routes.listContacts, carrierOf(upstream), { query });
  expect(status).toBe(200);
  return json['data'] as Contact[];
};

const pageFor = async (downstream: string, query: Record<string, string> = {}) => {
  const { status, json } = await ask(routes.listAgencyContacts, agencyOf(downstream), { query });
  expect(status).toBe(200);
  return json['data'] as { items: Contact[]; total: number };
};

const ids = (found: readonly Contact[]): string[] => found.map(({ contactId }) => contactId).sort();

describe('what a carrier sees', () => {
  it('is its own scopes and the agency-wide ones of its agencies, whatever scopes there are', async () => {
    const carriers = ['a', 'b', 'c'];
    const entities = [0, 1, 2, 3];
    const scope = fc.record({
      entity: fc.constantFrom(...entities),
      carrier: fc.constantFrom(null, ...carriers),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(
          fc.record({ entity: fc.constantFrom(...entities), carrier: fc.constantFrom(...carriers) }),
          {
            selector: ({ entity: one, carrier }) => `${one} ${carrier}`,
          },
        ),
        fc.array(
          fc.uniqueArray(scope, {
            minLength: 1,
            maxLength: 6,
            selector: (one) => `${one.entity} ${one.carrier}`,
          }),
          { maxLength: 4 },
        ),
        async (relations, people) => {
          const organization = new Map(carriers.map((name) => [name, id()]));
          const entityIds = new Map(entities.map((number) => [number, id()]));
          const associationIds = new Map<string, string>();
          const nameOf = (number: number, carrier: string) => `${number} ${carrier}`;
          // A scope may name an association that is no more.
          for (const number of entities)
            for (const carrier of carriers) associationIds.set(nameOf(number, carrier), id());
          for (const { entity: number, carrier } of relations) {
            await association(
              organization.get(carrier) ?? '',
              entityIds.get(number) ?? '',
              undefined,
              associationIds.get(nameOf(number, carrier)),
            );
          }
          const related = new Set(relations.map(({ entity: number, carrier }) => nameOf(number, carrier)));
          const stored: { contactId: string; scopes: (typeof people)[number] }[] = [];
          for (const scopes of people) {
            const { contactId } = await store(
              scopes.map(({ entity: number, carrier }) =>
                scopeAt(entityIds.get(number) ?? '', {
                  ...(carrier === null
                    ? {}
                    : { downstreamEntityAssociationId: associationIds.get(nameOf(number, carrier)) ?? '' }),
                }),
              ),
            );
            stored.push({ contactId, scopes });
          }
          for (const carrier of carriers) {
            const expected = new Map(
              stored.map(({ contactId, scopes }) => [
                contactId,
                scopes
                  .filter(
                    (one) =>
                      related.has(nameOf(one.entity, carrier)) &&
                      (one.carrier === null || one.carrier === carrier),
                  )
                  .map(
                    (one) =>
                      `${entityIds.get(one.entity)} ${one.carrier === null ? '' : associationIds.get(nameOf(one.entity, one.carrier))}`,
                  )
                  .sort(),
              ]),
            );
            const seen = await listFor(organization.get(carrier) ?? '');
            const shown = seen.map((contact): [string, string[]] => [
              contact.contactId,
              contact.associations
                .map((one) => `${one.downstreamEntityId} ${one.downstreamEntityAssociationId ?? ''}`)
                .sort(),
            ]);
            expect(shown.sort()).toEqual([...expected].filter(([, scopes]) => scopes.length > 0).sort());
            for (const [contactId, scopes] of expected) {
              const { status, json } = await ask(
                routes.getContact,
                carrierOf(organization.get(carrier) ?? ''),
                {
                  params: { contactId },
                },
              );
              expect(status).toBe(scopes.length > 0 ? 200 : 404);
              if (status === 200) {
                expect(json['data']).toEqual(seen.find((contact) => contact.contactId === contactId));
              }
            }
          }
        },
      ),
      { numRuns: 8 },
    );
  });

  it('does not show whose organization an entity is', async () => {
    const [upstream, downstream] = [id(), id()];
    const entityId = await entity(downstream);
    await association(upstream, entityId, downstream);
    await store([scopeAt(entityId, { downstreamOrganizationId: downstream })]);
    expect(JSON.stringify(await listFor(upstream))).not.toContain(downstream);
  });
});

describe('the filters of a carrier’s list', () => {
  const upstream = id();
  let own: string;
  let other: string;
  let wide: string;
  let ofOwn: string;
  let ofOther: string;

  beforeAll(async () => {
    const entityId = await entity();
    own = await association(upstream, entityId);
    other = id();
    // The second relationship of the carrier with the same agency, a branch.
    await association(upstream, entityId, undefined, other);
    const place = associationKeys.ofEntity(upstream, entityId);
    await put(tables.associations, {
      ...place,
      downstreamEntityId: entityId,
      associationIds: new Set([own, other]),
    });
    wide = (await store([scopeAt(entityId, { businessRoles: ['Accounting'] })])).contactId;
    ofOwn = (
      await store([
        scopeAt(entityId, { downstreamEntityAssociationId: own, businessRoles: ['Compliance'] }),
        scopeAt(entityId, { downstreamEntityAssociationId: other, businessRoles: ['Accounting'] }),
      ])
    ).contactId;
    ofOther = (
      await store([
        scopeAt(entityId, { downstreamEntityAssociationId: other, businessRoles: ['Compliance'] }),
      ])
    ).contactId;
  });

  it('take a relationship: its contacts and those of its whole agency', async () => {
    const found = await listFor(upstream, { downstreamEntityAssociationId: own });
    expect(ids(found)).toEqual([wide, ofOwn].sort());
    expect(found.find(({ contactId }) => contactId === ofOwn)?.associations).toHaveLength(2);
  });

  it('take a role in whatever case, exactly', async () => {
    expect(ids(await listFor(upstream, { businessRole: 'cOMPLIANCE' }))).toEqual([ofOwn, ofOther].sort());
    expect(await listFor(upstream, { businessRole: 'Complianc' })).toEqual([]);
  });

  it('take both: the role for that relationship', async () => {
    const found = await listFor(upstream, { downstreamEntityAssociationId: own, businessRole: 'Accounting' });
    expect(ids(found)).toEqual([wide]);
  });

  it('know no relationship of another carrier, and none that was deleted', async () => {
    const entityId = await entity();
    const foreign = await association(id(), entityId);
    const deleted = await association(upstream, entityId, undefined, id(), { isDeleted: true });
    const ofDeletedAgency = await association(upstream, entityId, undefined, id(), {
      agency: { npn: null, isDeleted: true },
    });
    for (const downstreamEntityAssociationId of [foreign, deleted, ofDeletedAgency, id()]) {
      const { status } = await ask(routes.listContacts, carrierOf(upstream), {
        query: { downstreamEntityAssociationId },
      });
      expect(status).toBe(404);
    }
  });

  it('lose no contact where there are more entities than are read at once', async () => {
    const carrier = id();
    const made = await Promise.all(
      Array.from({ length: 130 }, async (_, index) => {
        const entityId = id();
        await association(carrier, entityId);
        return index % 2 === 0 ? [(await store([scopeAt(entityId)])).contactId] : [];
      }),
    );
    expect(ids(await listFor(carrier))).toEqual(made.flat().sort());
  });
});

describe('an agency’s contacts', () => {
  it('are ordered by last name, first name and id', async () => {
    const name = fc.constantFrom('Lee', 'Lee Ann', 'lee', 'Léa', 'Ann', 'Anna', 'Ann Marie', 'Zoë');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, name), { maxLength: 8 }), async (names) => {
        const downstream = id();
        const entityId = await entity(downstream);
        for (const [lastName, firstName] of names) {
          await store([scopeAt(entityId, { downstreamOrganizationId: downstream })], { lastName, firstName });
        }
        const { items, total } = await pageFor(downstream);
        expect(total).toBe(names.length);
        const key = (contact: Contact) => [
          sortText(contact.lastName),
          sortText(contact.firstName),
          contact.contactId,
        ];
        const inOrder = [...items].sort((one, other) => {
          const [left, right] = [key(one), key(other)];
          const index = left.findIndex((part, position) => part !== right[position]);
          return index === -1 ? 0 : (left[index] ?? '') < (right[index] ?? '') ? -1 : 1;
        });
        expect(items).toEqual(inOrder);
      }),
      { numRuns: 15 },
    );
  });

  it('are narrowed to an entity, which must be the organization’s, and show nothing of other organizations', async () => {
    const [mine, theirs] = [id(), id()];
    const [first, second, foreign] = [await entity(mine), await entity(mine), await entity(theirs)];
    const both = await store([
      scopeAt(first, { downstreamOrganizationId: mine }),
      scopeAt(foreign, { downstreamOrganizationId: theirs }),
    ]);
    const alone = await store([scopeAt(second, { downstreamOrganizationId: mine })]);
    expect(ids((await pageFor(mine)).items)).toEqual([both.contactId, alone.contactId].sort());
    const narrowed = await pageFor(mine, { downstreamEntityId: first });
    expect(narrowed).toMatchObject({
      total: 1,
      items: [{ contactId: both.contactId, associations: [{ downstreamEntityId: first }] }],
    });
    expect(narrowed.items[0]?.associations).toHaveLength(1);
    for (const downstreamEntityId of [foreign, id()]) {
      const { status } = await ask(routes.listAgencyContacts, agencyOf(mine), {
        query: { downstreamEntityId },
      });
      expect(status).toBe(404);
    }
    const { status } = await ask(routes.getAgencyContact, agencyOf(theirs), {
      params: { contactId: alone.contactId },
    });
    expect(status).toBe(404);
  });
});

describe('Agency: add a contact', () => {
  const downstream = id();
  const upstream = id();
  let entityId: string;
  let otherEntity: string;
  const market = () => association(upstream, entityId, downstream);

  beforeAll(async () => {
    entityId = await entity(downstream);
    otherEntity = await entity(downstream);
  });

  const add = (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
    ask(routes.createContact, agencyOf(downstream), { body: { ...person(), ...body }, headers });

  /** Every key of the contacts table under an address or a market. */
  const traces = async (email: string, marketId: string): Promise<number> => {
    let count = 0;
    for (const { pk, sk } of [contactKeys.byEmail(downstream, email), contactKeys.primary(marketId)]) {
      const { Count = 0 } = await dynamo.send(
        new QueryCommand({
          TableName: tables.contacts,
          KeyConditionExpression: 'pk = :pk AND sk = :sk',
          ExpressionAttributeValues: toItem({ ':pk': pk, ':sk': sk }),
        }),
      );
      count += Count;
    }
    return count;
  };

  it('1: an entity that does not hold the market is 400 validation_error, and nothing is written', async () => {
    const marketId = await market();
    const email = `${id()}@agency.example`;
    for (const downstreamEntityId of [otherEntity, id()]) {
      const { status, json } = await add({
        upstreamDownstreamAssociationId: marketId,
        downstreamEntityId,
        isPrimary: true,
        email,
      });
      expect(status).toBe(400);
      expect(json).toMatchObject({
        errorType: 'validation_error',
        details: { issues: [{ path: 'downstreamEntityId' }] },
      });
    }
    expect(await traces(email, marketId)).toBe(0);
  });

  it('1: without an entity it is the one that holds the market', async () => {
    const marketId = await market();
    const { status, json } = await add({
      upstreamDownstreamAssociationId: marketId,
      businessRoles: ['Claims'],
    });
    expect(status).toBe(201);
    expect(json['data']).toMatchObject({
      isDeliverable: false,
      associations: [
        {
          downstreamEntityAssociationId: marketId,
          downstreamEntityId: entityId,
          businessRoles: ['Claims'],
          isPrimary: false,
        },
      ],
    });
  });

  it('2: a second primary contact is 409 conflict, and nothing of it is written', async () => {
    const marketId = await market();
    expect((await add({ upstreamDownstreamAssociationId: marketId, isPrimary: true })).status).toBe(201);
    const email = `${id()}@agency.example`;
    const { status, json } = await add({ upstreamDownstreamAssociationId: marketId, isPrimary: true, email });
    expect(status).toBe(409);
    expect(json).toMatchObject({ errorType: 'conflict' });
    expect(await traces(email, marketId)).toBe(1);
    expect((await add({ upstreamDownstreamAssociationId: marketId, email })).status).toBe(201);
  });

  it('2: of ten primary contacts at once one is taken', async () => {
    const marketId = await market();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => add({ upstreamDownstreamAssociationId: marketId, isPrimary: true })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    const seen = await listFor(upstream, { downstreamEntityAssociationId: marketId });
    expect(
      seen.filter((one) =>
        one.associations.some((scope) => scope.isPrimary && scope.downstreamEntityAssociationId === marketId),
      ),
    ).toHaveLength(1);
  });

  it('3: the contact is on the market’s list together with the scope', async () => {
    const marketId = await market();
    const { json } = await add({ upstreamDownstreamAssociationId: marketId });
    const made = json['data'] as Contact;
    expect(ids(await listFor(upstream, { downstreamEntityAssociationId: marketId }))).toContain(
      made.contactId,
    );
    expect(ids((await pageFor(downstream, { downstreamEntityId: entityId, limit: '100' })).items)).toContain(
      made.contactId,
    );
    const { json: read } = await ask(routes.getAgencyContact, agencyOf(downstream), {
      params: { contactId: made.contactId },
    });
    expect(read['data']).toEqual(made);
  });

  it('3: contact and scope are written with all their items or not at all', async () => {
    const contact = withScope(
      undefined,
      { person: person(), scope: scopeAt(entityId, { downstreamOrganizationId: downstream }) },
      new Date(),
    );
    const refusal = new Error('refused');
    const failing = {
      write: {
        ConditionCheck: {
          TableName: tables.contacts,
          Key: toItem({ pk: 'NOTHING', sk: 'NOTHING' }),
          ConditionExpression: 'attribute_exists(pk)',
        },
      },
      refused: () => refusal,
    };
    await expect(contacts.save(undefined, contact, [failing])).rejects.toBe(refusal);
    expect(await contacts.find(contact.contactId)).toBeUndefined();
    expect(await contacts.findOfOrganization(downstream, contact.contactId)).toBeUndefined();
    expect(await traces(contact.email, id())).toBe(0);
  });

  it('4: a scope that is held already is 409', async () => {
    const marketId = await market();
    const place = { upstreamDownstreamAssociationId: marketId, ...person() };
    expect((await add(place)).status).toBe(201);
    expect(await add(place)).toMatchObject({ status: 409, json: { errorType: 'conflict' } });
    const wide = { downstreamEntityId: entityId, ...person() };
    expect((await add(wide)).status).toBe(201);
    expect(await add(wide)).toMatchObject({ status: 409, json: { errorType: 'conflict' } });
  });

  it('4: of ten equal requests at once one is taken', async () => {
    const place = { downstreamEntityId: entityId, ...person() };
    const answers = await Promise.all(Array.from({ length: 10 }, () => add(place)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array.from({ length: 9 }, () => 409),
    ]);
  });

  it('an address in whatever case is one contact, which gains every place and keeps its names', async () => {
    const email = `${id()}@Agency.Example`;
    const markets = [await market(), await market(), await market()];
    const first = await add({ downstreamEntityId: entityId, email });
    const answers = await Promise.all(
      markets.map((upstreamDownstreamAssociationId) =>
        add({ upstreamDownstreamAssociationId, email: email.toUpperCase(), firstName: 'Mary' }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const { contactId } = first.json['data'] as Contact;
    const { json } = await ask(routes.getAgencyContact, agencyOf(downstream), { params: { contactId } });
    expect(json['data']).toMatchObject({ contactId, firstName: 'Maria', email });
    expect((json['data'] as Contact).associations).toHaveLength(4);
  });

  it.each([
    ['an unknown market', async () => ({ upstreamDownstreamAssociationId: id() })],
    [
      'another organization’s market',
      async () => {
        const stranger = id();
        return {
          upstreamDownstreamAssociationId: await association(upstream, await entity(stranger), stranger),
        };
      },
    ],
    ['an unknown entity', async () => ({ downstreamEntityId: id() })],
    ['another organization’s entity', async () => ({ downstreamEntityId: await entity(id()) })],
  ])('%s is 404', async (_, placeOf) => {
    expect(await add(await placeOf())).toMatchObject({ status: 404, json: { errorType: 'not_found' } });
  });

  it('neither market nor entity is 400 naming both, and a primary contact without a market 400', async () => {
    expect(await add({})).toMatchObject({
      status: 400,
      json: {
        details: { issues: [{ path: 'upstreamDownstreamAssociationId' }, { path: 'downstreamEntityId' }] },
      },
    });
    expect(await add({ downstreamEntityId: entityId, isPrimary: true })).toMatchObject({
      status: 400,
      json: { details: { issues: [{ path: 'isPrimary' }] } },
    });
  });

  it('a repeat under one idempotency key answers the same contact', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const identity = { ...agencyOf(downstream), credentialId: randomUUID() };
    const body = { downstreamEntityId: entityId, ...person() };
    const once = await ask(routes.createContact, identity, { body, headers, identity });
    const again = await ask(routes.createContact, identity, { body, headers, identity });
    expect(again).toMatchObject({ status: 201, headers: { 'idempotency-replayed': 'true' } });
    expect(again.json['data']).toEqual(once.json['data']);
  });
});

describe('sequential calls of the database', () => {
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
      'a carrier’s list of one relationship',
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
  ])('of %s are %i', async (_, most, work) => {
    expect((await databaseCalls(work)).inSequence).toBeLessThanOrEqual(most);
  });

  it('of a write under a key are four, also where the address is known', async () => {
    const body = { upstreamDownstreamAssociationId: marketId, ...person() };
    for (const place of [body, { ...person(body.email), downstreamEntityId: entityId }]) {
      const headers = { 'idempotency-key': randomUUID() };
      const answers: unknown[] = [];
      const { inSequence } = await databaseCalls(async () => {
        answers.push(await ask(routes.createContact, agencyOf(downstream), { body: place, headers }));
      });
      expect(answers).toMatchObject([{ status: 201 }]);
      expect(inSequence).toBe(4);
    }
  });
});

describe('what other groups ask', () => {
  const [upstream, downstream] = [id(), id()];
  let entityId: string;
  let associationId: string;

  beforeAll(async () => {
    entityId = await entity(downstream);
    associationId = await association(upstream, entityId, downstream);
  });

  it('finds an address, and a domain, in whatever case', async () => {
    const domain = `${id()}.example`;
    const { contactId, scopes } = await store([scopeAt(entityId)], { email: `Maria@${domain}` });
    const found = [{ downstreamEntityId: entityId, contactId, scopes }];
    expect(await collect<object>(contacts.withEmail(`maria@${domain.toUpperCase()}`))).toEqual(found);
    expect(await collect<object>(contacts.withDomain(domain.toUpperCase()))).toEqual(found);
    expect(await collect<object>(contacts.withDomain(domain.slice(1)))).toEqual([]);
  });

  it('knows a contact of a relationship as soon as it is added, and nobody else', async () => {
    const scope = scopeAt(entityId, {
      downstreamEntityAssociationId: associationId,
      downstreamOrganizationId: downstream,
    });
    const added = { person: person(), scope };
    const { steps } = await contacts.creation(added, new Date());
    await transact(dynamo, steps);
    const place = { _id: associationId, downstreamEntityId: entityId, downstreamOrganizationId: downstream };
    const address = added.person.email.toUpperCase();
    expect(await contacts.isContactOf(place, address)).toBe(true);
    expect(await contacts.isContactOf({ ...place, _id: id() }, address)).toBe(false);
    expect(await contacts.isContactOf(place, 'nobody@agency.example')).toBe(false);
    await expect(contacts.creation(added, new Date())).rejects.toMatchObject({ name: 'StateConflict' });
  });

  it('knows a contact of the whole agency at each of its relationships', async () => {
    const { email } = await store([scopeAt(entityId, { downstreamOrganizationId: downstream })]);
    const place = { _id: id(), downstreamEntityId: entityId, downstreamOrganizationId: downstream };
    expect(await contacts.isContactOf(place, email)).toBe(true);
    expect(await contacts.isContactOf({ ...place, downstreamEntityId: id() }, email)).toBe(false);
  });
});

it('a contact with more places than one transaction can write is refused', () => {
  const scopes = Array.from({ length: 61 }, () => scopeAt(id(), { downstreamOrganizationId: id() }));
  const [first] = scopes;
  if (first === undefined) throw new Error('There is one.');
  const contact = withScope(undefined, { person: person(), scope: first }, new Date());
  expect(() => contactWrites('contacts', undefined, { ...contact, scopes })).toThrow(
    'associations: are more than a contact can have',
  );
});

describe('contacts of an entity that joins an organization', () => {
  const follow = (entityId: string, organization?: string) =>
    followEntity(contacts, entityId, organization, () => new Date());

  it('are on its lists from then on, and leave them with the entity', async () => {
    const downstream = id();
    const entityId = await entity();
    const { contactId, email } = await store([scopeAt(entityId)]);
    await follow(entityId, downstream);
    expect(ids((await pageFor(downstream)).items)).toEqual([contactId]);
    const added = {
      person: person(email),
      scope: scopeAt(entityId, { downstreamOrganizationId: downstream }),
    };
    await expect(contacts.creation(added, new Date())).rejects.toMatchObject({ name: 'StateConflict' });
    await follow(entityId);
    expect(await pageFor(downstream)).toMatchObject({ items: [], total: 0 });
  });

  it('are one with the contact of the same address that the organization has', async () => {
    const [upstream, downstream] = [id(), id()];
    const [joining, own] = [await entity(), await entity(downstream)];
    const associationId = await association(upstream, joining);
    const place = { downstreamEntityAssociationId: associationId, isPrimary: true };
    const known = await store([scopeAt(own, { downstreamOrganizationId: downstream })]);
    const joined = await store([scopeAt(joining, place)], { email: known.email.toUpperCase() });
    await follow(joining, downstream);
    // Running it again changes nothing more.
    await follow(joining, downstream);
    const { items } = await pageFor(downstream);
    expect(ids(items)).toEqual([known.contactId]);
    expect(items[0]?.associations).toEqual([
      expect.objectContaining({ downstreamEntityId: own }),
      expect.objectContaining({ downstreamEntityId: joining, ...place }),
    ]);
    expect(ids(await listFor(upstream))).toEqual([known.contactId]);
    expect(await contacts.find(joined.contactId)).toBeUndefined();
  });
});
