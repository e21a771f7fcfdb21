import { importFunction } from '../../functions/import/function.ts';
import type { ImportOutcome } from '../../functions/import/import-records.ts';
import { createAssociationStore } from '../../shared/domain/associations/store.ts';
import { createContactStore } from '../../shared/domain/contacts/store.ts';
import type { License } from '../../shared/domain/registry/resources.ts';
import { setAsidePartition, setAsideRow } from '../../shared/domain/registry-records/set-aside.ts';
import { createRecordedFacts } from '../../shared/domain/registry-records/store.ts';
import { factsAmong, type StoredFacts } from '../../shared/domain/registry-records/stored-facts.ts';
import { associationsTable, contactsTable, registryRecordsTable } from '../../shared/domain/table-designs.ts';
import { tablesOf } from '../../shared/domain/tables.ts';
import { collect } from '../../shared/platform/data/concurrently.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { commandsOn } from '../support/admin.ts';
import { list } from '../support/agents-tests.ts';
import {
  id as agentId,
  clock,
  importLines as importAgents,
  importLines,
  newOwner,
  tables,
} from '../support/carrier-records.ts';
import { newFunction } from '../support/carriers-tests.ts';
import { testContext } from '../support/context.ts';
import { everyItem } from '../support/every-item.ts';
import { holdersIn, reportOf } from '../support/holders.ts';
import { agent, license } from '../support/import-lines.ts';
import { importedBy, recordsInto } from '../support/imports.ts';
import { organizationsIn } from '../support/organizations.ts';
import { recordingLogger } from '../support/recording-logger.ts';
import { action } from '../support/registry-sync-tests.ts';
import { risingClock } from '../support/rising-clock.ts';
import {
  answerOf,
  appointed,
  licensed,
  newCarrier,
  producerNpn,
  question,
  unlicensedNpn,
} from '../support/sale-checks-tests.ts';
import { sampleLicense } from '../support/sample-records.ts';
import { id, scopesIn } from '../support/scopes.ts';
import { createTables, databaseCalls, dynamo } from '../support/tables.ts';

