import * as fc from 'fast-check';
import type { ImportOutcome } from '../../functions/import/import-records.ts';
import { eventPayloads } from '../../shared/domain/events/payloads.ts';
import { createReleases, type OutboxEvent, outboxKeys } from '../../shared/domain/events/stored.ts';
import { outboxTable } from '../../shared/domain/table-designs.ts';
import type { OrganizationCategory } from '../../shared/platform/contract/route.ts';
import { newObjectId } from '../../shared/platform/data/keys.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { eventsFor } from '../support/events.ts';
import { everyItem } from '../support/every-item.ts';
import { runs } from '../support/extent.ts';
import { type Fault, withFaults } from '../support/faults.ts';
import { agency, agent, associationWith as association, license } from '../support/import-lines.ts';
import { recordsInto } from '../support/imports.ts';
import { organizationsIn } from '../support/organizations.ts';
import { risingClock } from '../support/rising-clock.ts';
import { createTables, dynamo } from '../support/tables.ts';

let newOwner: ReturnType<typeof organizationsIn>;
let importRecords: ReturnType<typeof recordsInto>;
let outbox: string;
let owner: string;

const now = risingClock();

beforeAll(async () => {
  const tables = await createTables([
    'organizations',
    'agents',
    'associations',
    'compliance',
    'contacts',
    'downstreamEntities',
    'registryRecords',
    'outbox',
  ]);
  outbox = tables.outbox;
  newOwner = organizationsIn(tables.organizations, now);
  importRecords = recordsInto(tables, now);
});

beforeEach(async () => {
  await actAs('upstreamEntity');
});

/** Makes a new organization of this category the owner of the following imports. */
async function actAs(category: OrganizationCategory): Promise<void> {
  owner = await newOwner(category);
}

const id = (): string => newObjectId(new Date());

/** Imports records for the owner with `emitEvents`. */
const importWithEvents = (...records: readonly object[]): Promise<ImportOutcome> =>
  importRecords(owner, records, { emitEvents: true });

/** As an operator, who may change the agencies of several carriers. */
const operatorImportsWithEvents = (...records: readonly object[]): Promise<ImportOutcome> =>
  importRecords(undefined, records, { emitEvents: true });

/** Whether somebody has asked for a release since the last one ended. */
const isReleaseAsked = async (): Promise<boolean> =>
  (await everyItem(dynamo, outbox)).some(
    ({ sk, wantedAt }) => sk === outboxKeys.release().sk && wantedAt !== undefined,
  );

/** Ends a release that found nothing more. */
async function endRelease(): Promise<void> {
  const releases = createReleases(tableOf(outboxTable, dynamo, outbox));
  const run = await releases.begin(now());
  if (run !== undefined) await releases.next(run);
}

/** The events for a carrier, the owner by default. */
const events = (carrier = owner): Promise<OutboxEvent[]> => eventsFor(outbox, carrier);

const eventTypes = async (): Promise<string[]> => (await events()).map(({ type }) => type);

const entity = (_id: string, fields: object = {}) => agency(_id, { npn: '17654321', ...fields });
const config = (fields: object = {}) => ({
  type: 'compliance-config',
  productId: id(),
  productName: 'GL',
  states: [],
  ...fields,
});

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

  it('emit one event in concurrent imports', async () => {
    const records = Array.from({ length: 10 }, (_, index) => agent({ npn: String(500 + index) }));
    await Promise.all([
      importWithEvents(...records),
      importWithEvents(...records),
      importWithEvents(...records),
    ]);
    expect(await eventTypes()).toEqual(records.map(() => 'AGENT_CREATED'));
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

  it('emit exactly one event per change, whatever fails and is imported again', async () => {
    const expected: string[] = [];
    let held: string | undefined;
    const record = fc.record({
      firstName: fc.constantFrom('Maria', 'Marie'),
      externalId: fc.constantFrom('A', null),
      isDeleted: fc.boolean(),
    });
    const faults = fc.array(fc.constantFrom<Fault>('none', 'before', 'after'), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(record, faults, async ({ isDeleted, ...fields }, faultsInTurn) => {
        const line = agent({ ...fields, ...(isDeleted ? { isDeleted } : {}) });
        for (const fault of [...faultsInTurn, 'none' as const]) {
          const faultOf = (command: string) => (command === 'TransactWriteItemsCommand' ? fault : 'none');
          await withFaults(faultOf, () => importWithEvents(line)).catch(() => undefined);
        }
        const says = isDeleted ? undefined : JSON.stringify(fields);
        if (says !== undefined && says !== held) expected.push(held === undefined ? 'CREATED' : 'UPDATED');
        held = says;
      }),
      runs(3),
    );
    expect(await eventTypes()).toEqual(expected.map((word) => `AGENT_${word}`));
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

  it.each(['before', 'after'] as const)(
    'emits one event for each of 12 associations, even if a call fails %s it takes effect',
    async (fault) => {
      const entityId = id();
      const ids = Array.from({ length: 12 }, id);
      await importWithEvents(
        entity(entityId),
        ...ids.map((_id, index) => association(_id, entityId, { branchName: `${index}` })),
      );
      const changed = entity(entityId, { legalName: `Renamed ${fault}` });
      // The failing call is a later one each time, until the import is over before it: each of the first, and then fewer.
      for (let at = 1; ; at += 1 + Math.floor(at / 4)) {
        let call = 0;
        const faultOf = () => {
          call += 1;
          return call === at ? fault : 'none';
        };
        const outcome = await withFaults(faultOf, () => importWithEvents(changed)).catch(() => undefined);
        if (outcome !== undefined && call < at) break;
      }
      const updates = (await events()).filter(({ type }) => type === 'DOWNSTREAM_ENTITY_UPDATED');
      expect(updates.map(({ entityId: about }) => about).sort()).toEqual([...ids].sort());
    },
  );
});

describe('licenses and appointments', () => {
  const inputs = async () => (await events()).map(({ type, payload }) => ({ type, payload }));
  const changed = (npn: string) => ({ type: 'COMPLIANCE_INPUTS_CHANGED', payload: { npn } });

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

  it('emit each change once, even if the import fails or runs concurrently', async () => {
    const records = Array.from({ length: 120 }, (_, index) => license({ licenseNumber: String(index) }));
    let transactions = 0;
    const faultOf = (command: string) => {
      if (command !== 'TransactWriteItemsCommand') return 'none';
      transactions += 1;
      return transactions === 1 ? 'before' : transactions === 2 ? 'after' : 'none';
    };
    await expect(withFaults(faultOf, () => importWithEvents(...records))).rejects.toThrow('broke off');
    await Promise.all([importWithEvents(...records), importWithEvents(...records)]);
    expect(await inputs()).toEqual([changed('8123456')]);
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

it('events of an import wait for their slot behind those of requests', async () => {
  await importWithEvents(agent(), license());
  const emitted = await events();
  expect(emitted).toHaveLength(2);
  for (const { deferred } of emitted) expect(deferred).toBe(true);
});

it('an import that emits events asks for their release at its end, and no other one does', async () => {
  const one = agent();
  const isAskedAfter = async (importing: () => Promise<unknown>): Promise<boolean> => {
    await endRelease();
    await importing();
    return isReleaseAsked();
  };
  expect(await isAskedAfter(() => importRecords(owner, [one]))).toBe(false);
  expect(await isAskedAfter(() => importWithEvents(one))).toBe(false);
  expect(await isAskedAfter(() => importWithEvents({ ...one, firstName: 'Marie' }))).toBe(true);
});
