import { writeFile } from 'node:fs/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createAssociationStore } from '#domain/associations/store.ts';
import { createContactStore } from '#domain/contacts/store.ts';
import { partitionOf } from '#domain/registry-records/stored.ts';
import { associationsTable, contactsTable, registryRecordsTable } from '#domain/tables.ts';
import { collect } from '#platform/data/concurrently.ts';
import { tableOf } from '#platform/data/table.ts';
import type { ImportOutcome } from '../../functions/import/run/import-records.ts';
import { type Invoke, resultOf } from '../../infra/admin/functions.ts';
import { importFile } from '../../infra/admin/import-file.ts';
import { dynamodbService } from '../../infra/local/aws/dynamodb-service.ts';
import { createAwsEndpoint } from '../../infra/local/aws/endpoint.ts';
import { openListener } from '../../infra/local/listener.ts';
import { list } from '../support/agents-tests.ts';
import { type IndexLag, laggingIndexes } from '../support/aws-faults/index-lag.ts';
import {
  id as agentId,
  clock,
  importLines as importAgents,
  newOwner,
  tables,
} from '../support/carrier-records.ts';
import { everyItem } from '../support/every-item.ts';
import { agent, associationWith, contact as contactLine, transaction } from '../support/import-lines.ts';
import { importFunctionOf, recordsInto } from '../support/imports.ts';
import { organizationsIn } from '../support/organizations.ts';
import {
  agencyNpn,
  answerOf,
  answersOf,
  appointed,
  associationId,
  licensed,
  newCarrier,
  producerNpn,
  question,
  unlicensedNpn,
} from '../support/sale-checks-tests.ts';
import { id, scopesIn } from '../support/scopes.ts';
import { accessKeyId, createTables, databaseCalls, dynamo, dynamoSettings } from '../support/tables.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/**
 * A client of the integration tests' DynamoDB Local whose indexes lag behind their tables. Writes past this client are
 * visible at once.
 */
async function laggingClient(lagOf: IndexLag) {
  const listener = await openListener(0);
  const engine = { endpoint: process.env['TEST_DYNAMODB_ENDPOINT'] ?? '', accessKeyId };
  listener.serve(
    createAwsEndpoint({
      callers: new Map([[accessKeyId, { name: 'test', statements: 'everything' }]]),
      services: { dynamodb: dynamodbService(engine) },
      middleware: laggingIndexes(engine, lagOf),
      onGrantUsed: () => undefined,
      onRefusal: () => undefined,
    }),
  );
  const client = new DynamoDBClient({ ...dynamoSettings(), endpoint: listener.address });
  return {
    client,
    async close(): Promise<void> {
      client.destroy();
      await listener.close();
    },
  };
}

