// Tables of state departments and of carriers, as they are, with the mappings that stand beside them.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { complianceRoutes } from '../../functions/compliance/routes.ts';
import { type Invoke, resultOf } from '../../infra/admin/functions.ts';
import { importFile } from '../../infra/admin/import-file.ts';
import { ask, clock, id, tables } from '../support/carrier-records.ts';
import { agent } from '../support/import-lines.ts';
import { importFunctionOf } from '../support/imports.ts';
import { associationId, config, newCarrier, shortAnswersOf } from '../support/sale-checks-tests.ts';

const samples = 'functions/import/samples';

const invoke: Invoke = async (_, payload) =>
  resultOf(await importFunctionOf(tables, () => clock.time)(payload));

/** Imports a sample with the mapping beside it. */
const importSample = (organizationId: string, name: string) =>
  importFile(invoke, {
    organizationId,
    file: `${samples}/${name}`,
    mapping: `${samples}/${name.replace(/\.\w+$/, '')}.mapping.json`,
  });

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tables-'));
});
afterAll(() => rm(folder, { recursive: true }));

const state = (stateCode: string, linesOfAuthority: readonly string[], appointment: string) => ({
  stateCode,
  linesOfAuthority,
  appointment,
  licenseOf: 'agent',
  appointmentOf: 'agent',
});

/** A carrier whose agency has these producers, and that sells one product in four states. */
const carrierWith = (...npns: readonly string[]) =>
  newCarrier(
    config({
      states: [
        { ...state('FL', [], 'required'), licenseOf: 'agency' },
        state('TX', [], 'not required'),
        { ...state('KS', ['16'], 'not required'), homeState: 'ignored' },
      ],
    }),
    ...npns.map((npn) => agent({ _id: undefined, npn, downstreamEntityAssociationIds: [associationId] })),
  );

/** One with the producers of the tables that say nothing of anybody else. */
let shared: string;

beforeAll(async () => {
  const ofTables = { '8700011': 3, '8700021': 2, '8700031': 4 };
  const npns = Object.entries(ofTables).flatMap(([first, count]) =>
    Array.from({ length: count }, (_, index) => String(Number(first) + index)),
  );
  shared = await carrierWith(...npns);
});

const answers = async (owner: string, stateCode: string, npns: readonly string[]) => {
  clock.time = new Date(clock.time.getTime() + 60_000);
  const checks = npns.map((npn) => ({ seller: { npn }, product: { productCode: 'CGL' }, stateCode }));
  return (await shortAnswersOf(owner, checks)).map((answer) =>
    answer.filter((one) => !one.startsWith('agency') && !one.startsWith('(')),
  );
};

it('a list of appointments of a state is read by the names of its companies', async () => {
  const npns = ['8700011', '8700012', '8700013'];
  expect(await importSample(shared, 'state-appointments.csv')).toMatchObject({ imported: 3, rejected: [] });
  expect((await answers(shared, 'FL', npns)).map(([, ...reasons]) => reasons)).toEqual([
    [],
    ['seller appointment_ended'],
    ['seller appointment_missing'],
  ]);
});

it('nobody is licensed by a roster that has no status', async () => {
  const npns = ['8700021', '8700022'];
  expect(await importSample(shared, 'state-roster.csv')).toMatchObject({
    imported: 0,
    rejected: [2, 3].map((line) => ({ line, issues: [{ path: 'status', message: 'is required' }] })),
  });
  expect(await answers(shared, 'TX', npns)).toEqual([
    ['no', 'seller license_missing'],
    ['no', 'seller license_missing'],
  ]);
});

it('licenses with a row for each line of authority are read with all of their lines', async () => {
  const npns = ['8700031', '8700032', '8700033', '8700034'];
  expect(await importSample(shared, 'license-export.tsv')).toMatchObject({ imported: 6, rejected: [] });
  expect(await answers(shared, 'KS', npns)).toEqual([
    ['yes'],
    ['no', 'seller line_missing'],
    ['no', 'seller license_class_wrong'],
    ['no', 'seller license_missing'],
  ]);
});

it('a bordereau is read as sales, of which a producer who is unknown, or has the NPN of somebody else, is the finding', async () => {
  const owner = await newCarrier(config({ productName: 'General Liability' }));
  const answer = await importSample(owner, 'bordereau.csv');
  expect(answer).toMatchObject({
    imported: 4,
    rejected: [],
    matched: { agencies: 4, agents: 2, products: 4 },
  });
  const { status, data } = await ask(owner, complianceRoutes.routes.listPolicyComplianceStatuses, {});
  expect(status).toBe(200);
  expect(data).toMatchObject([
    { policyNumber: 'BDX-2026-0001', premiumAmountInUSD: 1114.25, complianceStatus: 'COMPLIANT' },
    { policyNumber: 'BDX-2026-0002', premiumAmountInUSD: 2400, complianceStatus: null },
    { policyNumber: 'BDX-2026-0003', premiumAmountInUSD: 980, complianceStatus: null },
  ]);
});

it('a transaction that comes again with another word, and has no id of its source, is noted beside the first one', async () => {
  const owner = await newCarrier(config({}));
  const mapping = (word: string, more: object = {}) => ({
    type: 'policy-transaction',
    fields: {
      policyNumber: 'Policy',
      policyTransactionType: { constant: 'New' },
      policyTransactionDate: 'Date',
      riskStateCode: { constant: 'TX' },
      productName: { column: 'Class', words: { GL: word } },
      ...more,
    },
  });
  const rows = ['Policy,Date,Class,Reference', 'BDX-1,2026-02-20,GL,7', 'BDX-2,2026-02-20,GL,8'];
  const ids = (answer: object) => (answer as { ids: { _id: string }[] }).ids.map(({ _id }) => _id);
  const first = await importTable(owner, mapping('Liability'), rows);
  expect(first).not.toHaveProperty('notes');
  const corrected = await importTable(owner, mapping('General Liability'), rows);
  expect(corrected).toMatchObject({
    imported: 2,
    notes: [2, 3].map((line, index) => ({
      line,
      code: 'looks_double',
      message: `BDX-${line - 1} has two transactions New of 2026-02-20 that differ: ${ids(first)[index]} and ${ids(corrected)[index]}. If they are one, delete one, and give them a uniqueTransactionId.`,
    })),
  });
  expect(await importTable(owner, mapping('General Liability'), rows)).not.toHaveProperty('notes');
  const other = await importTable(owner, mapping('GL', { uniqueTransactionId: 'Reference' }), rows);
  expect(other).not.toHaveProperty('notes');
});

/** Imports a table that a test writes, with a mapping. */
async function importTable(organizationId: string, mapping: object, rows: readonly string[]) {
  const [file, mappingFile] = [join(folder, 'table.csv'), join(folder, 'table.json')];
  await writeFile(file, rows.join('\r\n'));
  await writeFile(mappingFile, JSON.stringify(mapping));
  return importFile(invoke, { organizationId, file, mapping: mappingFile });
}

it('XML of others is refused, with the form in which it is imported', async () => {
  const file = join(folder, 'batch.xml');
  await writeFile(file, '<BatchDataSet><Policy><PolicyNumber>SL-1</PolicyNumber></Policy></BatchDataSet>');
  await expect(
    importFile(invoke, { organizationId: id(1), file, askedAt: '2026-06-01T12:00:00Z' }),
  ).rejects.toThrow('as a table (.csv), to import it with a `mapping`');
});
