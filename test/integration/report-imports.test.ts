import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createReportRegistry } from '#domain/registry/report-registry.ts';
import { unreadablePartition, unreadableRow } from '#domain/registry-records/unreadable-rows.ts';
import {
  agentsTable,
  associationsTable,
  complianceTable,
  outboxTable,
  registryRecordsTable,
  tablesOf,
} from '#domain/tables.ts';
import { functionContext } from '#platform/config/context.ts';
import { collect } from '#platform/data/concurrently.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { tableOf } from '#platform/data/table.ts';
import { organizationsTable } from '#platform/data/table-design.ts';
import { importFunction } from '../../functions/import/function.ts';
import { registryReconciliationFunction } from '../../functions/registry-reconciliation/function.ts';
import { registrySyncFunction } from '../../functions/registry-sync/function.ts';
import { type Invoke, resultOf } from '../../infra/admin/functions.ts';
import { importFile } from '../../infra/admin/import-file.ts';
import { clock, now, tables } from '../support/carrier-records.ts';
import { testContext } from '../support/context.ts';
import { everyItem } from '../support/every-item.ts';
import { queueRecord, testQueue } from '../support/queue-messages.ts';
import { recordingLogger } from '../support/recording-logger.ts';
import { queueJob } from '../support/registry-records.ts';
import {
  agencyNpn,
  answerOf,
  answersOf,
  newCarrier,
  producerNpn,
  question,
  unlicensedNpn,
} from '../support/sale-checks-tests.ts';
import { createTables, dynamo } from '../support/tables.ts';

