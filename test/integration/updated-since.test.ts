import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { upToDate } from '#domain/registry-reconciliation/visit.ts';
import { createRegistryRecords } from '#domain/registry-records/store.ts';
import { registryKeys } from '#domain/registry-records/stored.ts';
import { policiesTable, registryRecordsTable, tablesOf } from '#domain/tables.ts';
import { createUnlessRestored, restoredKey } from '#platform/changes/change-index.ts';
import type { Route } from '#platform/contract/route.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { tableOf } from '#platform/data/table.ts';
import { sk } from '#platform/data/table-design.ts';
import { indexLagFunction } from '../../functions/index-lag/function.ts';
import { testContext } from '../support/context.ts';
import { withInterruption } from '../support/faults.ts';
import {
  type Answer,
  type FollowedTables,
  type Functions,
  followedLists,
  followedTables,
  functionsOn,
  type Item,
  routes,
} from '../support/followed-lists.ts';
import { agency, agent, associationWith, filing, policy } from '../support/import-lines.ts';
import { organizationsIn } from '../support/organizations.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';

const start = Date.parse('2026-07-01T12:00:00.000Z');
const minute = 60_000;
const day = 24 * 60 * minute;

let tables: FollowedTables;
let functions: Functions;
let time: number;
let carrier: string;
let other: string;

/** Lets some time pass. */
const pass = (ms: number): void => {
  time += ms;
};

beforeAll(async () => {
  tables = await followedTables();
  functions = functionsOn(tables, dynamo, () => new Date(time));
});

beforeEach(async () => {
  time = start;
  const newCarrier = organizationsIn(tables.organizations);
  [carrier, other] = [await newCarrier(), await newCarrier()];
});

const id = (): string => newObjectId(new Date());
const at = (ms: number): string => new Date(ms).toISOString();
const npn = (): string => String(10_000_000 + Math.floor(Math.random() * 80_000_000));

const given = async (owner: string | undefined, ...records: readonly object[]): Promise<void> => {
  expect(await functions.importFor(owner, ...records)).toMatchObject({ rejected: [] });
};

const list = (owner: string, route: Route, query: Record<string, string> = {}): Promise<Answer> =>
  functions.ask(owner, route, { query });

/** What a list returns since a time. */
async function since(owner: string, route: Route, ms: number): Promise<readonly Item[]> {
  const { status, data } = await list(owner, route, { updatedSince: at(ms) });
  expect(status).toBe(200);
  return data as readonly Item[];
}

/** A record of each list, and how it is changed and deleted. */
const records = {
  policies: async () => {
    const _id = id();
    const put = (fields: object = {}) => given(carrier, policy(_id, fields));
    await put();
    const change = (fields: object = {}) => put({ riskStateCode: 'OK', ...fields });
    return { _id, change, remove: () => put({ isDeleted: true }) };
  },
  agents: async () => {
    const [_id, number] = [id(), npn()];
    const put = (fields: object = {}) => given(carrier, agent({ _id, npn: number, ...fields }));
    await put();
    const change = (fields: object = {}) => put({ lastName: 'Ortiz', ...fields });
    return { _id, change, remove: () => put({ isDeleted: true }) };
  },
  associations: async () => {
    const [_id, entity] = [id(), id()];
    await given(undefined, agency(entity));
    const put = (fields: object = {}) => given(carrier, associationWith(_id, entity, fields));
    await put();
    const change = (fields: object = {}) => put({ externalId: 'AG-1', ...fields });
    return { _id, change, remove: () => put({ isDeleted: true }) };
  },
  filings: async () => {
    const _id = id();
    const put = (fields: object = {}) => given(carrier, filing(_id, fields));
    await put();
    const change = (fields: object = {}) => put({ namedInsured: 'Acme Paving LLC', ...fields });
    return { _id, change, remove: () => put({ isDeleted: true }) };
  },
};

