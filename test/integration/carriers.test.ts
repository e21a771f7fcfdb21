import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import * as fc from 'fast-check';
import { carrierKeys } from '../../shared/domain/carriers/table.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { derivedObjectId } from '../../shared/platform/data/object-id.ts';
import { newFunction } from '../support/carriers-tests.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';

describe('the list of carriers', () => {
  const many = 4_000;
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
  });

  it('loads the carriers once for a hundred concurrent requests', async () => {
    const { calls } = await databaseCalls(async () => {
      await Promise.all(
        Array.from({ length: 50 }, (_, index) => carriers.list({ search: String(10_000 + index) })),
      );
      for (let index = 0; index < 50; index += 1) await carriers.list({ page: String(index + 1) });
    });
    // 8,000 carriers are a few megabytes, and DynamoDB returns at most one per call.
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
