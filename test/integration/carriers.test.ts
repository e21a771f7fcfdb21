import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import * as fc from 'fast-check';
import * as z from 'zod/mini';
import { carrierKeys, carrier as carrierSchema } from '#domain/carriers/catalog.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { derivedObjectId } from '#platform/data/keys.ts';
import { carriersFunction } from '../../functions/carriers/function.ts';
import { carrierRoutes } from '../../functions/carriers/routes.ts';
import { carrier as caller, send } from '../support/api-event.ts';
import { testContext } from '../support/context.ts';
import { recordsInto } from '../support/imports.ts';
import { organizationsIn } from '../support/organizations.ts';
import { createTables, databaseCalls, dynamo } from '../support/tables.ts';

const pageSchema = z.object({
  data: z.object({
    items: z.array(carrierSchema),
    total: z.number(),
    page: z.number(),
    limit: z.number(),
    totalPages: z.number(),
  }),
});

/** A new carriers function on a new table. */
async function newFunction() {
  const { carriers: table, organizations } = await createTables(['carriers', 'organizations']);
  let time = Date.UTC(2026, 5, 1);
  const answer = carriersFunction.compose({
    dynamo,
    tables: { carriers: table },
    context: testContext({ now: () => new Date(time) }),
  });
  const ask = (query: Record<string, string> = {}) =>
    send(answer, carrierRoutes.routes.listCarriers, { query, identity: caller });
  const importRecords = recordsInto({ carriers: table, organizations }, () => new Date(time));
  return {
    table,
    organization: await organizationsIn(organizations)(),
    ask,
    list: async (query: Record<string, string> = {}) => {
      const { status, json } = await ask(query);
      expect(status).toBe(200);
      return z.parse(pageSchema, json).data;
    },
    advanceClock: (milliseconds: number) => {
      time += milliseconds;
    },
    /** Imports as an operator does; with an organization, for it. */
    importLines: (records: readonly object[], organizationId?: string) =>
      importRecords(
        organizationId,
        records.map((record) => ({ type: 'carrier', ...record })),
      ),
  };
}

describe('the list of carriers', () => {
  const many = 1_000;
  let carriers: Awaited<ReturnType<typeof newFunction>>;

  const nameOf = (index: number): string => `Insurer ${String(index).padStart(4, '0')} Company`;

  beforeAll(async () => {
    carriers = await newFunction();
    const items = Array.from({ length: many }, (_, index) => {
      const _id = derivedObjectId('test', String(index));
      return toItem({
        ...carrierKeys.carrier(_id),
        _id,
        // Not stored in the order of the names.
        name: nameOf((index * 7_919) % many),
        naicCode: String(10_000 + index),
        // More than a megabyte, which is a database page, in fewer items.
        groupName: 'G'.repeat(1_500),
        domicileStateCode: 'DE',
        status: 'active',
        isDeleted: false,
        createdAt: '2026-06-01T00:00:00.000Z',
        updatedAt: '2026-06-01T00:00:00.000Z',
        recordHash: 'a'.repeat(64),
      });
    });
    for (let at = 0; at < many; at += 25) {
      const batch = items.slice(at, at + 25).map((Item) => ({ PutRequest: { Item } }));
      await dynamo.send(new BatchWriteItemCommand({ RequestItems: { [carriers.table]: batch } }));
    }
  });

  it('loads the carriers once for a hundred concurrent requests', async () => {
    const { calls } = await databaseCalls(async () => {
      await Promise.all(
        Array.from({ length: 50 }, (_, index) => carriers.list({ search: String(10_000 + index) })),
      );
      for (let index = 0; index < 50; index += 1) await carriers.list({ page: String(index + 1) });
    });
    expect(new Set(calls)).toEqual(new Set(['QueryCommand']));
    expect(calls.length).toBeLessThanOrEqual(5);
    const { calls: more } = await databaseCalls(() => carriers.list());
    expect(more).toEqual([]);
  });

  it('is sorted by name across pages', async () => {
    const names: string[] = [];
    for (let page = 1; page <= many / 100; page += 1) {
      const { items, ...counts } = await carriers.list({ page: String(page), limit: '100' });
      expect(counts).toEqual({ total: many, page, limit: 100, totalPages: many / 100 });
      names.push(...items.map(({ name }) => name));
    }
    expect(names).toEqual(Array.from({ length: many }, (_, index) => nameOf(index)));
  });

  it('has 50 per page by default, and none past the last page', async () => {
    expect(await carriers.list()).toMatchObject({ page: 1, limit: 50, total: many, totalPages: many / 50 });
    expect((await carriers.list()).items).toHaveLength(50);
    expect(await carriers.list({ page: String(many / 50 + 1) })).toMatchObject({ items: [], total: many });
  });

  it('is reloaded after a minute', async () => {
    await carriers.list();
    carriers.advanceClock(60_000);
    const { calls } = await databaseCalls(() => carriers.list());
    expect(calls.length).toBeGreaterThan(0);
  });
});

