import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import * as fc from 'fast-check';
import * as z from 'zod/mini';
import { createCarriersFunction } from '../../functions/carriers/function.ts';
import { carrierRoutes } from '../../functions/carriers/routes.ts';
import { carrierKeys } from '../../shared/carriers/keys.ts';
import { toItem } from '../../shared/data/dynamo.ts';
import { derivedObjectId } from '../../shared/data/object-id.ts';
import { carriersTable } from '../../shared/data/tables.ts';
import { carrier as carrierSchema } from '../../shared/resources/carrier.ts';
import { apiEvent, carrier as caller, lambdaContext } from '../support/api-event.ts';
import { testContext } from '../support/context.ts';
import { type ImportRecords, importInto } from '../support/imports.ts';
import { createTable, databaseCalls, dynamo } from '../support/tables.ts';

const pageSchema = z.object({
  data: z.object({
    items: z.array(carrierSchema),
    total: z.number(),
    page: z.number(),
    limit: z.number(),
    totalPages: z.number(),
  }),
});

/** A carriers function of its own on a table of its own. */
async function newFunction() {
  const table = await createTable(carriersTable);
  let time = Date.UTC(2026, 5, 1);
  const answer = createCarriersFunction({
    clients: { dynamo },
    tables: { carriers: table },
    context: testContext({ now: () => new Date(time) }),
  });
  const ask = async (query: Record<string, string> = {}) => {
    const event = apiEvent(carrierRoutes.routes.listCarriers, { query, identity: caller });
    const { status, body } = await answer(event, lambdaContext);
    return { status, text: typeof body === 'string' ? body : '' };
  };
  return {
    table,
    ask,
    list: async (query: Record<string, string> = {}) => {
      const { status, text } = await ask(query);
      expect(status).toBe(200);
      return z.parse(pageSchema, JSON.parse(text)).data;
    },
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    importRecords: importInto({ carriers: table }, () => new Date(time)),
  };
}

const importLines = (importRecords: ImportRecords, records: readonly object[]) =>
  importRecords({
    firstLine: 1,
    lines: records.map((record) => JSON.stringify({ type: 'carrier', ...record })),
  });

