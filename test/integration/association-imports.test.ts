import { randomUUID } from 'node:crypto';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as fc from 'fast-check';
import { beginSharing } from '#domain/associations/sharing.ts';
import { createAssociationStore } from '#domain/associations/store.ts';
import { associationKeys, createRelationshipAt } from '#domain/associations/stored.ts';
import { eventPayloads } from '#domain/events/payloads.ts';
import { associationsTable } from '#domain/tables.ts';
import { collect } from '#platform/data/concurrently.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { tableOf } from '#platform/data/table.ts';
import { transact } from '#platform/data/transact.ts';
import type { ImportOutcome } from '../../functions/import/run/import-records.ts';
import { add, added, change, context, draft, imported, routes } from '../support/associations-tests.ts';
import { eventsFor } from '../support/events.ts';
import { everyItem } from '../support/every-item.ts';
import { runs } from '../support/extent.ts';
import { type Fault, withFaults, withInterruption } from '../support/faults.ts';
import { associationWith, namedAgency } from '../support/import-lines.ts';
import { recordsInto } from '../support/imports.ts';
import { organizationsIn } from '../support/organizations.ts';
import { risingClock } from '../support/rising-clock.ts';
import { createTables, databaseCalls, dynamo } from '../support/tables.ts';

describe('association imports', () => {
  let tables: Record<'associations' | 'contacts' | 'downstreamEntities' | 'registryRecords', string>;
  let newOrganization: ReturnType<typeof organizationsIn>;
  let importRecords: ReturnType<typeof recordsInto>;
  let owner: string;
  let agency: string;

  beforeAll(async () => {
    const now = () => new Date();
    const { organizations, ...others } = await createTables([
      'organizations',
      'associations',
      'compliance',
      'contacts',
      'downstreamEntities',
      'fileDocuments',
      'filings',
      'licensing',
      'registryRecords',
    ]);
    tables = others;
    newOrganization = organizationsIn(organizations, now, 1);
    importRecords = recordsInto({ ...tables, organizations }, now);
  });

  beforeEach(async () => {
    [owner, agency] = await Promise.all([
      newOrganization('upstreamEntity'),
      newOrganization('downstreamEntity'),
    ]);
  });

  const importLines = (...records: readonly object[]): Promise<ImportOutcome> =>
    importRecords(owner, records);

  /** As an operator: the agencies of others can be changed, too. */
  const operatorImports = (record: object): Promise<ImportOutcome> => importRecords(undefined, [record]);

  const id = (): string => newObjectId(new Date());
  const store = () => createAssociationStore(tableOf(associationsTable, dynamo, tables.associations));
  const entity = (_id: string, fields: object = {}) =>
    namedAgency(_id, 'Lone Star Brokerage', { npn: '17654321', ...fields });

  async function itemOf(key: Record<string, string>): Promise<Record<string, unknown> | undefined> {
    const { Item } = await dynamo.send(
      new GetItemCommand({ TableName: tables.associations, Key: toItem(key), ConsistentRead: true }),
    );
    return Item && unmarshall(Item);
  }

  const everything = async (): Promise<unknown> => {
    const items = await everyItem(dynamo, tables.associations);
    return items
      .map((item) => JSON.stringify(item, (_, value) => (value instanceof Set ? [...value] : value)))
      .sort();
  };

  const liveCount = async () => (await itemOf(associationKeys.count(owner)))?.['liveCount'];

  describe('the import of associations', () => {
    it('accepts agencies by ID or inline, beyond the plan’s ceiling, once', async () => {
      const [entityId, parent] = [id(), id()];
      const records = [
        entity(entityId),
        {
          type: 'association',
          downstreamEntityId: entityId,
          branchName: 'Austin',
          parentDownstreamEntityAssociationId: parent,
        },
        associationWith(parent, entityId, { externalId: 'E', producerCode: 'P' }),
        { type: 'association', downstreamEntity: { legalName: 'Gulf Shore', npn: '5' }, status: 'inactive' },
      ];
      expect(await importLines(...records)).toMatchObject({ imported: 4, rejected: [] });
      const before = await everything();
      const { calls } = await databaseCalls(async () => {
        expect(await importLines(...records)).toMatchObject({ imported: 4, rejected: [] });
      });
      expect(calls.filter((name) => /Put|Transact|Update|Delete/.test(name))).toEqual([]);
      expect(await everything()).toEqual(before);
      // Two branches of one agency, and an agency whose only association is inactive.
      expect(await liveCount()).toBe(1);
      const found = await collect(store().list(owner));
      expect(found).toHaveLength(3);
      expect(found.find(({ branchName }) => branchName === 'Austin')).toMatchObject({
        parentDownstreamEntityAssociationId: parent,
        agency: { npn: '17654321' },
      });
      expect(await collect(store().ofNpn(owner, '5'))).toMatchObject([{ status: 'inactive' }]);
    });

    it('rejects lines that break a rule, and names the field', async () => {
      const [entityId, first] = [id(), id()];
      const line = { type: 'association', downstreamEntityId: entityId };
      const { imported, rejected } = await importLines(
        entity(entityId),
        { ...line, _id: first, externalId: 'E', producerCode: 'P' },
        { ...line, _id: id(), externalId: 'E' },
        { ...line, _id: id(), producerCode: 'P' },
        { type: 'association', _id: id(), downstreamEntityId: id() },
        { ...line, _id: id(), parentDownstreamEntityAssociationId: id() },
        { type: 'association' },
        { ...line, downstreamEntity: { legalName: 'Two at once' } },
      );
      const paths = rejected.map(({ line: at, issues }) => [at, issues[0]?.path]);
      const sorted = paths.filter(([at]) => Number(at) > 4);
      expect(sorted).toEqual([
        [5, 'downstreamEntityId'],
        [6, 'parentDownstreamEntityAssociationId'],
        [7, ''],
        [8, ''],
      ]);
      // Of the lines with the same code, whichever is stored first gets it.
      const ofCodes = paths.filter(([at]) => Number(at) <= 4).map(([, path]) => path);
      expect(ofCodes.length).toBeGreaterThan(0);
      expect(['externalId', 'producerCode']).toEqual(expect.arrayContaining(ofCodes));
      expect(imported).toBe(8 - rejected.length);
      expect(await liveCount()).toBe(1);
    });

    it('accepts another carrier’s association only from a file without an owner', async () => {
      const [entityId, _id] = [id(), id()];
      await importLines(entity(entityId), { type: 'association', _id, downstreamEntityId: entityId });
      const first = owner;
      owner = await newOrganization('upstreamEntity');
      const { rejected } = await importLines({ type: 'association', _id, downstreamEntityId: entityId });
      expect(rejected).toHaveLength(1);
      expect(await store().find(owner, _id)).toBeUndefined();
      expect(await store().find(first, _id)).toMatchObject({ _id });
    });

    it('releases all that a deleted association held, and claims it again when it is restored', async () => {
      const [entityId, _id] = [id(), id()];
      const line = { type: 'association', _id, downstreamEntityId: entityId, externalId: 'E' };
      await importLines(entity(entityId, { downstreamOrganizationId: agency }), line);
      const keys = [
        associationKeys.externalId(owner, 'E'),
        associationKeys.ofEntity(owner, entityId),
        associationKeys.market(agency, _id),
      ];
      const held = () => Promise.all(keys.map(async (key) => (await itemOf(key)) !== undefined));
      expect(await held()).toEqual([true, true, true]);
      await importLines({ ...line, isDeleted: true });
      expect(await held()).toEqual([false, false, false]);
      expect(await liveCount()).toBe(0);
      expect(await store().find(owner, _id)).toBeUndefined();
      await importLines(line);
      expect(await held()).toEqual([true, true, true]);
      expect(await liveCount()).toBe(1);
      await importLines({ ...line, isDeleted: true });
      // Another one may have its codes by now.
      const [other, restored] = [
        { ...line, _id: id() },
        { ...line, externalId: undefined },
      ];
      expect(await importLines(other, restored)).toMatchObject({ imported: 2 });
    });
  });

  describe('markets follow their agency', () => {
    const hasMarket = async (organizationId: string, associationId: string): Promise<boolean> => {
      const relationshipAt = createRelationshipAt(tableOf(associationsTable, dynamo, tables.associations));
      const caller = { organizationId, category: 'downstreamEntity' as const };
      try {
        return (await relationshipAt(caller, associationId)).upstreamEntityId === owner;
      } catch (error) {
        expect(error).toMatchObject({ reason: 'not_found' });
        return false;
      }
    };

    it.each(['given an organization', 'moved to another organization', 'removed', 'deleted'])(
      'that is %s',
      async (what) => {
        const [entityId, _id, other] = [id(), id(), await newOrganization('downstreamEntity')];
        const start = what === 'given an organization' ? {} : { downstreamOrganizationId: agency };
        await importLines(entity(entityId, start), associationWith(_id, entityId));
        const end = {
          'given an organization': { downstreamOrganizationId: agency },
          'moved to another organization': { downstreamOrganizationId: other, npn: '99' },
          removed: { downstreamOrganizationId: null },
          deleted: { downstreamOrganizationId: agency, isDeleted: true },
        }[what];
        expect((await operatorImports(entity(entityId, end))).rejected).toEqual([]);
        const markets = await Promise.all(
          [agency, other].map((organization) => hasMarket(organization, _id)),
        );
        expect(markets).toEqual([what === 'given an organization', what === 'moved to another organization']);
        const found = await store().find(owner, _id);
        if (what === 'deleted') expect(found).toBeUndefined();
        else expect(found?.agency.npn).toBe(what === 'moved to another organization' ? '99' : '17654321');
      },
    );

    it('are imported when another import has just begun the record of who knows them', async () => {
      const entityId = id();
      const { items } = tableOf(associationsTable, dynamo, tables.associations);
      const outcome = await withInterruption(
        (command, input) =>
          command === 'BatchGetItemCommand' &&
          [tables.associations, entityId].every((text) => JSON.stringify(input).includes(text)),
        () => transact(dynamo, [beginSharing(items, entityId)]),
        () => importLines(entity(entityId)),
      );
      expect(outcome).toMatchObject({ imported: 1, rejected: [] });
    });

    it('are repaired by importing the same file again after a crash', async () => {
      const [entityId, one, two] = [id(), id(), id()];
      await importLines(
        entity(entityId),
        { type: 'association', _id: one, downstreamEntityId: entityId },
        { type: 'association', _id: two, downstreamEntityId: entityId },
      );
      let writes = 0;
      dynamo.middlewareStack.add(
        (next, context) => (args) => {
          if (context.commandName === 'TransactWriteItemsCommand') writes += 1;
          if (writes === 2) throw new Error('crash');
          return next(args);
        },
        { step: 'initialize', name: 'crash' },
      );
      const changed = entity(entityId, { downstreamOrganizationId: agency });
      try {
        await expect(importLines(changed)).rejects.toThrow('crash');
      } finally {
        dynamo.middlewareStack.remove('crash');
      }
      await importLines(changed);
      for (const _id of [one, two]) {
        expect(await store().find(owner, _id)).toMatchObject({
          agency: { downstreamOrganizationId: agency },
        });
        expect(await hasMarket(agency, _id)).toBe(true);
      }
    });
  });

  test('an import of templates changes nothing the second time', async () => {
    const records = [
      { type: 'contract-container-template', name: 'Producer agreement' },
      { type: 'contract-container-template', name: 'Former agreement', isActive: false },
    ];
    expect(await importLines(...records)).toMatchObject({ imported: 2, rejected: [] });
    const before = await everything();
    expect(await importLines(...records)).toMatchObject({ imported: 2, rejected: [] });
    expect(await everything()).toEqual(before);
  });
});