describe('the search', () => {
  const records = [
    { name: 'Beacon Specialty Insurance Company', naicCode: '19437', groupName: 'Beacon Group' },
    { name: 'beacon Specialty Insurance Company', naicCode: '55555' },
    { name: 'Çelik & Söhne Rückversicherung', naicCode: '22314' },
    { name: 'ΟΔΟΣ Mutual', naicCode: '31943' },
    { name: 'Zenith (Bermuda) Ltd. [Surplus]', naicCode: 'AA-3190' },
    { name: 'Gone Insurance Company', naicCode: '19438', isDeleted: true },
  ];
  let carriers: Awaited<ReturnType<typeof newFunction>>;

  beforeAll(async () => {
    carriers = await newFunction();
    expect(await carriers.importLines(records)).toMatchObject({
      imported: records.length,
      rejected: [],
    });
  });

  const names = async (search: string) => (await carriers.list({ search })).items.map(({ name }) => name);

  it.each([
    ['part of a name', 'specialty ins', 2],
    ['part of a name in another case', 'SPECIALTY', 2],
    ['a NAIC code', '19437', 1],
    ['part of several NAIC codes', '1943', 2],
    ['a NAIC code in another case', 'aa-31', 1],
    ['surrounding spaces', '  zenith ', 1],
    ['accents', 'söhne', 1],
    ['combining accents', 'so\u0308hne', 1],
    ['a final sigma', 'οδος', 1],
    ['a sigma within a word', 'οδοσ', 1],
    ['characters of regular expressions', '.*', 0],
    ['brackets', '[surplus]', 1],
    ['its group, which is not searched', 'Beacon Group', 0],
    ['a soft-deleted carrier', 'gone', 0],
  ])('searches for %s', async (_, search, count) => {
    expect(await names(search)).toHaveLength(count);
  });

  it('orders carriers of the same name by ID', async () => {
    const { items } = await carriers.list({ search: 'beacon' });
    expect(items.map(({ _id }) => _id)).toEqual(items.map(({ _id }) => _id).sort());
  });

  it('returns only the documented fields of a carrier', async () => {
    const { text } = await carriers.ask({ search: '19437' });
    expect(JSON.parse(text)).toMatchObject({ data: { total: 1 } });
    const { data } = JSON.parse(text) as { data: { items: unknown[] } };
    expect(data.items).toEqual([
      {
        _id: derivedObjectId('carrier', '19437'),
        name: 'Beacon Specialty Insurance Company',
        naicCode: '19437',
        groupName: 'Beacon Group',
        domicileStateCode: null,
        status: 'active',
      },
    ]);
  });

  it.each([
    ['an empty search', { search: '' }],
    ['a blank search', { search: '   ' }],
    ['a search that is too long', { search: 'a'.repeat(201) }],
    ['a misspelled parameter', { serach: 'beacon' }],
    ['a limit above 100', { limit: '101' }],
  ] as [string, Record<string, string>][])('rejects %s', async (_, query) => {
    expect((await carriers.ask(query)).status).toBe(400);
  });

  it('finds a carrier by any part of its name, in any case', async () => {
    const live = records.filter(({ isDeleted }) => isDeleted !== true);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...live),
        fc.nat(),
        fc.nat(),
        fc.constantFrom('asIs', 'upper', 'lower'),
        async ({ name }, one, other, spelt) => {
          const [start = 0, end = 0] = [one % name.length, other % name.length].sort((a, b) => a - b);
          const part = name.slice(start, end + 1);
          fc.pre(part.trim() !== '');
          const search = { asIs: part, upper: part.toUpperCase(), lower: part.toLowerCase() }[spelt];
          expect(await names(search)).toContain(name);
        },
      ),
    );
  });
});

