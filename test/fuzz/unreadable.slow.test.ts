import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { importFunction } from '../../functions/import/function.ts';
import { routeGroups } from '../../infra/function-uses.ts';
import { sampleLines } from '../../infra/samples.ts';
import { tables as designs, tablesOf } from '../../shared/domain/tables.ts';
import { leavesOutRecords, type Route } from '../../shared/platform/contract/route.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { everyItem } from '../support/every-item.ts';
import { inShort } from '../support/extent.ts';
import { importedBy } from '../support/imports.ts';
import { dynamo } from '../support/tables.ts';
import { createKnownIds } from './known-ids.ts';
import { serveApi } from './served-api.ts';

// Of each kind of item that the samples make, one is made unreadable, and every list is read.

type Item = Readonly<Record<string, unknown>>;

let clock = Date.parse('2026-03-01T12:00:00.000Z');
const unreadableKeys: string[] = [];
const ids = createKnownIds();
let api: Awaited<ReturnType<typeof serveApi>>;
let credentials: Awaited<ReturnType<typeof api.credentials>>;

const lists = routeGroups
  .flatMap(({ routes }): [string, Route][] => Object.entries(routes))
  .filter(([, route]) => route.method === 'GET' && route.successor === undefined && leavesOutRecords(route));

async function readList(route: Route) {
  const path = ids.fill(route.path.replaceAll('}', ':0}'));
  const { status, text, headers } = await api.send({
    method: 'GET',
    path,
    headers: route.path.includes('/downstream/') ? credentials.agency : credentials.carrier,
    body: undefined,
  });
  if (status < 300) ids.learn(route.path, text);
  const { data, recordsUnreadable } = JSON.parse(text) as Item;
  return { path, status, data, recordsUnreadable, header: headers['x-records-unreadable'] };
}

/** What every list answers, by its operation. */
async function readLists() {
  clock += 60_000;
  credentials = await api.credentials();
  const found = new Map<string, Awaited<ReturnType<typeof readList>>>();
  for (const [operationId, route] of lists) found.set(operationId, await readList(route));
  return found;
}

beforeAll(async () => {
  api = await serveApi({
    now: () => new Date(clock),
    connections: 1,
    onLog: (line) => {
      const [, key] =
        /"event":"record_unreadable".+?"message":"The \S+ (\S+ \S*) does not match/.exec(line) ?? [];
      if (key !== undefined) unreadableKeys.push(key);
    },
    onFault: () => undefined,
  });
  // The first reading learns the ids with which lists of one record are read.
  await readLists();
}, 300_000);
afterAll(() => api.close());

/** The item with a time that leaves the calendar; undefined for one that has no such time. */
function broken(item: Item): Item | undefined {
  const updatedAt = '+010000-01-01T04:59:59.000Z';
  if (typeof item['updatedAt'] === 'string') return { ...item, updatedAt };
  const [row, ...others] = (item['rows'] ?? []) as readonly Item[];
  return typeof row?.['updatedAt'] === 'string'
    ? { ...item, rows: [{ ...row, updatedAt }, ...others] }
    : undefined;
}

const put = (table: string, item: Item) =>
  dynamo.send(new PutItemCommand({ TableName: table, Item: toItem(item) }));

/** An item, and the name of its table. */
interface Stored {
  readonly table: string;
  readonly item: Item;
}

