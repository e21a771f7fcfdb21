// Shared by the tests of `updatedSince`. Each file that imports it gets its own tables before its first test, and each test
// two new carriers.

import type { Route } from '#platform/contract/route.ts';
import { newObjectId } from '#platform/data/keys.ts';
import {
  type Answer,
  type FollowedTables,
  type Functions,
  followedTables,
  functionsOn,
  type Item,
} from './followed-lists.ts';
import { agency, agent, associationWith, filing, policy } from './import-lines.ts';
import { organizationsIn } from './organizations.ts';
import { dynamo } from './tables.ts';

export const start = Date.parse('2026-07-01T12:00:00.000Z');
export const minute = 60_000;
export const day = 24 * 60 * minute;

export let tables: FollowedTables;
export let functions: Functions;
export let time: number;
export let carrier: string;
export let other: string;

/** Lets some time pass. */
export const pass = (ms: number): void => {
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

export const id = (): string => newObjectId(new Date());
export const at = (ms: number): string => new Date(ms).toISOString();
export const npn = (): string => String(10_000_000 + Math.floor(Math.random() * 80_000_000));

export const given = async (owner: string | undefined, ...records: readonly object[]): Promise<void> => {
  expect(await functions.importFor(owner, ...records)).toMatchObject({ rejected: [] });
};

export const list = (owner: string, route: Route, query: Record<string, string> = {}): Promise<Answer> =>
  functions.ask(owner, route, { query });

/** What a list returns since a time. */
export async function since(owner: string, route: Route, ms: number): Promise<readonly Item[]> {
  const { status, data } = await list(owner, route, { updatedSince: at(ms) });
  expect(status).toBe(200);
  return data as readonly Item[];
}

/** A record of each list, and how it is changed and deleted. */
export const records = {
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
