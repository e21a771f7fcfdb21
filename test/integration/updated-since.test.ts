import { followedLists, routes } from '../support/followed-lists.ts';
import { databaseCalls } from '../support/tables.ts';
import {
  at,
  carrier,
  day,
  functions,
  list,
  minute,
  other,
  pass,
  records,
  since,
  start,
  time,
} from '../support/updated-since-tests.ts';

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
    const types = { policies: 'policy', agents: 'agent', associations: 'association' };
    const { rejected } = await functions.importFor(carrier, { type: types[name], _id, changedAt: at(time) });
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
    expect(details).toMatchObject({ issues: [{ path: 'updatedSince' }] });
  });

  it('returns nothing since a time that is still to come', async () => {
    await records[name]();
    expect(await since(carrier, route, time + day)).toEqual([]);
  });

  it.each(['yesterday', '2026-07-01', '1782907200'])('refuses %s, which is no time', async (updatedSince) => {
    const { status, details } = await list(carrier, route, { updatedSince });
    expect(status).toBe(400);
    expect(details).toMatchObject({ issues: [{ path: 'updatedSince' }] });
  });

  it('returns each of several records once, whatever partition it is in', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => records[name]()));
    const found = await since(carrier, route, time);
    expect(found.map(idOf).sort()).toEqual(made.map(({ _id }) => _id).sort());
  });

  it('a poll that finds nothing waits for the database once', async () => {
    const { inSequence } = await databaseCalls(() => since(carrier, route, time));
    expect(inSequence).toBe(1);
  });
});

const filters = [
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