// Lines that cannot be read, and what is answered of those whom they are about.
describe('import rows', () => {
  /** Imports lines a minute after everything before: each import is a command of its own. */
  function imported(owner: string, lines: readonly object[], chunk: object = {}): Promise<ImportOutcome> {
    clock.time = new Date(clock.time.getTime() + 60_000);
    return recordsInto(tables, () => clock.time)(owner, lines, chunk);
  }

  /** What is answered of a seller, without warnings. */
  const asked = async (owner: string, npn: string = producerNpn, fields: object = {}) =>
    (await answerOf(owner, question({ seller: { npn }, ...fields }))).filter(
      (one) => one?.startsWith('(') !== true,
    );

  test('a line that cannot be read is rejected with its field, value, and the accepted form; the others go in', async () => {
    const owner = await newCarrier();
    const { imported: count, rejected } = await imported(owner, [
      licensed(producerNpn, { status: 'Revoked' }),
      licensed(unlicensedNpn, { expirationDate: '13/45/2024' }),
      licensed(unlicensedNpn, { stateCode: 'XX' }),
      licensed(unlicensedNpn, { status: undefined }),
      appointed(unlicensedNpn, { carrierName: null, companyCode: null }),
      { ...appointed(unlicensedNpn), npn: 'unknown' },
      licensed(unlicensedNpn, { validFrom: '2026-01-01' }),
    ]);
    expect(count).toBe(1);
    const message = expect.any(String) as unknown;
    expect(rejected).toEqual([
      {
        line: 2,
        issues: [
          {
            path: 'expirationDate',
            value: '13/45/2024',
            message: 'must be a date such as 2026-03-01, or a date-time such as 2026-03-01T14:05:09Z',
          },
        ],
      },
      {
        line: 3,
        issues: [{ path: 'stateCode', value: 'XX', message: 'is not a state code such as TX' }],
      },
      { line: 4, issues: [{ path: 'status', message: 'is required' }] },
      { line: 5, issues: [{ path: 'companyCode', value: null, message }] },
      { line: 6, issues: [{ path: 'npn', value: 'unknown', message: 'must be 1 to 10 digits' }] },
      { line: 7, issues: [{ path: 'validFrom', value: '2026-01-01', message: 'is not a known field' }] },
    ]);
    expect((await asked(owner))[0]).toBe('no');
    expect(await asked(owner, unlicensedNpn)).toEqual([
      'no',
      'seller license_missing',
      'seller appointment_missing',
    ]);
  });

  test('a holder may be named by a license that exactly one has in the state', async () => {
    const owner = await newCarrier(
      licensed('8700201', { licenseNumber: 'W0-77' }),
      licensed('8700202', { licenseNumber: 'W9' }),
      licensed('8700203', { licenseNumber: 'w9' }),
      agent({ npn: '8700201', downstreamEntityAssociationIds: [associationId] }),
    );
    const appointedBy = (licenseNumber: string, fields: object = {}) => ({
      ...appointed(producerNpn),
      npn: undefined,
      licenseNumber,
      ...fields,
    });
    const { npn: _, ...renewed } = licensed(producerNpn, { licenseNumber: 'w077', statusDate: '2026-03-01' });
    const { imported: count, rejected } = await imported(owner, [
      renewed,
      appointedBy('W077'),
      appointedBy('W9'),
      appointedBy('W077', { stateCode: 'FL' }),
      appointedBy('', { licenseNumber: undefined }),
    ]);
    const issue = (value: string, of: string) => [
      { path: 'licenseNumber', value, message: `is that of ${of}: the npn is required` },
    ];
    expect(rejected).toEqual([
      { line: 3, issues: issue('W9', 'several (8700202, 8700203) in TX') },
      { line: 4, issues: issue('W077', 'nobody in FL') },
      {
        line: 5,
        issues: [{ path: 'npn', message: 'is required, or licenseNumber: the holder must be known' }],
      },
    ]);
    expect(count).toBe(2);
    expect(await asked(owner, '8700201')).toEqual(['yes']);
  });

  test('a holder may be named by a license of the same file that no index shows yet', async () => {
    const npn = '8700211';
    const owner = await newCarrier(agent({ npn, downstreamEntityAssociationIds: [associationId] }));
    const lagging = await laggingClient(() => 60_000);
    const importLagging = recordsInto(tables, () => clock.time, undefined, lagging.client);
    const { npn: _, ...unnamed } = appointed(npn);
    const sale = { producerCode: 'P-7731', agentLicenseNumber: 'w-88', agentLicensedState: 'TX' };
    const outcome = await importLagging(owner, [
      { ...unnamed, licenseNumber: 'W-88' },
      licensed(npn, { licenseNumber: 'W88' }),
      transaction('W-1', sale),
    ]);
    await lagging.close();
    expect(outcome).toMatchObject({ rejected: [], matched: { agents: 1 } });
    expect(await asked(owner, npn)).toEqual(['yes']);
  });

  test('a file counts as of its day, whatever was recorded before it', async () => {
    const owner = await newCarrier();
    const ended = licensed(producerNpn, { status: 'Revoked', statusDate: null });
    await imported(owner, [ended], { askedAt: '2026-05-01' });
    expect(await asked(owner, producerNpn, { date: '2026-04-30' })).toEqual(['yes']);
    // What was imported later says that it is in force, but not since when it is again.
    expect(await asked(owner, producerNpn, { date: '2026-05-01' })).toEqual([
      'unknown',
      'seller license_unknown',
    ]);
    await expect(imported(owner, [ended], { askedAt: '2036-05-01' })).rejects.toThrow('askedAt');
  });

  test('lines of one holder in several calls of a command are one statement', async () => {
    const owner = await newCarrier();
    const lines = [
      licensed(unlicensedNpn, { status: 'Revoked', statusDate: '2026-02-01' }),
      licensed(unlicensedNpn, { status: 'active', statusDate: '2026-03-01' }),
      appointed(unlicensedNpn),
    ];
    const [first = {}, ...others] = lines;
    const { commandId, commandAt } = await imported(owner, [first]);
    for (const line of others) await imported(owner, [line], { commandId, commandAt });
    expect(await asked(owner, unlicensedNpn)).toEqual(['yes']);
    expect(await asked(owner, unlicensedNpn, { date: '2026-02-15' })).toEqual([
      'no',
      'seller license_missing',
    ]);
  });

  test('a row with isDeleted never was in what was recorded before', async () => {
    const owner = await newCarrier();
    expect(await asked(owner)).toEqual(['yes']);
    await imported(owner, [licensed(producerNpn, { isDeleted: true })]);
    expect(await asked(owner, producerNpn, { date: '2026-05-01' })).toEqual(['no', 'seller license_missing']);
  });
});