describe('the list of carriers', () => {
  const many = 8_000;
  let carriers: Awaited<ReturnType<typeof newFunction>>;

  const nameOf = (index: number): string => `Insurer ${String(index).padStart(4, '0')} Company`;

  beforeAll(async () => {
    carriers = await newFunction();
    const items = Array.from({ length: many }, (_, index) => {
      const _id = derivedObjectId('test', String(index));
      return toItem({
        ...carrierKeys.carrier(_id),
        _id,
        // Stored in another order than that of the names.
        name: nameOf((index * 7_919) % many),
        naicCode: String(10_000 + index),
        groupName: null,
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
  }, 60_000);

  it('costs one load for a hundred requests, however many come at once', async () => {
    const { calls } = await databaseCalls(async () => {
      await Promise.all(
        Array.from({ length: 50 }, (_, index) => carriers.list({ search: String(10_000 + index) })),
      );
      for (let index = 0; index < 50; index += 1) await carriers.list({ page: String(index + 1) });
    });
    // 8,000 carriers are a few megabytes, and DynamoDB answers one at a time.
    expect(new Set(calls)).toEqual(new Set(['QueryCommand']));
    expect(calls.length).toBeLessThanOrEqual(5);
    const { calls: more } = await databaseCalls(() => carriers.list());
    expect(more).toEqual([]);
  });

  it('is in the order of names, whatever the page', async () => {
    const names: string[] = [];
    for (let page = 1; page <= many / 100; page += 1) {
      const { items, ...counts } = await carriers.list({ page: String(page), limit: '100' });
      expect(counts).toEqual({ total: many, page, limit: 100, totalPages: many / 100 });
      names.push(...items.map(({ name }) => name));
    }
    expect(names).toEqual(Array.from({ length: many }, (_, index) => nameOf(index)));
  });

  it('has 50 on a page unless told, and none beyond the last', async () => {
    expect(await carriers.list()).toMatchObject({ page: 1, limit: 50, total: many, totalPages: 160 });
    expect((await carriers.list()).items).toHaveLength(50);
    expect(await carriers.list({ page: '161' })).toMatchObject({ items: [], total: many });
  });

  it('is loaded again after a minute', async () => {
    await carriers.list();
    carriers.pass(60_000);
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
    expect(await importLines(carriers.importRecords, records)).toEqual({
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
    ['spaces around it', '  zenith ', 1],
    ['accents', 'söhne', 1],
    ['accents that are characters of their own', 'so\u0308hne', 1],
    ['a sigma that ends a word', 'οδος', 1],
    ['a sigma within one', 'οδοσ', 1],
    ['what is an expression elsewhere', '.*', 0],
    ['brackets', '[surplus]', 1],
    ['its group, which is not searched', 'Beacon Group', 0],
    ['a soft-deleted carrier', 'gone', 0],
  ])('finds by %s', async (_, search, count) => {
    expect(await names(search)).toHaveLength(count);
  });

  it('tells carriers of one name apart by their ids', async () => {
    const { items } = await carriers.list({ search: 'beacon' });
    expect(items.map(({ _id }) => _id)).toEqual(items.map(({ _id }) => _id).sort());
  });

  it('answers the fields of a carrier and no others', async () => {
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
    ['empty', { search: '' }],
    ['spaces', { search: '   ' }],
    ['too long', { search: 'a'.repeat(201) }],
    ['misspelt', { serach: 'beacon' }],
    ['a limit above 100', { limit: '101' }],
  ] as [string, Record<string, string>][])('is refused: %s', async (_, query) => {
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

describe('the import of carriers', () => {
  const one = '65f0c1d2e3a4b5c6d7e8f9c1';
  const two = '65f0c1d2e3a4b5c6d7e8f9c2';
  const refusal = { path: 'naicCode', message: expect.stringContaining('is the code of the carrier') };

  it('changes nothing the second time', async () => {
    const { importRecords } = await newFunction();
    const records = [
      { name: 'One', naicCode: '1' },
      { name: 'Two', naicCode: '2' },
    ];
    await importLines(importRecords, records);
    const { calls } = await databaseCalls(() => importLines(importRecords, records));
    expect(calls).toEqual(['BatchGetItemCommand']);
  });

  it('gives a NAIC code to one live carrier', async () => {
    const { importRecords, list } = await newFunction();
    const records = [
      { _id: one, name: 'One', naicCode: '1' },
      { _id: two, name: 'Two', naicCode: '1' },
    ];
    expect(await importLines(importRecords, records)).toEqual({
      imported: 1,
      rejected: [{ line: 2, issues: [refusal] }],
    });
    expect((await list()).items).toMatchObject([{ _id: one }]);
    // The same file again finds the same.
    expect(await importLines(importRecords, records)).toMatchObject({ rejected: [{ line: 2 }] });
  });

  it('rejects every line of a carrier that can’t be taken in as its last line says', async () => {
    const { importRecords } = await newFunction();
    await importLines(importRecords, [{ _id: one, name: 'One', naicCode: '1' }]);
    const outcome = await importLines(importRecords, [
      { _id: two, name: 'Two', naicCode: '2' },
      { _id: two, name: 'Two', naicCode: '1' },
    ]);
    expect(outcome).toMatchObject({ imported: 0, rejected: [{ line: 1 }, { line: 2 }] });
  });

  it('frees the code of a carrier that is deleted or takes another one, in whatever order', async () => {
    const { importRecords, list } = await newFunction();
    await importLines(importRecords, [
      { _id: one, name: 'One', naicCode: '1' },
      { _id: two, name: 'Two', naicCode: '2' },
    ]);
    const moved = [
      { _id: '65f0c1d2e3a4b5c6d7e8f9c3', name: 'Three', naicCode: '1' },
      { _id: '65f0c1d2e3a4b5c6d7e8f9c4', name: 'Four', naicCode: '2' },
      { _id: one, name: 'One', naicCode: '1', isDeleted: true },
      { _id: two, name: 'Two', naicCode: '5' },
    ];
    expect(await importLines(importRecords, moved)).toEqual({ imported: 4, rejected: [] });
    const { items } = await list();
    expect(items.map(({ name, naicCode }) => `${name} ${naicCode}`)).toEqual(['Four 2', 'Three 1', 'Two 5']);
    // One that comes back finds its code taken.
    const back = [{ _id: one, name: 'One', naicCode: '1' }];
    expect(await importLines(importRecords, back)).toMatchObject({ rejected: [{ issues: [refusal] }] });
  });

  it('gives a code to one carrier when several imports ask for it at once', async () => {
    const { importRecords, list } = await newFunction();
    const tries = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        importLines(importRecords, [
          { _id: `65f0c1d2e3a4b5c6d7e8f9d${index}`, name: `Try ${index}`, naicCode: '7' },
        ]),
      ),
    );
    expect(tries.reduce((sum, { imported }) => sum + imported, 0)).toBe(1);
    expect(await list()).toMatchObject({ total: 1 });
  });

  it('ends in one record when several imports change a carrier at once', async () => {
    const { importRecords, list } = await newFunction();
    const tries = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        importLines(importRecords, [{ _id: one, name: 'One', naicCode: String(index) }]),
      ),
    );
    expect(tries.reduce((sum, { imported }) => sum + imported, 0)).toBeGreaterThan(0);
    const { items } = await list();
    expect(items).toHaveLength(1);
    // Only the code that the carrier ended with is taken.
    const others = ['0', '1', '2', '3', '4'].map((naicCode) => ({ name: `Other ${naicCode}`, naicCode }));
    const { rejected } = await importLines(importRecords, others);
    expect(rejected).toEqual([{ line: Number(items[0]?.naicCode) + 1, issues: [refusal] }]);
  });
});