/** An item of each kind that can be broken so, by its kind; those of each table together. */
async function kindsOfItems(): Promise<ReadonlyMap<string, Stored>[]> {
  const ownerNames = new Map(Object.entries(api.owners).map(([name, id]) => [id, name]));
  const found: ReadonlyMap<string, Stored>[] = [];
  for (const name of Object.keys(designs) as (keyof typeof designs)[]) {
    const kinds = new Map<string, Stored>();
    for (const item of await everyItem(dynamo, api.tables[name])) {
      const [pk, sk] = ['pk', 'sk'].map((key) =>
        String(item[key])
          .replace(/[0-9a-f]{24}|[\d-]+/g, (id) => ownerNames.get(id) ?? '*')
          .replace(/#[A-Z]{2}#/, '#*#'),
      );
      const kind = `${name} ${pk} ${sk?.slice(0, 20)}`;
      if (broken(item) !== undefined && !kinds.has(kind)) kinds.set(kind, { table: api.tables[name], item });
    }
    found.push(kinds);
  }
  return found;
}

it('lists leave out what they cannot read, say so, and show everything else as before', async () => {
  const before = await readLists();
  const tables = (await kindsOfItems()).map((kinds) => [...kinds]);
  const leavingOut = new Set<string>();
  /** Kinds of each table that are made unreadable at once. */
  const ofEach = inShort(2, 1);
  for (let round = 0; tables.some((kinds) => kinds.length > round * ofEach); round += 1) {
    const spoiled = tables.flatMap((kinds) => kinds.slice(round * ofEach, (round + 1) * ofEach));
    for (const [, { table, item }] of spoiled) await put(table, broken(item) ?? item);
    const kinds = spoiled.map(([kind]) => kind);
    const keys = spoiled.map(([, { item }]) => `${item['pk']} ${item['sk'] ?? ''}`);
    unreadableKeys.length = 0;
    for (const [operationId, { path, status, data, recordsUnreadable, header }] of await readLists()) {
      const of = { kinds, operationId };
      if (status === 500) {
        // What a list is of is read by itself, as a record is.
        const isOfSpoiled = spoiled.some(([, { item }]) => path.includes(String(item['_id'])));
        expect({ ...of, path, isOfSpoiled }).toEqual({ ...of, path, isOfSpoiled: true });
      } else if (header === undefined) {
        const { status: wasStatus, data: was } = before.get(operationId) ?? {};
        expect({ ...of, status, data, recordsUnreadable }).toEqual({ ...of, status: wasStatus, data: was });
      } else {
        leavingOut.add(operationId);
        const counted = {
          status: 200,
          header: expect.stringMatching(/^[1-9]\d*$/),
          recordsUnreadable: Number(header),
        };
        expect({ ...of, status, header, recordsUnreadable }).toEqual({ ...of, ...counted });
      }
    }
    expect(keys).toEqual(expect.arrayContaining([...new Set(unreadableKeys)]));
    for (const [, { table, item }] of spoiled) await put(table, item);
  }
  expect([...leavingOut]).toEqual(
    expect.arrayContaining([
      'listPolicies',
      'listAgents',
      'listAssociations',
      'listFilings',
      'listContacts',
      'listContractContainerTemplates',
      'listComplianceConfigs',
      'listPolicyComplianceStatuses',
      'getPolicyComplianceSummary',
      'listAgencyContacts',
      'listAgencyFilings',
      'listAgencyMarkets',
      'listAgencyCorporateRegistrations',
    ]),
  );
}, 600_000);

/** As JSON, without the times of records, which an import may set. */
const withoutTimes = (value: unknown): string | undefined =>
  JSON.stringify(value, (key, member: unknown) =>
    /^(createdAt|updatedAt|lastSynchronizationDate)$/.test(key) ? undefined : member,
  );

it('an import of the records overwrites what lists cannot read', async () => {
  const before = await readLists();
  // Of an organization and an agency, nothing reads these times.
  const kinds = (await kindsOfItems())
    .flatMap((ofTable) => [...ofTable])
    .filter(([kind]) => !/^(organizations|downstreamEntities) /.test(kind));
  for (const [, { table, item }] of kinds) await put(table, broken(item) ?? item);
  const importRecords = importFunction.compose({
    dynamo,
    tables: tablesOf(dynamo, api.tables),
    context: api.context,
  });
  const imported = async (lines: readonly string[], organizationId?: string): Promise<void> => {
    const { rejected } = importedBy(await importRecords({ organizationId, firstLine: 1, lines }));
    expect(rejected).toEqual([]);
  };
  const linesOf = (owner: 'downstream' | 'upstream') =>
    sampleLines(owner, '2026-03-01').map((line) =>
      // What is said of a class has no time but that of its recording.
      line.includes('"type":"class-kind"')
        ? line
        : JSON.stringify({ ...JSON.parse(line), updatedAt: '2026-02-28T12:00:00Z' }),
    );
  const [agency, carrier] = [linesOf('downstream'), linesOf('upstream')];
  // An organization's import changes neither a carrier nor an agency that others work with.
  await imported([...agency, ...carrier].filter((line) => /"type":"(carrier|downstream-entity)"/.test(line)));
  await imported(agency, api.owners.agency);
  await imported(carrier, api.owners.carrier);

  for (const [kind, { table, item }] of kinds) {
    const now = (await everyItem(dynamo, table)).find(({ pk, sk }) => pk === item['pk'] && sk === item['sk']);
    expect({ kind, now: JSON.stringify(now) }).toEqual({ kind, now: expect.not.stringContaining('+010000') });
  }
  for (const [operationId, { status, data, header }] of await readLists()) {
    const was = before.get(operationId);
    expect({ operationId, status, header, data: withoutTimes(data) }).toEqual({
      operationId,
      status: was?.status,
      header: undefined,
      data: withoutTimes(was?.data),
    });
  }
}, 600_000);