describe('association eins', () => {
  it.each([
    ['75-1234567', '751234567', 201],
    ['751234567', '75-1234567', 201],
    ['75-1234567', '75-1234568', 400],
  ])('an agency with the EIN %s is that with %s: %i', async (stored, ein, expected) => {
    const owner = await context.carrier();
    const downstreamEntityId = newObjectId(new Date());
    const agency = { type: 'downstream-entity', _id: downstreamEntityId, legalName: 'Lone Star Brokerage' };
    await imported(undefined, { ...agency, ein: stored });
    const { status, data } = await add(owner, { downstreamEntityId, ein });
    expect(status).toBe(expected);
    if (status === 201) expect(data).toMatchObject({ downstreamEntity: { _id: downstreamEntityId } });
  });
});

describe('association events', () => {
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

    it('once for six identical concurrent requests, with or without an idempotency key', async () => {
      for (const options of [() => ({}), keyed()]) {
        const owner = await context.carrier();
        const body = draft();
        const identity = caller(owner);
        const answers = await Promise.all(
          Array.from({ length: 6 }, () => add(owner, body, { identity, ...options() })),
        );
        expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(1);
        expect(await eventsOf(owner)).toHaveLength(1);
      }
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
        runs(4, 80),
      );
      const events = (await eventsOf(owner)).filter(({ type }) => type === 'DOWNSTREAM_ENTITY_UPDATED');
      expect(events.map(({ payload }) => payload)).toMatchObject(expected);
      expect(events).toHaveLength(expected.length);
    });
  });
});
