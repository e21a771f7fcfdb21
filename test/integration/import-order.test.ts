import { createAssociationStore } from '../../shared/domain/associations/store.ts';
import { associationsTable } from '../../shared/domain/associations/table.ts';
import { createContactStore } from '../../shared/domain/contacts/store.ts';
import { contactsTable } from '../../shared/domain/contacts/table.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { list } from '../support/agents-tests.ts';
import { id as agentId, importLines as importAgents, newOwner } from '../support/carrier-records.ts';
import { newFunction } from '../support/carriers-tests.ts';
import { everyItem } from '../support/every-item.ts';
import { agent } from '../support/import-lines.ts';
import { recordsInto } from '../support/imports.ts';
import { organizationsIn } from '../support/organizations.ts';
import { id, scopesIn } from '../support/scopes.ts';
import { createTables, databaseCalls, dynamo } from '../support/tables.ts';

let tables: Record<'associations' | 'contacts' | 'downstreamEntities' | 'registryRecords', string>;
let newOrganization: ReturnType<typeof organizationsIn>;
let importRecords: ReturnType<typeof recordsInto>;
let owner: string;
let agency: string;
let scopes: ReturnType<typeof scopesIn>;

beforeAll(async () => {
  const { organizations, ...others } = await createTables([
    'organizations',
    'associations',
    'contacts',
    'downstreamEntities',
    'registryRecords',
  ]);
  tables = others;
  scopes = scopesIn(tables);
  newOrganization = organizationsIn(organizations);
  importRecords = recordsInto({ ...tables, organizations });
});

beforeEach(async () => {
  owner = await newOrganization('upstreamEntity');
  agency = await scopes.entity();
});

const importLines = (...records: readonly object[]) => importRecords(owner, records);

const association = (_id: string, values: object = {}) => ({
  type: 'association',
  _id,
  downstreamEntityId: agency,
  branchName: _id,
  ...values,
});

/** The owner's associations with external ids, by them: `id` of each. */
async function externalIds(): Promise<Record<string, string>> {
  const store = createAssociationStore(tableOf(associationsTable, dynamo, tables.associations));
  const found = await collect(store.list(owner));
  return Object.fromEntries(
    found.flatMap(({ _id, externalId }) => (externalId === null ? [] : [[externalId, _id]])),
  );
}

/** Imports lines twice: the second time they are answered alike and write nothing. */
async function importTwice(...records: readonly object[]) {
  const first = await importLines(...records);
  const stored = await Promise.all(Object.values(tables).map((table) => everyItem(dynamo, table)));
  const { calls } = await databaseCalls(async () => {
    const { imported, rejected } = await importLines(...records);
    expect({ imported, rejected }).toEqual({ imported: first.imported, rejected: first.rejected });
  });
  expect(calls.filter((call) => /Put|Update|Delete/.test(call))).toEqual([]);
  expect(await Promise.all(Object.values(tables).map((table) => everyItem(dynamo, table)))).toEqual(stored);
  return first;
}

const isTaken = (path: string) => ({
  path,
  message: 'is already used by another association of the organization',
});

describe('a code that one line of a file gives up', () => {
  it('is free for another line, before or after it', async () => {
    const [a, b, c, d, e] = [id(), id(), id(), id(), id()];
    await importLines(
      association(a, { externalId: 'k', producerCode: 'p' }),
      association(b, { externalId: 'm' }),
      association(c, { externalId: 'n' }),
      association(d, { externalId: 'o' }),
    );
    const outcome = await importTwice(
      // As other systems' codes: their case may differ.
      association(b, { externalId: 'k', producerCode: 'P' }),
      association(a),
      association(c, { externalId: 'n', isDeleted: true }),
      association(e, { externalId: 'n' }),
      association(d, { externalId: 'm' }),
    );
    expect(outcome).toMatchObject({ imported: 5, rejected: [] });
    expect(await externalIds()).toEqual({ k: b, m: d, n: e });
  });

  it('is free for another line, however many lines wait for each other', async () => {
    const ids = Array.from({ length: 12 }, id);
    await importLines(...ids.map((_id, index) => association(_id, { externalId: `code ${index}` })));
    // Each takes the code of the next one; only the last code is free.
    const shifted = ids.map((_id, index) => association(_id, { externalId: `code ${index + 1}` }));
    expect(await importTwice(...shifted)).toMatchObject({ imported: 12, rejected: [] });
    expect(await externalIds()).toEqual(
      Object.fromEntries(ids.map((_id, index) => [`code ${index + 1}`, _id])),
    );
  });

  it('goes to the first of the lines that name it', async () => {
    for (let time = 0; time < 4; time += 1) {
      const [a, b, c] = [id(), id(), id()];
      const code = `code ${time}`;
      await importLines(association(a, { externalId: code }));
      const outcome = await importTwice(
        association(b, { externalId: code }),
        association(c, { externalId: code }),
        association(a),
      );
      expect(outcome.rejected).toEqual([{ line: 2, issues: [isTaken('externalId')] }]);
      expect(await externalIds()).toMatchObject({ [code]: b });
    }
  });

  it('does not bring back what a later line of the same record has changed', async () => {
    const [a, b] = [id(), id()];
    await importLines(association(b, { externalId: 'k' }));
    const outcome = await importLines(
      association(a, { externalId: 'k' }),
      association(a, { externalId: 'z' }),
      association(b),
    );
    expect(outcome).toMatchObject({ imported: 3, rejected: [] });
    expect(await externalIds()).toEqual({ z: a });
  });

  it('is refused where two lines would exchange theirs, which no other line suffers from', async () => {
    const [a, b, c] = [id(), id(), id()];
    await importLines(association(a, { externalId: 'k' }), association(b, { externalId: 'm' }));
    const outcome = await importTwice(
      association(a, { externalId: 'm' }),
      association(b, { externalId: 'k' }),
      association(c, { externalId: 'n' }),
    );
    expect(outcome.imported).toBe(1);
    expect(outcome.rejected.map(({ line }) => line)).toEqual([1, 2]);
  });

  it('costs a line that nobody makes way for no further attempt', async () => {
    const [a, ...others] = Array.from({ length: 20 }, id);
    await importLines(association(a ?? '', { externalId: 'k' }));
    const { calls } = await databaseCalls(async () => {
      const outcome = await importLines(...others.map((_id) => association(_id, { externalId: 'k' })));
      expect(outcome).toMatchObject({ imported: 0 });
    });
    expect(calls.filter((call) => call.startsWith('Transact'))).toHaveLength(others.length);
  });
});