describe('import order', () => {
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

  const association = (_id: string, values: object = {}) =>
    associationWith(_id, agency, { branchName: _id, ...values });

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
        association(a, { externalId: null, producerCode: null }),
        association(c, { externalId: 'n', isDeleted: true }),
        association(e, { externalId: 'n' }),
        association(d, { externalId: 'm' }),
      );
      expect(outcome).toMatchObject({ imported: 5, rejected: [] });
      expect(await externalIds()).toEqual({ k: b, m: d, n: e });
    });

    it('goes to the first of the lines that name it', async () => {
      for (let time = 0; time < 2; time += 1) {
        const [a, b, c] = [id(), id(), id()];
        const code = `code ${time}`;
        await importLines(association(a, { externalId: code }));
        const outcome = await importTwice(
          association(b, { externalId: code }),
          association(c, { externalId: code }),
          association(a, { externalId: null }),
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
        association(b, { externalId: null }),
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
  });

  it('the primary role that one contact of a file gives up is free for another, before or after it', async () => {
    const market = await scopes.association(owner, agency);
    const contact = (email: string, isPrimary: boolean, values: object = {}) =>
      contactLine(
        email,
        [{ downstreamEntityId: agency, downstreamEntityAssociationId: market, isPrimary }],
        values,
      );
    const [a, b, c] = ['a', 'b', 'c'].map((name) => `${name}.${id()}@agency.example`);
    await importLines(contact(a ?? '', true), contact(b ?? '', false));
    for (const [from = '', to = ''] of [
      [a, b],
      [b, a],
    ]) {
      expect(await importTwice(contact(from, false), contact(to, true))).toMatchObject({ rejected: [] });
    }
    expect(await importTwice(contact(b ?? '', true), contact(a ?? '', false))).toMatchObject({
      rejected: [],
    });
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
});

// Files that say all there is of whom they name: what they leave out ends.
describe('a complete file', () => {
  const invoke: Invoke = async (_, payload) =>
    resultOf(await importFunctionOf(tables, () => clock.time)(payload));

  const inFolder = temporaryFolder('complete-');

  const later = (minutes = 1) => {
    clock.time = new Date(clock.time.getTime() + minutes * 60_000);
  };

  async function importComplete(organizationId: string | undefined, ...records: readonly object[]) {
    const file = inFolder('complete.ndjson');
    await writeFile(file, records.map((record) => JSON.stringify(record)).join('\n'));
    later();
    return importFile(invoke, { organizationId, file, complete: true });
  }

  const npns = ['8400000', '8400001'] as const;
  const [npn, other] = npns;

  /** A carrier that has producers with licenses and appointments in Texas. */
  const newRoster = () =>
    newCarrier(
      ...npns.map((one) => agent({ npn: one, downstreamEntityAssociationIds: [associationId] })),
      ...npns.flatMap((one) => [licensed(one), appointed(one)]),
    );

  const otherLicense = (more: object = {}) =>
    licensed(npn, { licenseNumber: '77', linesOfAuthority: [], ...more });

  /** What is answered of a seller in Texas, without warnings. */
  async function asked(owner: string, seller: string, fields: object = {}) {
    later();
    const answer = await answerOf(owner, question({ seller: { npn: seller }, ...fields }));
    return answer.filter((one) => one?.startsWith('(') !== true);
  }

  async function verifiedAt(owner: string): Promise<string | null | undefined> {
    const { checks } = await answersOf(owner, [question({ seller: { npn } })]);
    return checks[0]?.verifiedAt;
  }

  it('what a complete file leaves out of whom it names has ended, of that type alone, and days before stay', async () => {
    const owner = await newRoster();
    const line = licensed(npn, { licenseClassName: 'Adjuster', licenseNumber: '77', linesOfAuthority: [] });
    expect(await importComplete(owner, line)).toMatchObject({ imported: 1, rejected: [] });
    expect(await asked(owner, npn)).toEqual(['no', 'seller license_class_wrong']);
    expect(await asked(owner, npn, { date: '2026-06-01' })).toEqual(['yes']);
    expect(await asked(owner, other)).toEqual(['yes']);
  });

  it('a complete file of licenses and appointments is when they were verified', async () => {
    const owner = await newRoster();
    expect(await verifiedAt(owner)).toBeNull();
    await importComplete(owner, licensed(npn));
    expect(await verifiedAt(owner)).toBeNull();
    await importComplete(owner, ...[npn, agencyNpn].flatMap((one) => [licensed(one), appointed(one)]));
    expect(await verifiedAt(owner)).toBe(clock.time.toISOString());
  });

  it('a rejected line leaves what the file says of its holder partial, so that nothing ends there', async () => {
    const owner = await newRoster();
    const whole = await importComplete(
      owner,
      otherLicense(),
      licensed(npn, { expirationDate: 'soon' }),
      licensed(other, { licenseClassName: 'Adjuster', licenseNumber: '77', linesOfAuthority: [] }),
    );
    expect(whole).toMatchObject({
      imported: 2,
      rejected: [{ line: 2 }],
      notes: [{ line: null, code: 'counted_as_partial', count: 1 }],
    });
    expect(await asked(owner, npn)).toEqual(['yes']);
    expect(await asked(owner, other)).toEqual(['no', 'seller license_class_wrong']);
  });

  it('a line of nobody known leaves all that the file says partial, wherever it stands', async () => {
    const owner = await newRoster();
    const line = { ...otherLicense({ licenseClassName: 'Adjuster' }), upstreamEntityId: owner };
    const nobodys = { ...licensed(npn), upstreamEntityId: id() };
    for (const lines of [
      [line, nobodys],
      [nobodys, line],
    ]) {
      expect(await importComplete(undefined, ...lines)).toMatchObject({ imported: 1 });
      expect(await asked(owner, npn)).toEqual(['yes']);
    }
  });

  it('a holder of whom something cannot be read leaves what the file says of others complete', async () => {
    const owner = await newRoster();
    const records = tableOf(registryRecordsTable, dynamo, tables.registryRecords);
    await records.put({ pk: partitionOf(owner, npn), sk: 'SALE#TX#unreadable' });
    const adjuster = { licenseClassName: 'Adjuster', licenseNumber: '77', linesOfAuthority: [] };
    const further = { ...adjuster, licenseNumber: '78' };
    const outcome = await importComplete(
      owner,
      licensed(other, adjuster),
      licensed(npn, adjuster),
      licensed(other, further),
    );
    expect(outcome).toMatchObject({ imported: 2, rejected: [{ line: 2 }] });
    expect(await asked(owner, other)).toEqual(['no', 'seller license_class_wrong']);
  });

  it('who is in the next complete file again was never gone', async () => {
    const owner = await newRoster();
    await importComplete(owner, otherLicense({ licenseClassName: 'Adjuster' }));
    const left = clock.time.toISOString().slice(0, 10);
    expect((await asked(owner, npn))[0]).toBe('no');
    later(2 * 24 * 60);
    await importComplete(owner, licensed(npn));
    expect(await asked(owner, npn)).toEqual(['yes']);
    expect(await asked(owner, npn, { date: left })).toEqual(['yes']);
  });
});
