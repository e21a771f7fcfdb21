import { randomUUID } from 'node:crypto';
import { QueryCommand } from '@aws-sdk/client-dynamodb';
import type { Contact } from '../../shared/domain/contacts/resource.ts';
import { withScope } from '../../shared/domain/contacts/store.ts';
import { contactKeys } from '../../shared/domain/contacts/stored.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import {
  agencyOf,
  ask,
  association,
  contacts,
  entity,
  ids,
  listFor,
  pageFor,
  person,
  routes,
  scopeAt,
  tables,
} from '../support/contacts-tests.ts';
import { id } from '../support/scopes.ts';
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

  it('adds the contact to the market’s list together with the scope', async () => {
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

  it('accepts one of ten identical concurrent requests', async () => {
    const body = { downstreamEntityId: entityId, ...person() };
    const answers = await Promise.all(Array.from({ length: 10 }, () => add(body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array.from({ length: 9 }, () => 409),
    ]);
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

  it('returns the same contact for a repeated idempotency key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const identity = { ...agencyOf(downstream), credentialId: randomUUID() };
    const body = { downstreamEntityId: entityId, ...person() };
    const once = await ask(routes.createAgencyContact, identity, { body, headers, identity });
    const again = await ask(routes.createAgencyContact, identity, { body, headers, identity });
    expect(again).toMatchObject({ status: 201, headers: { 'idempotency-replayed': 'true' } });
    expect(again.json['data']).toEqual(once.json['data']);
  });
});
