import { eventPayloads } from '#domain/events/payloads.ts';
import {
  actAs,
  changed,
  config,
  entity,
  events,
  eventTypes,
  id,
  importRecords,
  importWithEvents,
  inputs,
  newOwner,
  operatorImportsWithEvents,
  owner,
} from '../support/import-events-tests.ts';
import { agent, associationWith as association, license } from '../support/import-lines.ts';

it('an import emits no events unless requested', async () => {
  const entityId = id();
  const records = [
    agent(),
    entity(entityId),
    association(id(), entityId),
    license(),
    config(),
    { type: 'appointment', npn: '8123456', stateCode: 'TX', companyCode: '19437', status: 'active' },
  ];
  const outcome = await importRecords(owner, records);
  expect(outcome).toMatchObject({ imported: records.length, rejected: [] });
  expect(await events()).toEqual([]);
  // Importing unchanged records emits nothing either.
  const { commandId, commandAt, ...done } = outcome;
  expect(await importWithEvents(...records)).toMatchObject(done);
  expect(await events()).toEqual([]);
});

describe('agents', () => {
  it('emit an event when they are added and for each change', async () => {
    const [at, entityId] = [id(), id()];
    await importRecords(owner, [entity(entityId), association(at, entityId)]);
    const first = agent({ externalId: 'AGT', downstreamEntityAssociationIds: [at] });
    await importWithEvents(first);
    await importWithEvents(first);
    await importWithEvents(agent({ ...first, email: 'maria@example.com' }));
    await importWithEvents(
      agent({ ...first, email: 'maria@example.com', updatedAt: '2026-01-01T00:00:00Z' }),
    );
    await importWithEvents(agent({ ...first, isDeleted: true }));
    await importWithEvents(first);
    const emitted = await events();
    expect(emitted.map(({ type }) => type)).toEqual(['AGENT_CREATED', 'AGENT_UPDATED', 'AGENT_CREATED']);
    expect(emitted[0]?.payload).toEqual({
      agentId: emitted[0]?.entityId,
      npn: '8123456',
      firstName: 'Maria',
      middleName: null,
      lastName: 'Delgado',
      externalId: 'AGT',
      downstreamEntityAssociationIds: [at],
    });
  });

  it('with as many addresses as allowed leave room for their event', async () => {
    const emails = (start: number) =>
      Array.from({ length: 42 }, (_, index) => ({ label: 'w', email: `a${start + index}@example.com` }));
    expect((await importWithEvents(agent({ labeledEmails: emails(0) }))).rejected).toEqual([]);
    const _id = (await events())[0]?.entityId;
    expect((await importWithEvents(agent({ _id, npn: '99', labeledEmails: emails(100) }))).rejected).toEqual(
      [],
    );
    expect(await eventTypes()).toEqual(['AGENT_CREATED', 'AGENT_UPDATED']);
  });

  it('of an agency emit no events', async () => {
    await actAs('downstreamEntity');
    expect((await importWithEvents(agent(), license())).rejected).toEqual([]);
    expect(await events()).toEqual([]);
  });
});

describe('associations', () => {
  it('emit events when they are added, changed, or restored', async () => {
    const [entityId, _id] = [id(), id()];
    const line = association(_id, entityId, { externalId: 'E' });
    await importWithEvents(entity(entityId), line);
    await importWithEvents(line);
    await importWithEvents({ ...line, updatedAt: '2026-01-01T00:00:00Z' });
    await importWithEvents({ ...line, status: 'inactive' });
    await importWithEvents({ ...line, isDeleted: true });
    await importWithEvents(line);
    const emitted = await events();
    expect(emitted.map(({ type }) => type)).toEqual([
      'DOWNSTREAM_ENTITY_CREATED',
      'DOWNSTREAM_ENTITY_UPDATED',
      'DOWNSTREAM_ENTITY_CREATED',
    ]);
    expect(emitted[1]).toMatchObject({
      entityId: _id,
      payload: { externalId: 'E', status: 'inactive', downstreamEntity: { _id: entityId, npn: '17654321' } },
    });
    for (const { payload } of emitted) {
      expect(eventPayloads.DOWNSTREAM_ENTITY_CREATED.parse(payload)).toEqual(payload);
    }
  });
});