// The registry's reports in XML, as an operator imports them and as a synchronization reads them, and what is kept of them.
describe('report imports', () => {
  const ssn = '999-88-7777';
  const birth = '02/03/1970';

  const license = (fields = '<ACTIVE>Yes</ACTIVE>', number = '0100') => `
  <LICENSE><LICENSE_NUM>${number}</LICENSE_NUM><DATE_ISSUE_LICENSE_ORIG>01/01/2020</DATE_ISSUE_LICENSE_ORIG>
    <DATE_EXPIRE_LICENSE>12/31/2027</DATE_EXPIRE_LICENSE><LICENSE_CLASS>Insurance Producer</LICENSE_CLASS>
    <RESIDENCY_STATUS>R</RESIDENCY_STATUS>${fields}
    <DETAILS><DETAIL><LOA>Casualty</LOA><LOA_CODE>16</LOA_CODE><STATUS>Active</STATUS>
      <AUTHORITY_ISSUE_DATE>01/01/2020</AUTHORITY_ISSUE_DATE></DETAIL></DETAILS></LICENSE>`;

  const appointment = `<APPOINTMENT_INFORMATION><APPOINTMENT><COMPANY_NAME>Beacon Specialty</COMPANY_NAME>
  <LOA_CODE>16</LOA_CODE><STATUS>APPOINTED</STATUS><STATUS_REASON_DATE>01/02/2021</STATUS_REASON_DATE></APPOINTMENT></APPOINTMENT_INFORMATION>`;

  const reportOf = (npn: string, texas: string) => `<PDB><PRODUCER><INDIVIDUAL>
  <ENTITY_BIOGRAPHIC><BIOGRAPHIC><NAME_LAST>MÜLLER</NAME_LAST><NPN>${npn}</NPN><ID_SSN>${ssn}</ID_SSN>
    <DATE_BIRTH>${birth}</DATE_BIRTH></BIOGRAPHIC></ENTITY_BIOGRAPHIC>
  <PRODUCER_LICENSING><LICENSE_INFORMATION><STATE name="TX">${texas}</STATE></LICENSE_INFORMATION></PRODUCER_LICENSING>
  </INDIVIDUAL></PRODUCER></PDB>`;

  let folder: string;
  const logger = recordingLogger();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reports-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const invoke: Invoke = async (_, payload) => {
    const none = { filings: 'none', licensing: 'none' };
    const answer = importFunction.compose({
      tables: tablesOf(dynamo, { ...none, ...tables }),
      sendMoves: () => Promise.resolve(),
      context: testContext({ logger, now }),
    });
    return resultOf(await answer(payload));
  };

  /** Imports reports that were asked for on a day of July 2026, under one root. */
  function importReports(organizationId: string, day: number, ...reports: readonly string[]) {
    const text = `<?xml version="1.0" encoding="ISO-8859-1"?>\n<REPORTS>\n${reports.join('\n')}\n</REPORTS>`;
    return importBytes(organizationId, day, Buffer.from(text, 'latin1'));
  }

  async function importBytes(organizationId: string, day: number, bytes: Buffer) {
    const file = join(folder, `${randomUUID()}.xml`);
    await writeFile(file, bytes);
    if (clock.time < new Date('2026-07-20')) clock.time = new Date('2026-07-20T12:00:00.000Z');
    const askedAt = new Date(Date.UTC(2026, 6, day, 12)).toISOString();
    return importFile(invoke, { organizationId, file, askedAt, rejectedFile: `${file}.rejected` });
  }

  const asked = async (owner: string, npn = producerNpn) =>
    (await answerOf(owner, question({ seller: { npn } }))).filter((one) => one?.startsWith('(') !== true);

  const verifiedAt = async (owner: string) =>
    (await answersOf(owner, [question()])).checks[0]?.verifiedAt?.slice(0, 10);

  test('each report of a file is a visit when the registry was asked, and confirms all that it says', async () => {
    const owner = await newCarrier();
    expect(await asked(owner, unlicensedNpn)).toEqual([
      'no',
      'seller license_missing',
      'seller appointment_missing',
    ]);
    const outcome = await importReports(
      owner,
      10,
      ...[agencyNpn, producerNpn, unlicensedNpn].map((npn) => reportOf(npn, license() + appointment)),
    );
    expect(outcome).toMatchObject({ imported: 3, rejected: [] });
    expect(await asked(owner, unlicensedNpn)).toEqual(['yes']);
    expect(await verifiedAt(owner)).toBe('2026-07-10');
    // It is a complete list.
    await importReports(owner, 12, reportOf(unlicensedNpn, ''));
    expect((await asked(owner, unlicensedNpn))[0]).toBe('no');
  });

  test('bytes that are not in the encoding make their report unreadable, and no other', async () => {
    const owner = await newCarrier();
    const good = reportOf(producerNpn, license() + appointment);
    const bad = Buffer.from(reportOf(unlicensedNpn, license() + appointment), 'latin1');
    const bytes = Buffer.concat([bad, Buffer.from(`\n${good}`)]);
    const fault = [{ path: '', message: 'has bytes that are not in its encoding' }];
    expect(await importBytes(owner, 10, bytes)).toMatchObject({
      imported: 1,
      rejected: [{ line: 1, issues: fault }],
    });
  });

  test('the same report again changes nothing but when it was recorded, and one from before a later visit counts in its place', async () => {
    const owner = await newCarrier();
    const whole = reportOf(producerNpn, license() + appointment);
    await importReports(owner, 12, whole, reportOf(agencyNpn, license() + appointment));
    const held = async () =>
      (await everyItem(dynamo, tables.registryRecords)).filter(
        ({ pk, sk }) => String(pk).startsWith(`${owner}#NPN#`) && String(sk).startsWith('STATEMENT#'),
      );
    const before = await held();
    clock.time = new Date('2026-07-21T12:00:00.000Z');
    expect(await importReports(owner, 12, whole)).toMatchObject({ imported: 1, rejected: [] });
    expect(await held()).toEqual(before);
    // On that day the license was not there; on the day of the later report it was again.
    expect(await importReports(owner, 9, reportOf(producerNpn, ''))).toMatchObject({
      imported: 1,
      rejected: [],
    });
    expect(await asked(owner)).toEqual(['yes']);
    expect(await verifiedAt(owner)).toBe('2026-07-12');
    const file = join(folder, 'later.xml');
    await writeFile(file, whole);
    await expect(importFile(invoke, { organizationId: owner, file })).rejects.toThrow('askedAt');
    await expect(
      importFile(invoke, { organizationId: owner, file, askedAt: '2026-08-01T00:00:00Z' }),
    ).rejects.toThrow('askedAt: is in the future');
  });

  test('what is no report is rejected where it stands, and others of the file count', async () => {
    const owner = await newCarrier();
    const notFound = '<PDB><ERROR><DESCRIPTION>NPN not found</DESCRIPTION></ERROR></PDB>';
    const outcome = await importReports(
      owner,
      10,
      '',
      notFound,
      reportOf(producerNpn, license()),
      '<PDB><PRODUCER>',
    );
    expect(outcome).toMatchObject({
      imported: 1,
      rejected: [
        { line: 4, issues: [{ message: 'says that the registry does not find the NPN' }] },
        { line: 15, issues: [{ message: 'is a report that breaks off' }] },
      ],
    });
    const file = join(folder, 'none.xml');
    await writeFile(file, '<HITLIST/>');
    await expect(
      importFile(invoke, { organizationId: owner, file, askedAt: '2026-06-10T12:00:00Z' }),
    ).rejects.toThrow('file');
  });

  test('a row that cannot be read leaves its state not known, until a report says all again', async () => {
    const owner = await newCarrier();
    await importReports(
      owner,
      10,
      reportOf(producerNpn, license() + license('<ACTIVE>Yes</ACTIVE>', '7') + appointment),
    );
    const odd = license('<ACTIVE/>', '7');
    const { notes } = (await importReports(
      owner,
      11,
      reportOf(producerNpn, license() + odd + appointment),
    )) as { notes: unknown };
    expect(notes).toMatchObject([{ code: 'rows_unreadable', message: expect.stringContaining('status') }]);
    expect(await asked(owner)).toEqual(['unknown', 'seller row_not_understood']);
    const table = tableOf(registryRecordsTable, dynamo, tables.registryRecords);
    expect((await collect(table.query(unreadableRow, unreadablePartition(owner)))).flat()).toMatchObject([
      { npn: producerNpn, faults: 'status' },
    ]);
    await importReports(
      owner,
      13,
      reportOf(producerNpn, license() + license('<ACTIVE>Yes</ACTIVE>', '7') + appointment),
    );
    expect(await asked(owner)).toEqual(['yes']);
  });

  test('numbers of social security and dates of birth are in no table, no log, and no payload of the operators’ program', async () => {
    const owner = await newCarrier();
    const payloads: string[] = [];
    const file = join(folder, 'private.xml');
    const odd = reportOf(producerNpn, license() + license('<ACTIVE/>', '7') + appointment);
    await writeFile(file, `${odd}\n${reportOf('', license())}`);
    await importFile(
      (name, payload) => {
        payloads.push(JSON.stringify(payload));
        return invoke(name, payload);
      },
      { organizationId: owner, file, askedAt: '2026-06-10T12:00:00Z' },
    );
    const stored = await Promise.all(Object.values(tables).map((table) => everyItem(dynamo, table)));
    const all = JSON.stringify([stored, logger.lines, payloads]);
    expect(all).toContain('0100');
    expect(logger.lines.map(({ event }) => event)).toContain('rows_unreadable');
    for (const secret of [ssn, ssn.replaceAll('-', ''), birth, '1970-02-03']) {
      expect(all.includes(secret)).toBe(false);
    }
  });
});

