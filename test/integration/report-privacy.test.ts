// What the registry's reports say of a person beside licenses, and the PIN of their address, are in no table and in no log.

import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { registryReconciliationFunction } from '../../functions/registry-reconciliation/function.ts';
import { registrySyncFunction } from '../../functions/registry-sync/function.ts';
import { agentsTable } from '../../shared/domain/agents/table.ts';
import { associationsTable } from '../../shared/domain/associations/table.ts';
import { complianceTable } from '../../shared/domain/compliance/table.ts';
import { outboxTable } from '../../shared/domain/events/table.ts';
import { createReportRegistry } from '../../shared/domain/registry/report-registry.ts';
import { registryRecordsTable } from '../../shared/domain/registry-records/table.ts';
import { tablesOf } from '../../shared/domain/tables.ts';
import { functionContext } from '../../shared/platform/config/context.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import { everyItem } from '../support/every-item.ts';
import { queueRecord, testQueue } from '../support/queue-messages.ts';
import { queueJob } from '../support/registry-records.ts';
import { createTables, dynamo } from '../support/tables.ts';

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
let tables: Readonly<Record<'registryRecords' | 'outbox' | 'agents' | 'associations' | 'compliance', string>>;
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
    timeouts: { attemptMs: 60_000, callMs: 60_000, pauseMs: 1 },
    now: () => new Date(),
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
    pollsPerSecond: 1_000,
    mostCallsANight: 1_000,
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
  await reconcile(delivered({ asOf: time, startedAt: time, position: 0, npns: [holder], firstPolls: [] }));
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
