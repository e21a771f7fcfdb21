import { QueryCommand } from '@aws-sdk/client-dynamodb';
import * as fc from 'fast-check';
import { associationKeys } from '#domain/associations/stored.ts';
import type { Contact } from '#domain/contacts/resource.ts';
import { withScope } from '#domain/contacts/store.ts';
import { contactKeys } from '#domain/contacts/stored.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { sortText } from '#platform/data/keys.ts';
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
  put,
  routes,
  scopeAt,
  store,
  tables,
} from '../support/contacts-tests.ts';
import { runs } from '../support/extent.ts';
import { agencyCopy, id } from '../support/scopes.ts';
import { dynamo } from '../support/tables.ts';

describe('adding a contact', () => {
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
    ask(routes.createAgencyContact, agencyOf(downstream), { body: { ...person(), ...body }, headers });

  /** The number of stored keys of an address and a market. */
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

  it('answers 400 for an entity that does not hold the market, and writes nothing', async () => {
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

  it('defaults to the entity that holds the market', async () => {
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

  const contactIdOf = ({ json }: Awaited<ReturnType<typeof add>>): unknown =>
    (json as { data?: { contactId?: string } }).data?.contactId;

  it('answers 409 for a second primary contact, and writes nothing', async () => {
    const marketId = await market();
    const first = await add({ upstreamDownstreamAssociationId: marketId, isPrimary: true });
    expect(first.status).toBe(201);
    const email = `${id()}@agency.example`;
    const { status, json } = await add({ upstreamDownstreamAssociationId: marketId, isPrimary: true, email });
    expect(status).toBe(409);
    expect(json).toMatchObject({ errorType: 'conflict', details: { contactId: contactIdOf(first) } });
    expect(await traces(email, marketId)).toBe(1);
    expect((await add({ upstreamDownstreamAssociationId: marketId, email })).status).toBe(201);
  });

  it('accepts one of ten concurrent primary contacts', async () => {
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

  it('writes contact and scope with all their items or not at all', async () => {
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
    expect(ids((await pageFor(downstream, { limit: '100' })).items)).not.toContain(contact.contactId);
    expect(await traces(contact.email, id())).toBe(0);
  });

  it('answers 409 for an existing scope', async () => {
    const marketId = await market();
    const body = { upstreamDownstreamAssociationId: marketId, ...person() };
    const wide = { downstreamEntityId: entityId, ...person() };
    for (const scope of [body, wide]) {
      const first = await add(scope);
      expect(first.status).toBe(201);
      expect(await add(scope)).toMatchObject({
        status: 409,
        json: { errorType: 'conflict', details: { contactId: contactIdOf(first) } },
      });
    }
  });

  it('adds scopes to the contact with the same address in any case, and keeps its names', async () => {
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
  ])('answers 404 for %s', async (_, bodyOf) => {
    expect(await add(await bodyOf())).toMatchObject({ status: 404, json: { errorType: 'not_found' } });
  });

  it('answers 400 without a market or entity, and for a primary contact without a market', async () => {
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
});

describe('a carrier', () => {
  it('sees its own scopes and the agency-wide scopes of its agencies (property)', async () => {
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
          // A scope may name an association that no longer exists.
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
      runs(4, 80),
    );
  });

  it('does not see which organization an entity belongs to', async () => {
    const [upstream, downstream] = [id(), id()];
    const entityId = await entity(downstream);
    await association(upstream, entityId, downstream);
    await store([scopeAt(entityId, { downstreamOrganizationId: downstream })]);
    const listed = await listFor(upstream);
    expect(listed).toHaveLength(1);
    expect(JSON.stringify(listed)).not.toContain(downstream);
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
    // The carrier's second association with the same agency, a branch.
    await association(upstream, entityId, undefined, other);
    const key = associationKeys.ofEntity(upstream, entityId);
    await put(tables.associations, {
      ...key,
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

  it('match an association’s contacts and those of its whole agency', async () => {
    const found = await listFor(upstream, { downstreamEntityAssociationId: own });
    expect(ids(found)).toEqual([wide, ofOwn].sort());
    expect(found.find(({ contactId }) => contactId === ofOwn)?.associations).toHaveLength(2);
  });

  it('match a whole role, in any case', async () => {
    expect(ids(await listFor(upstream, { businessRole: 'cOMPLIANCE' }))).toEqual([ofOwn, ofOther].sort());
    expect(await listFor(upstream, { businessRole: 'Complianc' })).toEqual([]);
  });

  it('match a role within an association', async () => {
    const found = await listFor(upstream, { downstreamEntityAssociationId: own, businessRole: 'Accounting' });
    expect(ids(found)).toEqual([wide]);
  });

  it('answer 404 for a deleted association and for another carrier’s', async () => {
    const entityId = await entity();
    const foreign = await association(id(), entityId);
    const deleted = await association(upstream, entityId, undefined, id(), { isDeleted: true });
    const ofDeletedAgency = await association(upstream, entityId, undefined, id(), {
      agency: { ...agencyCopy, isDeleted: true },
    });
    for (const downstreamEntityAssociationId of [foreign, deleted, ofDeletedAgency, id()]) {
      expect(await listFor(upstream, { downstreamEntityAssociationId })).toEqual([]);
    }
  });

  it('return every contact across batches of entities', async () => {
    const carrier = id();
    const made = await Promise.all(
      Array.from({ length: 102 }, async (_, index) => {
        const entityId = id();
        await association(carrier, entityId);
        return index % 10 === 0 ? [(await store([scopeAt(entityId)])).contactId] : [];
      }),
    );
    expect(ids(await listFor(carrier))).toEqual(made.flat().sort());
  });
});

describe('an agency’s contacts', () => {
  it('are sorted by last name, first name, and ID', async () => {
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
      runs(4, 80),
    );
  });

  it('can be narrowed to one of the organization’s entities, and show only its own scopes', async () => {
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