// What the registry's reports say of a person beside licenses, and the PIN of their address, are in no table and in no log.
describe('report privacy', () => {
  const pin = 'pin-4711-secret';
  const secrets =
    /987-?65-?4321|98-?7654329|02\/03\/1970|1970-02-03|02031970|pin-4711|customer-770042|pin_number|customer_number/;
  const [npn, oddNpn] = ['17654321', '17654322'];

  /** Stands in every element that may have something of the kind. */
  const personal = `<ID_SSN>987-65-4321</ID_SSN><SSN>987654321</SSN><ID_FEIN>98-7654329</ID_FEIN><FEIN_OWN>987654329</FEIN_OWN>
  <DATE_BIRTH>02/03/1970</DATE_BIRTH><BIRTH>1970-02-03</BIRTH><DOB>02031970</DOB>`;

  const reportOf = (states: string) => `<?xml version="1.0" encoding="UTF-8"?>
<PDB><TRANSACTION_TYPE><TYPE>PDB</TYPE>${personal}</TRANSACTION_TYPE><ERROR><DESCRIPTION/></ERROR><PRODUCER><INDIVIDUAL>
  <ENTITY_BIOGRAPHIC><BIOGRAPHIC><NAME_LAST>DELGADO</NAME_LAST><NAME_FIRST>MARIA</NAME_FIRST>${personal}</BIOGRAPHIC></ENTITY_BIOGRAPHIC>
  <PRODUCER_LICENSING>${personal}<LICENSE_INFORMATION>${states}</LICENSE_INFORMATION>
    <REGULATORY_ACTION><STATE name="TX">${personal}<ACTION_ID>5150</ACTION_ID><DISPOSITION>Fine</DISPOSITION></STATE></REGULATORY_ACTION>
  </PRODUCER_LICENSING></INDIVIDUAL></PRODUCER></PDB>`;

  const licenseOf = (
    number: string,
    expires: string,
  ) => `<LICENSE>${personal}<LICENSE_NUM>${number}</LICENSE_NUM>
  <LICENSE_CLASS>Insurance Producer</LICENSE_CLASS><DATE_EXPIRE_LICENSE>${expires}</DATE_EXPIRE_LICENSE>
  <DATE_ISSUE_LICENSE_ORIG>04/01/2019</DATE_ISSUE_LICENSE_ORIG><RESIDENCY_STATUS>R</RESIDENCY_STATUS><ACTIVE>Yes</ACTIVE>
  <DETAILS><DETAIL>${personal}<LOA>Casualty</LOA><LOA_CODE>16</LOA_CODE><STATUS>Active</STATUS></DETAIL></DETAILS></LICENSE>`;

  const appointment = `<APPOINTMENT_INFORMATION><APPOINTMENT>${personal}<COMPANY_NAME>Beacon Specialty</COMPANY_NAME>
  <FEIN>75-1234567</FEIN><COCODE>19437</COCODE><STATUS>APPOINTED</STATUS><STATUS_REASON_DATE>01/02/2021</STATUS_REASON_DATE>
  </APPOINTMENT></APPOINTMENT_INFORMATION>`;

  const whole = reportOf(
    `<STATE name="TX">${personal}${licenseOf('0012345', '12/31/9999')}${appointment}</STATE>`,
  );
  const odd = reportOf(
    `<STATE name="TX">${licenseOf('0012345', '13/45/2024')}${licenseOf('777', '12/31/2030')}</STATE>`,
  );

  /** What the registry answers, and how. */
  const bodies = new Map<string, { readonly status: number; readonly body: string }>([
    ['a report', { status: 200, body: whole }],
    ['a report with an odd row', { status: 200, body: odd }],
    ['a report that is cut off', { status: 200, body: whole.slice(0, whole.indexOf('</LICENSE>')) }],
    [
      'a report without licenses',
      { status: 200, body: `<PDB><PRODUCER><INDIVIDUAL>${personal}</INDIVIDUAL></PRODUCER></PDB>` },
    ],
    [
      'an error that repeats the request',
      {
        status: 200,
        body: `<PDB><ERROR><DESCRIPTION>Bad pin_number=${pin} customer_number=customer-770042 for 987-65-4321</DESCRIPTION></ERROR></PDB>`,
      },
    ],
    ['a refusal that repeats the request', { status: 403, body: `pin_number=${pin}` }],
    ['an outage with the report', { status: 503, body: whole }],
    ['not XML', { status: 200, body: `<html>pin_number=${pin} 987-65-4321` }],
  ]);

  let answer = { status: 200, body: '' };
  let urls: string[];
  let server: Server;
  let tables: Readonly<
    Record<'registryRecords' | 'outbox' | 'agents' | 'associations' | 'compliance' | 'organizations', string>
  >;
  let logged: string[];

  beforeAll(async () => {
    server = createServer((request, response) => {
      urls.push(request.url ?? '');
      response.writeHead(answer.status).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => server.close());

  beforeEach(async () => {
    tables = await createTables({
      registryRecords: registryRecordsTable,
      outbox: outboxTable,
      agents: agentsTable,
      associations: associationsTable,
      compliance: complianceTable,
      organizations: organizationsTable,
    });
    [logged, urls] = [[], []];
    for (const stream of [process.stdout, process.stderr]) {
      jest.spyOn(stream, 'write').mockImplementation((chunk) => {
        logged.push(String(chunk));
        return true;
      });
    }
  });
  afterEach(() => jest.restoreAllMocks());

  /** Visits the registry by both workers, as they are deployed, the last time that their messages come. */
  async function visit(holder: string, port = (server.address() as AddressInfo).port): Promise<void> {
    const registry = createReportRegistry({
      address: `http://127.0.0.1:${port}/cgi-bin/`,
      access: {
        current: async () => JSON.stringify({ customerNumber: 'customer-770042', pin }),
        forget: () => undefined,
      },
      timeouts: { attemptMs: 60_000, callMs: 60_000 },
    });
    const common = { tables: tablesOf(dynamo, tables), queue: testQueue };
    const contextOf = (name: string) => functionContext(name, { ENVIRONMENT: 'local' });
    const synchronize = registrySyncFunction.compose({
      ...common,
      registry,
      context: contextOf('registry-sync'),
    });
    const reconcile = registryReconciliationFunction.compose({
      ...common,
      registry,
      send: async () => undefined,
      mostCallsANight: undefined,
      context: contextOf('registry-reconciliation'),
    });
    const delivered = (message: object) => ({
      Records: [queueRecord(randomUUID(), JSON.stringify(message), testQueue.maxReceiveCount)],
    });
    const organizationId = newObjectId(new Date());
    const job = await queueJob(dynamo, tables.registryRecords, {
      organizationId,
      npn: holder,
      jobId: randomUUID(),
    });
    await synchronize(delivered(job));
    const time = new Date().toISOString();
    await reconcile(delivered({ asOf: time, startedAt: time, position: 0, npns: [holder] }));
  }

  const everything = async (): Promise<string> =>
    JSON.stringify(await Promise.all(Object.values(tables).map((table) => everyItem(dynamo, table))));

  test.each([...bodies])('%s', async (name, given) => {
    answer = given;
    await visit(name === 'a report with an odd row' ? oddNpn : npn);
    const [stored, lines] = [await everything(), logged.join('')];
    jest.restoreAllMocks();
    // The test looks at what it should.
    expect(urls[0]).toMatch(secrets);
    expect(lines).toMatch(/"event":"registry_(?:sync|unavailable)"/);
    if (given.body === whole && given.status === 200) {
      for (const known of ['0012345', 'Beacon Specialty', '5150']) expect(stored).toContain(known);
    }
    expect(stored).not.toMatch(secrets);
    expect(lines).not.toMatch(secrets);
  });

  test('a registry that cannot be reached', async () => {
    // Nothing listens there.
    await visit(npn, 1);
    const lines = logged.join('');
    jest.restoreAllMocks();
    expect(lines).toContain('registry_unavailable');
    expect(lines).not.toMatch(secrets);
    expect(await everything()).not.toMatch(secrets);
  });
});