describe('a change of an agency', () => {
  it('emits an event for each of its associations, with the new values', async () => {
    const entityId = id();
    const [one, two, three] = [id(), id(), id()];
    const other = await newOwner();
    await importWithEvents(
      entity(entityId),
      association(one, entityId, { branchName: 'A' }),
      association(two, entityId, { branchName: 'B' }),
    );
    await operatorImportsWithEvents(association(three, entityId, { upstreamEntityId: other }));
    const changed = entity(entityId, { legalName: 'Lone Star', npn: '99' });
    await operatorImportsWithEvents(changed);
    await operatorImportsWithEvents(changed);
    await operatorImportsWithEvents({ ...changed, updatedAt: '2026-01-01T00:00:00Z' });
    const updates = [...(await events()), ...(await events(other))].filter(
      ({ type }) => type === 'DOWNSTREAM_ENTITY_UPDATED',
    );
    expect(updates.map(({ entityId: about }) => about).sort()).toEqual([one, two, three].sort());
    for (const { payload } of updates) {
      expect(payload).toMatchObject({ downstreamEntity: { legalName: 'Lone Star', npn: '99' } });
    }
  });

  it('emits an event when it comes with an association, and none for a deleted association', async () => {
    const downstreamEntity = { _id: id(), legalName: 'Gulf Shore', npn: '5' };
    const line = { type: 'association', _id: id(), downstreamEntity };
    await importWithEvents(line);
    await importWithEvents({ ...line, downstreamEntity: { ...downstreamEntity, legalName: 'Gulf Coast' } });
    const deleted = { type: 'downstream-entity', ...downstreamEntity, isDeleted: true };
    await importWithEvents(deleted);
    await importWithEvents({ ...deleted, isDeleted: false });
    expect(await eventTypes()).toEqual([
      'DOWNSTREAM_ENTITY_CREATED',
      'DOWNSTREAM_ENTITY_UPDATED',
      'DOWNSTREAM_ENTITY_CREATED',
    ]);
  });
});

describe('licenses and appointments', () => {
  it('have the compliance of each changed NPN recalculated once', async () => {
    const records = [
      ...Array.from({ length: 20 }, (_, index) => license({ licenseNumber: String(index) })),
      license({ npn: '17654321' }),
    ];
    await importWithEvents(...records);
    expect(await inputs()).toEqual(expect.arrayContaining([changed('8123456'), changed('17654321')]));
    expect(await inputs()).toHaveLength(2);
    await importWithEvents(...records);
    expect(await inputs()).toHaveLength(2);
    await importWithEvents(...records.slice(0, 3), license({ licenseNumber: '3', status: 'inactive' }));
    expect((await inputs()).slice(2)).toEqual([changed('8123456')]);
    await importWithEvents({
      type: 'appointment',
      status: 'active',
      npn: '17654321',
      stateCode: 'TX',
      companyCode: '1',
    });
    expect((await inputs()).slice(3)).toEqual([changed('17654321')]);
  });

  it('have the compliance of their NPN checked for regulatory actions, too', async () => {
    const action = { type: 'regulatory-action', npn: '8123456', stateCode: 'TX', actionId: '1' };
    expect(await importWithEvents(action)).toMatchObject({ imported: 1, rejected: [] });
    await importWithEvents(action);
    expect(await inputs()).toEqual([changed('8123456')]);
  });
});

test('each compliance config that changes has all compliance recalculated, once', async () => {
  const records = [config(), config(), config()];
  await importWithEvents(...records);
  await importWithEvents(...records);
  expect((await events()).map(({ type, payload }) => ({ type, payload }))).toEqual(
    Array(3).fill({ type: 'COMPLIANCE_INPUTS_CHANGED', payload: {} }),
  );
});

it('events of an import are marked', async () => {
  await importWithEvents(agent(), license());
  const emitted = await events();
  expect(emitted).toHaveLength(2);
  for (const { isImported } of emitted) expect(isImported).toBe(true);
});