describe('import of carriers', () => {
  const one = '65f0c1d2e3a4b5c6d7e8f9c1';
  const two = '65f0c1d2e3a4b5c6d7e8f9c2';
  const refusal = { path: 'naicCode', message: expect.stringContaining('is the code of the carrier') };

  it('changes nothing the second time', async () => {
    const { importLines } = await newFunction();
    const records = [
      { name: 'One', naicCode: '1' },
      { name: 'Two', naicCode: '2' },
    ];
    await importLines(records);
    const { calls } = await databaseCalls(() => importLines(records));
    expect(new Set(calls)).toEqual(new Set(['BatchGetItemCommand']));
  });

  it('gives a NAIC code to one live carrier', async () => {
    const { importLines, list } = await newFunction();
    const records = [
      { _id: one, name: 'One', naicCode: '1' },
      { _id: two, name: 'Two', naicCode: '1' },
    ];
    expect(await importLines(records)).toMatchObject({
      imported: 1,
      rejected: [{ line: 2, issues: [refusal] }],
    });
    expect((await list()).items).toMatchObject([{ _id: one }]);
    // Importing the same file again has the same result.
    expect(await importLines(records)).toMatchObject({ rejected: [{ line: 2 }] });
  });

  // A file with an unknown field has it in every line, and its type's fields are many.
  it('names an unknown field without the known ones', async () => {
    const { importLines } = await newFunction();
    const { rejected } = await importLines([{ _id: one, name: 'One', naic: '1' }]);
    expect(rejected[0]?.issues).toContainEqual({ path: 'naic', message: 'is not a known field', value: '1' });
  });

  it('releases the code of a carrier that is deleted or changes its code', async () => {
    const { importLines, list } = await newFunction();
    await importLines([
      { _id: one, name: 'One', naicCode: '1' },
      { _id: two, name: 'Two', naicCode: '2' },
    ]);
    const moved = [
      { _id: one, name: 'One', naicCode: '1', isDeleted: true },
      { _id: two, name: 'Two', naicCode: '5' },
      { _id: '65f0c1d2e3a4b5c6d7e8f9c3', name: 'Three', naicCode: '1' },
      { _id: '65f0c1d2e3a4b5c6d7e8f9c4', name: 'Four', naicCode: '2' },
    ];
    expect(await importLines(moved)).toMatchObject({ imported: 4, rejected: [] });
    const { items } = await list();
    expect(items.map(({ name, naicCode }) => `${name} ${naicCode}`)).toEqual(['Four 2', 'Three 1', 'Two 5']);
    // The code of a restored carrier is in use by another.
    const back = [{ _id: one, name: 'One', naicCode: '1' }];
    expect(await importLines(back)).toMatchObject({ rejected: [{ issues: [refusal] }] });
  });

  it('gives a code to one carrier in concurrent imports', async () => {
    const { importLines, list } = await newFunction();
    const tries = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        importLines([{ _id: `65f0c1d2e3a4b5c6d7e8f9d${index}`, name: `Try ${index}`, naicCode: '7' }]),
      ),
    );
    expect(tries.reduce((sum, { imported }) => sum + imported, 0)).toBe(1);
    expect(await list()).toMatchObject({ total: 1 });
  });

  it('leaves one record after concurrent imports of a carrier', async () => {
    const { importLines, list } = await newFunction();
    const tries = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        importLines([{ _id: one, name: 'One', naicCode: String(index) }]),
      ),
    );
    expect(tries.reduce((sum, { imported }) => sum + imported, 0)).toBeGreaterThan(0);
    const { items } = await list();
    expect(items).toHaveLength(1);
    // Only the carrier's final code is in use.
    const others = ['0', '1', '2', '3', '4'].map((naicCode) => ({ name: `Other ${naicCode}`, naicCode }));
    const { rejected } = await importLines(others);
    expect(rejected).toEqual([{ line: Number(items[0]?.naicCode) + 1, issues: [refusal] }]);
  });

  describe('for an organization', () => {
    const message = expect.stringContaining('The carrier is not changed');
    const known = { line: 1, code: 'not_changed', message, count: 1 };

    it('adds a carrier that nobody has', async () => {
      const { importLines, list, organization } = await newFunction();
      const record = { name: 'Beacon', naicCode: '19437' };
      const added = await importLines([record], organization);
      expect(added).toMatchObject({ imported: 1, rejected: [], ids: [{ line: 1 }] });
      expect(added.notes).toBeUndefined();
      expect((await list()).items).toMatchObject([record]);
      // Importing the same file again changes nothing, and there is nothing to say about it.
      expect(await importLines([record], organization)).toEqual({
        ...added,
        commandId: expect.any(String),
        commandAt: expect.any(String),
      });
    });

    it('changes no carrier that is known, by its id or its code, and says so', async () => {
      const { importLines, list, advanceClock, organization } = await newFunction();
      const [{ ids: derived }] = [await importLines([{ name: 'Beacon', naicCode: '1' }])];
      await importLines([
        { _id: two, name: 'Harbor', naicCode: '2' },
        { _id: one, name: 'Gone', naicCode: '3', isDeleted: true },
      ]);
      const before = await list();
      advanceClock(3_600_000);
      const foreign = [
        { name: 'Totally Different', naicCode: '1' },
        { _id: derived[0]?._id, name: 'Beacon', naicCode: '9' },
        { name: 'Totally Different', naicCode: '2' },
        { _id: two, name: 'Harbor', naicCode: '2', isDeleted: true },
        { _id: one, name: 'Gone', naicCode: '3' },
      ];
      for (const record of foreign) {
        expect(await importLines([record], organization)).toMatchObject({
          imported: 1,
          rejected: [],
          notes: [known],
        });
      }
      expect(await list()).toEqual(before);
      // The id is that of the carrier that is known.
      const [byCode] = [await importLines([foreign[2] ?? {}], organization)];
      expect(byCode.ids).toMatchObject([{ _id: two }]);
      // A code of another carrier makes no second one.
      const second = [{ _id: '65f0c1d2e3a4b5c6d7e8f9c3', name: 'Second', naicCode: '2' }];
      expect(await importLines(second, organization)).toMatchObject({
        imported: 0,
        rejected: [{ line: 1, issues: [refusal] }],
      });
      // The catalog's own import still changes it.
      await importLines([{ name: 'Beacon Specialty', naicCode: '1' }]);
      advanceClock(3_600_000);
      expect((await list({ search: 'Beacon' })).items).toMatchObject([{ name: 'Beacon Specialty' }]);
    });

    it('keeps nobody from adding a carrier that it says is deleted', async () => {
      const { importLines, list, organization } = await newFunction();
      const record = { name: 'Beacon', naicCode: '1' };
      await importLines([{ ...record, isDeleted: true }], organization);
      expect(await importLines([record], organization)).toMatchObject({ imported: 1 });
      expect((await list()).items).toMatchObject([record]);
    });

    it('lets one of several imports at once add a carrier, and the others know it', async () => {
      const { importLines, list, organization } = await newFunction();
      const outcomes = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          importLines([{ name: `Try ${index}`, naicCode: '7' }], organization),
        ),
      );
      expect(outcomes.map(({ imported }) => imported)).toEqual([1, 1, 1, 1, 1, 1]);
      expect(outcomes.filter(({ notes }) => notes === undefined)).toHaveLength(1);
      expect((await list()).total).toBe(1);
    });
  });
});