it('the primary role that one contact of a file gives up is free for another, before or after it', async () => {
  const market = await scopes.association(owner, agency);
  const contact = (email: string, isPrimary: boolean, values: object = {}) => ({
    type: 'contact',
    firstName: 'Maria',
    lastName: 'Delgado',
    email,
    associations: [{ downstreamEntityId: agency, downstreamEntityAssociationId: market, isPrimary }],
    ...values,
  });
  const [a, b, c] = ['a', 'b', 'c'].map((name) => `${name}.${id()}@agency.example`);
  await importLines(contact(a ?? '', true), contact(b ?? '', false));
  for (const [from = '', to = ''] of [
    [a, b],
    [b, a],
  ]) {
    expect(await importTwice(contact(from, false), contact(to, true))).toMatchObject({ rejected: [] });
  }
  expect(await importTwice(contact(b ?? '', true), contact(a ?? '', false))).toMatchObject({ rejected: [] });
  // An address, too.
  const store = createContactStore(tableOf(contactsTable, dynamo, tables.contacts));
  const [_id, other] = [await store.holdersOf([`ENTITY#${agency}`], a ?? ''), id()];
  const moved = await importTwice(
    contact(a ?? '', false, { _id: other }),
    contact(c ?? '', false, { _id: _id[0] }),
  );
  expect(moved).toMatchObject({ imported: 2, rejected: [] });
  expect(await store.holdersOf([`ENTITY#${agency}`], a ?? '')).toEqual([other]);
});

it('the NPN that one agent of a file gives up is free for another, with or without an id', async () => {
  const organizationId = await newOwner();
  const [g, h] = [agentId(1), agentId(2)];
  await importAgents(organizationId, [agent({ _id: g, npn: '11' }), agent({ _id: h, npn: '12' })]);
  const moved = [agent({ _id: h, npn: '11' }), agent({ npn: '12' }), agent({ _id: g, npn: '13' })];
  const first = await importAgents(organizationId, moved);
  expect(first).toMatchObject({ imported: 3, rejected: [] });
  const agents = await list(organizationId);
  const { calls } = await databaseCalls(async () => {
    expect(await importAgents(organizationId, moved)).toMatchObject({ imported: 3, ids: first.ids });
  });
  expect(calls.filter((call) => /Put|Update|Transact/.test(call))).toEqual([]);
  expect(await list(organizationId)).toEqual(agents);
  expect(agents.filter(({ agent: { _id } }) => _id === h)).toMatchObject([{ agent: { npn: '11' } }]);
});

it('the NAIC code that one carrier of a file gives up is free for another, however many wait for each other', async () => {
  const { importLines: importCarriers, list: listCarriers } = await newFunction();
  const codes = [0, 1, 2, 3, 4, 5];
  const carriers = (add: number) =>
    codes.map((code) => ({ _id: agentId(code + 1), name: `Carrier ${code}`, naicCode: `${code + add}` }));
  await importCarriers(carriers(0));
  expect(await importCarriers(carriers(1))).toMatchObject({ imported: 6, rejected: [] });
  const { items } = await listCarriers();
  expect(items.map(({ naicCode }) => naicCode)).toEqual(['1', '2', '3', '4', '5', '6']);
});