describe('updated since', () => {
  describe.each(followedLists)('$name', ({ name, route, idOf }) => {
    it('returns what changed since a time, this included, as the list does', async () => {
      const { _id, change } = await records[name]();
      pass(minute);
      const unchanged = await records[name]();
      pass(minute);
      await change();
      const found = await since(carrier, route, time);
      expect(found.map(idOf)).toEqual([_id]);
      const { data } = await list(carrier, route);
      expect(data).toContainEqual(found[0]);
      expect((await since(carrier, route, time - minute)).map(idOf).sort()).toEqual(
        [_id, unchanged._id].sort(),
      );
      expect(await since(carrier, route, time + 1)).toEqual([]);
    });

    it('returns a deleted record by its id and when it was deleted', async () => {
      const { _id, remove } = await records[name]();
      pass(minute);
      await remove();
      expect(await since(carrier, route, time)).toEqual([{ _id, isDeleted: true, updatedAt: at(time) }]);
      expect((await list(carrier, route)).data).toEqual([]);
    });

    it('returns nothing of another organization', async () => {
      await records[name]();
      expect(await since(other, route, start - day)).toEqual([]);
    });

    it('goes by the server’s clock, whatever time an import gives', async () => {
      const { _id, change } = await records[name]();
      pass(minute);
      await change({ updatedAt: '2020-01-01T00:00:00.000Z' });
      expect((await since(carrier, route, time)).map(idOf)).toEqual([_id]);
      pass(minute);
      await change({ updatedAt: at(time + day) });
      expect(await since(carrier, route, time + 1)).toEqual([]);
      const types = { policies: 'policy', agents: 'agent', associations: 'association', filings: 'filing' };
      const { rejected } = await functions.importFor(carrier, {
        type: types[name],
        _id,
        changedAt: at(time),
      });
      expect(JSON.stringify(rejected)).toContain('changedAt');
    });

    it('says in x-updated-until where to go on, two minutes before its start, on every answer', async () => {
      await records[name]();
      const until = at(time - 2 * minute);
      const followed = await list(carrier, route, { updatedSince: at(time) });
      expect((await list(carrier, route)).headers['x-updated-until']).toBe(until);
      expect(followed.headers['x-updated-until']).toBe(until);
      const refused = await list(carrier, route, { updatedSince: 'yesterday' });
      expect(refused.headers).not.toHaveProperty('x-updated-until');
    });

    it('refuses a time before tombstones are kept, and returns them until then', async () => {
      const { _id, remove } = await records[name]();
      await remove();
      const query = { updatedSince: at(time) };
      pass(90 * day);
      expect((await list(carrier, route, query)).data).toEqual([
        { _id, isDeleted: true, updatedAt: query.updatedSince },
      ]);
      pass(1);
      const { status, details } = await list(carrier, route, query);
      expect(status).toBe(400);
      expect(details).toMatchObject({ issues: [{ path: 'updatedSince' }], earliest: at(time - 90 * day) });
    });

    it.each(['yesterday', '2026-07-01', '1782907200'])(
      'refuses %s, which is no time',
      async (updatedSince) => {
        const { status, details } = await list(carrier, route, { updatedSince });
        expect(status).toBe(400);
        expect(details).toEqual({ issues: [{ path: 'updatedSince', message: expect.any(String) }] });
      },
    );

    it('a poll that finds nothing waits for the database once', async () => {
      const { inSequence } = await databaseCalls(() => since(carrier, route, time));
      expect(inSequence).toBe(1);
    });
  });

  const filters = [
    [
      routes.listFilings,
      {
        status: 'filed',
        stateCode: 'TX',
        policyNumber: 'P-1',
        externalReference: 'R-1',
        actionRequired: 'true',
      },
    ],
    [routes.listPolicies, { policyNumber: 'P-1', currentStatus: 'active', riskStateCode: 'TX' }],
    [
      routes.listAgents,
      {
        downstreamEntityAssociationId: '65f0c1d2e3a4b5c6d7e8f901',
        npn: '17654321',
        licenseNumber: '1',
        stateCode: 'TX',
        email: 'a@example.com',
      },
    ],
    [
      routes.listAssociations,
      {
        downstreamEntityNpn: '17654321',
        licenseNumber: '1',
        stateCode: 'TX',
        emailDomain: 'example.com',
        email: 'a@example.com',
      },
    ],
  ] as const;

  it.each(filters)('updatedSince combines with no filter: %j', async (route, values) => {
    for (const [path, value] of Object.entries(values)) {
      const { status, details } = await list(carrier, route, { updatedSince: at(start), [path]: value });
      expect(status).toBe(400);
      expect(details).toEqual({ issues: [{ path, message: "can't be combined with updatedSince" }] });
    }
  });

  it.each([routes.listAgentsV1, routes.listAssociationsV1])(
    'v1 does not know updatedSince: $path',
    async (route) => {
      const answer = await list(carrier, route, { updatedSince: at(start) });
      expect(answer.status).toBe(400);
      expect((await list(carrier, route)).headers).not.toHaveProperty('x-updated-until');
    },
  );

  describe('what was restored to an earlier time', () => {
    it('may be followed from the latest restore of several tables', async () => {
      const restored = [tables.policies, tables.agents].map((name) => tableOf(policiesTable, dynamo, name));
      for (const [index, { name }] of restored.entries()) {
        const Item = toItem({ ...restoredKey({ sortKey: sk }), movedAt: at(time - index * minute) });
        await dynamo.send(new PutItemCommand({ TableName: name, Item }));
      }
      const unlessRestored = createUnlessRestored(restored);
      await expect(unlessRestored(at(time - 10 * minute), (async function* () {})())).rejects.toMatchObject({
        details: { earliest: at(time - 2 * minute) },
      });
      for (const { name } of restored) {
        const Key = toItem(restoredKey({ sortKey: sk }));
        await dynamo.send(new DeleteItemCommand({ TableName: name, Key }));
      }
    });

    /** Calls the schedule that finds that the service uses the table. */
    const useTables = () =>
      indexLagFunction.compose({
        tables: tablesOf(dynamo, tables),
        context: testContext({ now: () => new Date(time) }),
      })();

    it('must be read again as a whole by who followed it before, and can be followed from then on', async () => {
      const key = toItem(restoredKey({ sortKey: sk }));
      const untilHeader = 'x-updated-until';
      const restored = [];
      for (const { name, route, idOf } of followedLists) {
        const { _id, change } = await records[name]();
        const before = await list(carrier, route);
        await dynamo.send(new PutItemCommand({ TableName: tables[name], Item: key }));
        const follow = ({ headers }: typeof before) =>
          list(carrier, route, { updatedSince: String(headers[untilHeader]) });
        restored.push({ TableName: tables[name], route, idOf, _id, change, before, follow });
      }
      pass(minute);
      // Nobody knows yet when the service came to use it.
      for (const { route, before, follow } of restored) {
        for (const answer of [before, await list(carrier, route)]) {
          expect(await follow(answer)).toMatchObject({
            status: 400,
            details: { issues: [{ path: 'updatedSince' }], earliest: null },
          });
        }
      }
      await useTables();
      const inUse = [];
      for (const { before, ...one } of restored) {
        expect(await one.follow(before)).toMatchObject({
          status: 400,
          details: { earliest: at(time - 2 * minute) },
        });
        inUse.push({ ...one, whole: await list(carrier, one.route) });
      }
      pass(minute);
      for (const { change } of inUse) await change();
      await useTables();
      for (const { TableName, idOf, _id, follow, whole } of inUse) {
        const { status, data } = await follow(whole);
        expect(status).toBe(200);
        expect((data as Parameters<typeof idOf>[0][]).map(idOf)).toContain(_id);
        await dynamo.send(new DeleteItemCommand({ TableName, Key: key }));
      }
    });
  });

  it('an association that takes minutes to be written is among what changed since then', async () => {
    const [_id, entity] = [id(), id()];
    await given(undefined, agency(entity));
    await given(carrier, associationWith(_id, entity));
    pass(5 * minute);
    const began = time;
    await withInterruption(
      (command, input) => command === 'GetItemCommand' && JSON.stringify(input).includes(_id),
      async () => pass(5 * minute),
      () =>
        functions.ask(carrier, routes.updateAssociation, {
          params: { downstreamEntityAssociationId: _id },
          body: { externalId: 'AG-1' },
        }),
    );
    const found = await since(carrier, routes.listAssociations, began + minute);
    expect(found.map((item) => item['_id'])).toContain(_id);
  });
});