// Lines of licenses and appointments that cannot be read, and what is answered of those whom they are about.
describe('import rows', () => {
  const now = () => clock.time;

  /** Imports lines a minute after everything before: each import is a command of its own. */
  function imported(owner: string, ...lines: readonly object[]): Promise<ImportOutcome> {
    clock.time = new Date(clock.time.getTime() + 60_000);
    return recordsInto(tables, now)(owner, lines);
  }

  /** What is answered of a seller, without warnings. */
  const asked = async (owner: string, npn: string = producerNpn, fields: object = {}) =>
    (await answerOf(owner, question({ seller: { npn }, ...fields }))).filter(
      (one) => one?.startsWith('(') !== true,
    );

  const kept = async (owner: string) =>
    (
      await collect(
        tableOf(registryRecordsTable, dynamo, tables.registryRecords).query(
          setAsideRow,
          setAsidePartition(owner),
        ),
      )
    ).flat();

  const unknown = ['unknown', 'seller row_not_understood'];

  test('a license whose end cannot be read is not one without an end (case 1)', async () => {
    const owner = await newCarrier(appointed(unlicensedNpn));
    const { notes, ...outcome } = await imported(
      owner,
      licensed(unlicensedNpn, { nextRenewalDate: null, expirationDate: '13/45/2024' }),
    );
    expect(outcome).toMatchObject({ imported: 0, setAside: 1, rejected: [] });
    expect(notes).toMatchObject([
      {
        line: 1,
        code: 'row_set_aside',
        message: expect.stringContaining('set aside: expirationDate: must be a date') as unknown,
      },
    ]);
    expect(await asked(owner, unlicensedNpn)).toEqual(unknown);
    const [row] = await kept(owner);
    expect(row).toMatchObject({
      npn: unlicensedNpn,
      kind: 'license',
      stateCode: 'TX',
      by: 'import',
      faults: 'expirationDate',
    });
    expect(row?.written).toContain('"expirationDate":"13/45/2024"');
    expect(await commandsOn(tables, { now })('list-unread', { organizationId: owner })).toMatchObject({
      setAside: [{ npn: unlicensedNpn, faults: ['expirationDate'] }],
    });
  });

  test('a license that began on a day that cannot be read is not known on any day (case 2)', async () => {
    const owner = await newCarrier(appointed(unlicensedNpn));
    await imported(owner, licensed(unlicensedNpn, { issueDate: '2010-13-01' }));
    for (const date of ['2026-07-01', '2022-03-01']) {
      expect(await asked(owner, unlicensedNpn, { date })).toEqual(unknown);
    }
  });

  test('a revoked row that is set aside makes the license that is held doubtful, until a line of its number can be read (case 3)', async () => {
    const owner = await newCarrier();
    expect(await asked(owner)).toEqual(['yes']);
    const revoked = licensed(producerNpn, { status: 'Revoked', statusDate: 'yesterday' });
    await imported(owner, revoked);
    expect(await asked(owner)).toEqual(unknown);
    // The same file again is no news.
    const before = await kept(owner);
    await imported(owner, revoked);
    expect(await kept(owner)).toEqual(before);
    // Nor does a license of another number beside it make it good.
    await imported(owner, revoked, licensed(producerNpn, { licenseNumber: '9', linesOfAuthority: [] }));
    expect(await kept(owner)).toMatchObject([{ faults: 'statusDate' }]);
    expect(await asked(owner)).toEqual(unknown);
    await imported(owner, licensed(producerNpn));
    expect(await asked(owner)).toEqual(['yes']);
    expect(await commandsOn(tables, { now })('list-unread', { organizationId: owner })).toMatchObject({
      setAside: [],
    });
  });

  test('what else stands in the file counts, also a revocation beside an odd row', async () => {
    const owner = await newCarrier();
    const outcome = await imported(
      owner,
      licensed(producerNpn, { status: 'Revoked' }),
      licensed(producerNpn, { licenseNumber: '8', stateCode: 'XX' }),
      appointed(unlicensedNpn, { status: null }),
      appointed(unlicensedNpn, { carrierName: null }),
      { ...appointed(unlicensedNpn), npn: 'unknown' },
      licensed(producerNpn, { licensNumber: '8' }),
    );
    expect(outcome).toMatchObject({
      imported: 1,
      setAside: 3,
      rejected: [
        { line: 5, issues: [{ path: 'npn' }] },
        { line: 6, issues: [{ path: 'licensNumber' }] },
      ],
    });
    expect((await asked(owner))[0]).toBe('no');
  });

  test('a field without which a row can be read is left out, and words that registries write are read', async () => {
    const owner = await newCarrier(appointed(unlicensedNpn));
    const { imported: count, notes } = await imported(
      owner,
      licensed(unlicensedNpn, {
        stateCode: 'tx',
        residencyStatus: 'R',
        licenseNumber: 100_200,
        statusReason: 7,
        licenseClassCode: 'x'.repeat(400),
      }),
    );
    expect(count).toBe(1);
    expect(notes).toMatchObject([
      {
        line: null,
        code: 'field_left_out',
        message: 'licenseClassCode cannot be read, and is left out.',
        count: 1,
      },
    ]);
    expect(await asked(owner, unlicensedNpn)).toEqual(['yes']);
  });

  test('how many rows are set aside is logged once, and nothing that stood in them', async () => {
    const owner = await newCarrier();
    const logger = recordingLogger();
    const line = JSON.stringify(
      licensed(producerNpn, { licenseNumber: 'SECRET-1', expirationDate: 'SECRET-2' }),
    );
    const none = { filings: 'none', licensing: 'none' };
    const answer = importFunction.compose({
      tables: tablesOf(dynamo, { ...none, ...tables }),
      sendMoves: () => Promise.resolve(),
      context: testContext({ logger, now }),
    });
    importedBy(await answer({ organizationId: owner, firstLine: 1, lines: [line, line] }));
    expect(logger.lines).toMatchObject([
      { event: 'rows_set_aside', rows: 2, faults: ['expirationDate'] },
      { event: 'operator_command', setAside: 2 },
    ]);
    expect(JSON.stringify(logger.lines)).not.toContain('SECRET');
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
      const ids = Array.from({ length: 6 }, id);
      await importLines(...ids.map((_id, index) => association(_id, { externalId: `code ${index}` })));
      // Each takes the code of the next one; only the last code is free.
      const shifted = ids.map((_id, index) => association(_id, { externalId: `code ${index + 1}` }));
      expect(await importTwice(...shifted)).toMatchObject({ imported: 6, rejected: [] });
      expect(await externalIds()).toEqual(
        Object.fromEntries(ids.map((_id, index) => [`code ${index + 1}`, _id])),
      );
    });

    it('goes to the first of the lines that name it', async () => {
      for (let time = 0; time < 2; time += 1) {
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
      const [a, ...others] = Array.from({ length: 8 }, id);
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
});

// What an answer about one state reads of the states where its holder is resident.
describe('home states', () => {
  const npn = '8123456';
  const time = risingClock();
  const recordedFacts = () =>
    createRecordedFacts(tableOf(registryRecordsTable, dynamo, tables.registryRecords));
  const poll = (owner: string, report: Parameters<typeof reportOf>[0], of = npn) =>
    holdersIn(tables.registryRecords).poll(owner, of, time, reportOf(report));

  const row = (stateCode: License['stateCode'], fields: Partial<License> = {}) =>
    sampleLicense({ stateCode, residencyStatus: 'non-resident', ...fields });
  const resident = (stateCode: License['stateCode'], fields: Partial<License> = {}) =>
    row(stateCode, { residencyStatus: 'resident', ...fields });

  const inShort = ({ licenses, appointments, closings, actions }: StoredFacts) =>
    [
      ...licenses.map(({ stateCode, what }) => `license ${stateCode} ${what}`),
      ...appointments.map(({ stateCode }) => `appointment ${stateCode}`),
      ...closings.map(({ stateCode, kind }) => `list of ${kind}s ${stateCode}`),
      ...actions.map(({ stateCode, what }) => `action ${stateCode} ${what}`),
    ].sort();

  /** What is read of an owner's holder for an answer about a state. */
  const readFor = async (owner: string, stateCode: License['stateCode']) =>
    inShort(await recordedFacts().factsOf(owner, npn, stateCode));

  it('are read with any state: licenses, their lists, and regulatory actions', async () => {
    const owner = await newOwner();
    await poll(owner, {
      licenses: [resident('KS'), row('TX'), row('OK')],
      appointments: [{ stateCode: 'KS' }, { stateCode: 'TX' }],
      actions: [{ ...action('1', 'Suspension'), stateCode: 'KS' }],
    });
    const home = ['action KS stated', 'license KS stated', 'list of licenses KS'];
    expect(await readFor(owner, 'TX')).toEqual(
      [
        ...home,
        'appointment TX',
        'license TX stated',
        'list of appointments TX',
        'list of licenses TX',
      ].sort(),
    );
    expect(await readFor(owner, 'GA')).toEqual(home);
    // Each fact once, also where the state is at home.
    expect(await readFor(owner, 'KS')).toEqual([...home, 'appointment KS', 'list of appointments KS'].sort());
  });

  it('follow every change in the transaction that records it, with the times of its facts', async () => {
    const owner = await newOwner();
    await poll(owner, { licenses: [resident('KS'), row('TX')] });
    await poll(owner, {
      licenses: [row('TX')],
      actions: [{ ...action('1', 'Revocation'), stateCode: 'KS' }],
    });
    await importLines(owner, [
      license({ stateCode: 'CO', status: 'active', residencyStatus: 'resident' }),
      { type: 'regulatory-action', npn, stateCode: 'KS', actionId: '1', isDeleted: true },
    ]);
    const all = await recordedFacts().factsOf(owner, npn);
    const read = await recordedFacts().factsOf(owner, npn, 'GA');
    const ofHome = <Fact extends { readonly stateCode: string; readonly kind?: string }>(
      facts: readonly Fact[],
    ) => facts.filter(({ stateCode, kind = 'license' }) => stateCode !== 'TX' && kind === 'license');
    expect(inShort(read)).toEqual(
      ['action KS retracted', 'action KS stated', 'license CO stated', 'license KS left out'].concat(
        ['license KS stated', 'list of licenses KS', 'list of licenses KS'].sort(),
      ),
    );
    expect(new Set(read.licenses)).toEqual(new Set(ofHome(all.licenses)));
    expect(new Set(read.closings)).toEqual(new Set(ofHome(all.closings)));
    expect(new Set(read.actions)).toEqual(new Set(all.actions));
  });

  it('are none of a holder without a resident license', async () => {
    const owner = await newOwner();
    await poll(owner, { licenses: [row('TX')] });
    expect(await readFor(owner, 'GA')).toEqual([]);
  });

  it('are read from the facts themselves where these are too long for one item', async () => {
    const owner = await newOwner();
    const licenses = Array.from({ length: 150 }, (_, index) =>
      resident('KS', { licenseNumber: String(index) }),
    );
    await poll(owner, { licenses: [...licenses, row('TX'), row('OK')] });
    const { facts } = (await holdersIn(tables.registryRecords).itemsOf(owner, npn)).get('HOME') ?? {};
    expect(facts).toBeNull();
    const read = await recordedFacts().factsOf(owner, npn, 'TX');
    expect(read.licenses).toHaveLength(152);
    expect(read.closings).toHaveLength(3);
  });

  it('have the times of their facts also where these take several transactions', async () => {
    const owner = await newOwner();
    await poll(owner, {
      licenses: [
        resident('KS'),
        ...Array.from({ length: 60 }, (_, index) => row('TX', { licenseNumber: String(index) })),
      ],
    });
    const known = new Map(
      (await recordedFacts().itemsOf(owner, npn)).map(({ sk, recordedAt }) => [sk, recordedAt]),
    );
    const read = await recordedFacts().itemsOf(owner, npn, 'GA');
    expect(read.map(({ sk }) => String(sk).split('#')[1])).toEqual(['KS', 'KS', 'VISITS']);
    for (const { sk, recordedAt } of read) expect(recordedAt).toBe(known.get(sk));
  });

  it('are read of many holders in one call for a hundred', async () => {
    const owner = await newOwner();
    const npns = Array.from({ length: 3 }, (_, index) => String(9_100_000 + index));
    for (const one of npns) await poll(owner, { licenses: [resident('KS'), row('TX')] }, one);
    let calls = 0;
    dynamo.middlewareStack.add(
      (next, { commandName }) =>
        (args) => {
          if (commandName === 'BatchGetItemCommand') calls += 1;
          return next(args);
        },
      { step: 'initialize', name: 'count' },
    );
    try {
      const read = await recordedFacts().itemsOfAll(owner, [...npns, '9200000'], () => 'TX');
      expect(calls).toBe(1);
      expect(Array.from(read, ([one, items]) => [one, inShort(factsAmong(items)).length])).toEqual([
        ...npns.map((one) => [one, 4]),
        ['9200000', 0],
      ]);
    } finally {
      dynamo.middlewareStack.remove('count');
    }
  });
});
