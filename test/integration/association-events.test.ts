import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { eventPayloads } from '../../shared/events/payloads.ts';
import { add, added, change, draft, here, routes } from '../support/associations-tests.ts';
import { eventsFor } from '../support/events.ts';
import { type Fault, withFaults, withLostAnswer } from '../support/faults.ts';

// Each request has a moment of its own, so that events come in the order of their changes.
let clock = Date.now();
beforeEach(() => {
  here.stage.now = () => {
    clock += 1;
    return new Date(clock);
  };
});

const eventsOf = (owner: string) => eventsFor(here.tables.outbox, owner);

/** One caller, so that its keys are its own. */
const caller = (owner: string) => ({
  organizationId: owner,
  category: 'upstreamEntity' as const,
  credentialId: randomUUID(),
});

describe('add and invite emit DOWNSTREAM_ENTITY_CREATED', () => {
  it('tell of the relationship as it was made', async () => {
    const owner = await here.carrier();
    const body = draft({ downstreamEntityNpn: '12345', externalId: 'E', branchName: 'Austin' });
    const { data } = await add(owner, body);
    const [event, ...others] = await eventsOf(owner);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: 'DOWNSTREAM_ENTITY_CREATED',
      entityId: data['_id'],
      occurredAt: data['createdAt'],
      payload: {
        downstreamEntityAssociationId: data['_id'],
        downstreamEntity: data['downstreamEntity'],
        externalId: 'E',
        producerCode: null,
        branchName: 'Austin',
        status: 'active',
      },
    });
    expect(eventPayloads.DOWNSTREAM_ENTITY_CREATED.parse(event?.payload)).toEqual(event?.payload);
    const invited = await here.ask(owner, routes.inviteAssociation, { body: draft() });
    expect((await eventsOf(owner)).at(1)).toMatchObject({
      type: 'DOWNSTREAM_ENTITY_CREATED',
      payload: {
        downstreamEntityAssociationId: invited.data['downstreamEntityAssociationId'],
        status: 'invited',
      },
    });
  });

  it('tell nothing of what was refused', async () => {
    const owner = await here.carrier(1);
    await add(owner);
    expect((await add(owner)).errorType).toBe('invite_limit_reached');
    expect((await add(owner, { downstreamEntityId: 'f'.repeat(24) })).status).toBe(404);
    expect(await eventsOf(owner)).toHaveLength(1);
  });

  it('tell once of twenty concurrent requests for the same, with one key or with none', async () => {
    for (const options of [() => ({}), keyed()]) {
      const owner = await here.carrier();
      const body = draft();
      const identity = caller(owner);
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => add(owner, body, { identity, ...options() })),
      );
      expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(1);
      expect(await eventsOf(owner)).toHaveLength(1);
    }
  });

  it('tell once where the answer of the database is lost and the SDK asks again', async () => {
    const owner = await here.carrier();
    const { status, data } = await withLostAnswer(() => add(owner));
    expect(status).toBe(201);
    expect(await eventsOf(owner)).toMatchObject([{ entityId: data['_id'] }]);
  });
});

const keyed = () => {
  const headers = { 'idempotency-key': randomUUID() };
  return () => ({ headers });
};

describe('PATCH emits DOWNSTREAM_ENTITY_UPDATED', () => {
  it('tells of a change, and nothing where nothing changed', async () => {
    const owner = await here.carrier();
    const id = await added(owner);
    await change(owner, id, { externalId: 'A' });
    await change(owner, id, { externalId: 'A' });
    await change(owner, id, { producerCode: null });
    await change(owner, id, { producerCode: 'P', externalId: 'A' });
    const events = await eventsOf(owner);
    expect(events.map(({ type, payload }) => [type, payload])).toMatchObject([
      ['DOWNSTREAM_ENTITY_CREATED', { externalId: null, producerCode: null }],
      ['DOWNSTREAM_ENTITY_UPDATED', { externalId: 'A', producerCode: null }],
      ['DOWNSTREAM_ENTITY_UPDATED', { externalId: 'A', producerCode: 'P' }],
    ]);
  });

  it('tells of each of several that meet what it left behind', async () => {
    const owner = await here.carrier();
    const id = await added(owner);
    const answers = await Promise.all([
      change(owner, id, { externalId: 'E' }),
      change(owner, id, { producerCode: 'P' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const updates = (await eventsOf(owner)).filter(({ type }) => type === 'DOWNSTREAM_ENTITY_UPDATED');
    expect(updates).toHaveLength(2);
    expect(updates).toContainEqual(
      expect.objectContaining({
        payload: expect.objectContaining({ externalId: 'E', producerCode: 'P' }),
      }),
    );
  });

  it('is told once when the same key comes ten times at once, and again later', async () => {
    const owner = await here.carrier();
    const id = await added(owner);
    const identity = caller(owner);
    const options = { identity, ...keyed()() };
    const send = () => change(owner, id, { externalId: 'ONCE' }, options);
    await Promise.all(Array.from({ length: 10 }, send));
    expect((await send()).status).toBe(200);
    expect((await eventsOf(owner)).filter(({ type }) => type === 'DOWNSTREAM_ENTITY_UPDATED')).toHaveLength(
      1,
    );
  });

  it('whatever breaks off and is sent again, there is no change without its event and no event without its change', async () => {
    const owner = await here.carrier();
    const ids = [await added(owner), await added(owner)];
    const state = new Map(ids.map((id) => [id, { externalId: null, producerCode: null } as object]));
    const expected: object[] = [];
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 1 }),
        fc.record(
          {
            externalId: fc.constantFrom('A', 'B', null),
            producerCode: fc.constantFrom('A', 'B', null),
          },
          { requiredKeys: ['externalId'] },
        ),
        fc.constantFrom<Fault>('none', 'before', 'after'),
        fc.boolean(),
        async (which, body, fault, isRepeated) => {
          const id = ids[which] ?? '';
          const options = { identity: caller(owner), ...keyed()() };
          const send = () => change(owner, id, body, options);
          const faultOf = (command: string) => (command === 'TransactWriteItemsCommand' ? fault : 'none');
          let answer = await withFaults(faultOf, send);
          if (answer.status === 500) answer = await send();
          if (isRepeated) expect((await send()).status).toBe(answer.status);
          if (answer.status !== 200) return expect(answer.status).toBe(409);
          const before = state.get(id);
          const after = { ...before, ...body };
          state.set(id, after);
          if (JSON.stringify(before) !== JSON.stringify(after)) {
            expected.push({ downstreamEntityAssociationId: id, ...after });
          }
          expect(answer.data).toMatchObject(after);
        },
      ),
      { numRuns: 60 },
    );
    const events = (await eventsOf(owner)).filter(({ type }) => type === 'DOWNSTREAM_ENTITY_UPDATED');
    expect(events.map(({ payload }) => payload)).toMatchObject(expected);
    expect(events).toHaveLength(expected.length);
  });
});