describe('updated since embedded', () => {
  describe('what is shown with a record is a part of it', () => {
    it('a change of an agency is a change of each association with it, and of no other', async () => {
      const [entity, mine, theirs] = [id(), id(), id()];
      await given(undefined, agency(entity));
      await given(carrier, associationWith(mine, entity));
      await given(other, associationWith(theirs, entity));
      const elsewhere = await records.associations();
      pass(minute);
      await given(undefined, agency(entity, { legalName: 'Panhandle Brokerage' }));
      expect(await since(carrier, routes.listAssociations, time)).toMatchObject([
        { _id: mine, downstreamEntity: { legalName: 'Panhandle Brokerage' } },
      ]);
      expect(await since(other, routes.listAssociations, time)).toMatchObject([{ _id: theirs }]);
      expect(elsewhere._id).not.toBe(mine);
    });

    it('an agency that is deleted takes its associations along, and brings them back', async () => {
      const [entity, mine] = [id(), id()];
      await given(undefined, agency(entity));
      await given(carrier, associationWith(mine, entity));
      pass(minute);
      await given(undefined, agency(entity, { isDeleted: true }));
      expect(await since(carrier, routes.listAssociations, time)).toEqual([
        { _id: mine, isDeleted: true, updatedAt: at(time) },
      ]);
      pass(minute);
      await given(undefined, agency(entity));
      expect(await since(carrier, routes.listAssociations, time)).toMatchObject([
        { _id: mine, status: 'active' },
      ]);
    });

    it('a change of a subscription is a change of the agents and associations that show it', async () => {
      const [entity, mine, number] = [id(), id(), npn()];
      await given(undefined, agency(entity, { npn: number, isNpnRequired: true }));
      await given(carrier, associationWith(mine, entity));
      const agentId = id();
      await given(carrier, agent({ _id: agentId, npn: number }), agent({ npn: npn() }));
      pass(minute);
      const subscriptions = await createRegistryRecords(
        tableOf(registryRecordsTable, dynamo, tables.registryRecords),
      ).subscriptionsOf(carrier, [number]);
      const subscription = subscriptions.get(number);
      if (subscription === undefined) throw new Error('There is no subscription.');
      await tableOf(registryRecordsTable, dynamo, tables.registryRecords).update(
        registryKeys.subscription(carrier, subscription._id),
        upToDate(subscription, true, new Date(time)),
      );
      const shown = { registryDataSubscription: { lastSynchronizationDate: at(time) } };
      expect(await since(carrier, routes.listAgents, time)).toMatchObject([
        { agent: { _id: agentId }, ...shown },
      ]);
      expect(await since(carrier, routes.listAssociations, time)).toMatchObject([{ _id: mine, ...shown }]);
    });

    it('so is a synchronization that is requested', async () => {
      const [entity, mine] = [id(), id()];
      await given(undefined, agency(entity, { npn: npn(), isNpnRequired: true }));
      await given(carrier, associationWith(mine, entity));
      pass(minute);
      const params = { downstreamEntityAssociationId: mine };
      expect((await functions.ask(carrier, routes.syncAssociation, { params })).status).toBe(202);
      expect(await since(carrier, routes.listAssociations, time)).toMatchObject([
        { _id: mine, registryDataSubscription: { entityInfo: { status: 'queued' } } },
      ]);
    });
  });

  it('a change by PATCH is one too', async () => {
    const { _id } = await records.associations();
    pass(minute);
    const params = { downstreamEntityAssociationId: _id };
    await functions.ask(carrier, routes.updateAssociation, { params, body: { producerCode: `C-${_id}` } });
    expect(await since(carrier, routes.listAssociations, time)).toMatchObject([
      { _id, producerCode: `C-${_id}`, updatedAt: at(time) },
    ]);
  });
});
