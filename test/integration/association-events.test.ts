import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { eventPayloads } from '../../shared/domain/events/payloads.ts';
import { add, added, change, context, draft, routes } from '../support/associations-tests.ts';
import { eventsFor } from '../support/events.ts';
import { type Fault, withFaults, withLostAnswer } from '../support/faults.ts';
import { risingClock } from '../support/rising-clock.ts';

beforeEach(() => {
  context.controls.now = risingClock();
});

const eventsOf = (owner: string) => eventsFor(context.tables.outbox, owner);

/** A caller whose idempotency keys no other caller uses. */
const caller = (owner: string) => ({
  organizationId: owner,
  category: 'upstreamEntity' as const,
  credentialId: randomUUID(),
});

describe('add and invite emit DOWNSTREAM_ENTITY_CREATED', () => {
  it('with the association as it was created', async () => {
    const owner = await context.carrier();
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
    const invited = await context.ask(owner, routes.inviteAssociation, { body: draft() });
    expect((await eventsOf(owner)).at(1)).toMatchObject({
      type: 'DOWNSTREAM_ENTITY_CREATED',
      payload: {
        downstreamEntityAssociationId: invited.data['downstreamEntityAssociationId'],
        status: 'invited',
      },
    });
  });

  it('for no rejected request', async () => {
    const owner = await context.carrier(1);
    await add(owner);
    expect((await add(owner)).errorType).toBe('invite_limit_reached');
    expect((await add(owner, { downstreamEntityId: 'f'.repeat(24) })).status).toBe(404);
    expect(await eventsOf(owner)).toHaveLength(1);
  });

  it('once for twenty identical concurrent requests, with or without an idempotency key', async () => {
    for (const options of [() => ({}), keyed()]) {
      const owner = await context.carrier();
      const body = draft();
      const identity = caller(owner);
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => add(owner, body, { identity, ...options() })),
      );
      expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(1);
      expect(await eventsOf(owner)).toHaveLength(1);
    }
  });

  it('once if the database’s response is lost and the SDK retries', async () => {
    const owner = await context.carrier();
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
  it('for each change, and not when nothing changed', async () => {
    const owner = await context.carrier();
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

  it('with the resulting values for each of several concurrent changes', async () => {
    const owner = await context.carrier();
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

  it('once for ten concurrent requests with one key, and not again for a later retry', async () => {
    const owner = await context.carrier();
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

  it('exactly once per change, whatever fails and is retried', async () => {
    const owner = await context.carrier();
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
      { numRuns: 8 },
    );
    const events = (await eventsOf(owner)).filter(({ type }) => type === 'DOWNSTREAM_ENTITY_UPDATED');
    expect(events.map(({ payload }) => payload)).toMatchObject(expected);
    expect(events).toHaveLength(expected.length);
  });
});
