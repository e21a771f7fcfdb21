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
import {
  agencyNpn,
  answerOf,
  associationId,
  config,
  newCarrier,
  shortAnswersOf,
} from '../support/sale-checks-tests.ts';

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
  const ofTables = { '8700011': 3, '8700021': 2, '8700031': 4, '8700061': 2 };
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

/** Of a table that does not say when licenses end. */
const endless = { constant: null };

/** Imports a table that a test writes, with a mapping. */
async function importTable(organizationId: string, mapping: object, rows: readonly string[]) {
  const [file, mappingFile] = [join(folder, 'table.csv'), join(folder, 'table.json')];
  await writeFile(file, rows.join('\r\n'));
  await writeFile(mappingFile, JSON.stringify(mapping));
  return importFile(invoke, { organizationId, file, mapping: mappingFile });
}

it('a list of valid licenses is read with its formulas and times', async () => {
  const npns = ['8700041', '8700042'];
  const owner = await carrierWith(...npns);
  const mapping = {
    type: 'license',
    fields: {
      stateCode: { constant: 'TX' },
      npn: 'NPN Number',
      licenseNumber: 'License #',
      licenseClassName: 'License TYCL Desc',
      status: 'Status',
      issueDate: { column: 'Issue Date', dates: ['M/d/yyyy h:mm:ss a'] },
      expirationDate: endless,
    },
  };
  const header = 'NPN Number,License #,License TYCL Desc,Status,Issue Date';
  const rows = npns.map(
    (npn) => `="${npn}",="W${npn}",GENERAL LINES (PROP & CAS),VALID,9/12/2002 12:00:00 AM`,
  );
  expect(await importTable(owner, mapping, [header, ...rows])).toMatchObject({ imported: 2 });
  expect(await answers(owner, 'TX', npns)).toEqual([['yes'], ['yes']]);
});

it('a matrix of appointments is read with its dates and words for none, but for a province', async () => {
  const owner = await carrierWith();
  const none = { words: { NULL: null } };
  const mapping = {
    type: 'appointment',
    fields: {
      npn: 'NPN',
      stateCode: 'State',
      companyCode: 'NAIC',
      status: { constant: 'Appointed' },
      effectiveDate: { column: 'Effective', dates: ['yyyyMMdd'], ...none },
      renewalDate: { column: 'Expires', dates: ['yyyyMMdd'], ...none },
    },
  };
  const rows = [
    '8700051,FL,19437,20210301,NULL',
    '8700051,PR,19437,NULL,20271031',
    '8700051,ON,19437,20210301,NULL',
  ];
  expect(await importTable(owner, mapping, ['NPN,State,NAIC,Effective,Expires', ...rows])).toMatchObject({
    imported: 2,
    rejected: [{ line: 4, issues: [{ path: 'stateCode', value: 'ON' }] }],
  });
});

it('exports of other services are read with their words: R and NR, true and false, a request that is rejected', async () => {
  const npns = ['8700061', '8700062'];
  const licenses = {
    type: 'license',
    fields: {
      npn: 'npn',
      stateCode: 'state',
      licenseNumber: 'licenseNumber',
      licenseClassName: 'licenseClass',
      residencyStatus: { column: 'residency', words: { R: 'resident', NR: 'non-resident' } },
      status: { column: 'active', words: { true: 'active', false: 'inactive' } },
      issueDate: 'issueDate',
      expirationDate: endless,
    },
  };
  const header = 'npn,state,licenseNumber,licenseClass,residency,active,issueDate';
  const rowOf = (npn: string, state_: string, active: boolean) =>
    `${npn},${state_},${npn},Insurance Producer,R,${active},2020-01-01`;
  const rows = [
    rowOf('8700061', 'TX', true),
    rowOf('8700062', 'TX', false),
    rowOf('8700061', 'FL', true).replace(',R,', ',NR,'),
  ];
  expect(await importTable(shared, licenses, [header, ...rows])).toMatchObject({ imported: 3, rejected: [] });
  expect((await answers(shared, 'TX', npns)).map(([answer]) => answer)).toEqual(['yes', 'no']);
  const appointments = {
    type: 'appointment',
    fields: {
      npn: 'npn',
      stateCode: 'state',
      carrierName: 'company',
      status: {
        column: 'status',
        words: { PROCESSING_STATUS_REJECTED: 'Rejected', PROCESSING_STATUS_IN_PROGRESS: 'In Progress' },
      },
      statusChangeDate: 'date',
    },
  };
  for (const status of ['PROCESSING_STATUS_REJECTED', 'PROCESSING_STATUS_IN_PROGRESS']) {
    const row = `8700061,FL,Beacon Specialty Insurance Company,${status},2026-06-01`;
    expect(await importTable(shared, appointments, ['npn,state,company,status,date', row])).toMatchObject({
      imported: 1,
    });
    expect(await answers(shared, 'FL', ['8700061'])).toEqual([['no', 'seller appointment_missing']]);
  }
});

it.each([
  [
    'FSLSO',
    'Transaction Type,Policy Number,Insured,Effective,Premium,State',
    ['NB', 'RI', 'BO'],
    'MM/dd/yyyy',
  ],
  ['SLA', 'TRANS CODE,POLICY NO,INSURED NAME,EFF DATE,PREMIUM,STATE', ['1', '7', '9'], 'yyyyMMdd'],
])(
  'a batch of surplus lines of the form of %s is read as transactions, but for one that is taken back',
  async (_, header, [newOne = '', reinstated = '', backout = ''], dates) => {
    const owner = await newCarrier(config({}));
    const [
      type = '',
      policyNumber = '',
      insuredEntityName = '',
      effective = '',
      premiumAmountInUSD = '',
      riskStateCode = '',
    ] = header.split(',');
    const mapping = {
      type: 'policy-transaction',
      fields: {
        policyNumber,
        policyTransactionType: { column: type, words: { [newOne]: 'New', [reinstated]: 'Reinstatement' } },
        policyTransactionDate: { column: effective, dates: [dates] },
        effectiveDate: { column: effective, dates: [dates] },
        insuredEntityName,
        riskStateCode,
        premiumAmountInUSD,
        productName: { constant: 'General Liability' },
        producerCode: { constant: 'P-7731' },
        agentNpn: { constant: '8123456' },
      },
    };
    const date = dates === 'yyyyMMdd' ? '20260301' : '03/01/2026';
    const rows = [newOne, reinstated, backout].map(
      (word) => `${word},SL-1,Acme Roofing,${date},"1,234.50",TX`,
    );
    expect(await importTable(owner, mapping, [header, ...rows])).toMatchObject({
      imported: 2,
      rejected: [
        {
          line: 4,
          issues: [
            { path: 'policyTransactionType', message: expect.stringContaining('Reinstatement') as unknown },
          ],
        },
      ],
    });
    const { data } = await ask(owner, complianceRoutes.routes.listPolicyComplianceStatuses, {});
    expect(data).toMatchObject([
      { policyNumber: 'SL-1', premiumAmountInUSD: 2469, complianceStatus: 'COMPLIANT' },
    ]);
    // The broker's license has no field, nor a share of another state.
    await expect(
      importTable(owner, { ...mapping, fields: { ...mapping.fields, brokerLicenseNumber: type } }, [header]),
    ).rejects.toThrow('mapping.fields.brokerLicenseNumber: is not a field of policy-transaction');
  },
);

it('XML of others is refused, with the form in which it is imported', async () => {
  const file = join(folder, 'batch.xml');
  await writeFile(file, '<BatchDataSet><Policy><PolicyNumber>SL-1</PolicyNumber></Policy></BatchDataSet>');
  await expect(
    importFile(invoke, { organizationId: id(1), file, askedAt: '2026-06-01T12:00:00Z' }),
  ).rejects.toThrow('as a table (.csv), to import it with a `mapping`');
});

it('notices of termination say by a mark whether it is for cause, which no appointment on binding follows', async () => {
  const npns = ['8700071', '8700072'];
  const owner = await newCarrier(
    config({ states: [{ ...state('FL', [], 'on binding'), licenseOf: 'agency' }] }),
    ...npns.map((npn) => agent({ _id: undefined, npn, downstreamEntityAssociationIds: [associationId] })),
  );
  const mapping = {
    type: 'appointment',
    fields: {
      npn: 'Individual NPN',
      stateCode: 'State',
      carrierName: 'Insurer',
      status: { column: 'Action', words: { A: 'Appointed', T: 'Terminated' } },
      statusChangeDate: { column: 'Effective Date', dates: ['M/d/yyyy'] },
      terminationReason: { column: 'For Cause', words: { Y: 'For cause', N: 'Not for cause' } },
    },
  };
  const header = 'Individual NPN,State,Insurer,Action,Effective Date,For Cause';
  const rows = npns.flatMap((npn, index) => [
    `${npn},FL,Beacon Specialty Insurance Company,A,1/2/2020,`,
    `${npn},FL,Beacon Specialty Insurance Company,T,3/1/2026,${index === 0 ? 'Y' : 'N'}`,
  ]);
  expect(await importTable(owner, mapping, [header, ...rows])).toMatchObject({ imported: 4, rejected: [] });
  expect((await answers(owner, 'FL', npns)).map(([, ...reasons]) => reasons)).toEqual([
    ['seller terminated_for_cause'],
    [],
  ]);
});

it('licenses of SBS states count by their class, whatever line codes it shares, and classes without lines count without', async () => {
  const [producer, adjuster, consultant, surplus, bail, probation] = [1, 2, 3, 4, 5, 6].map(
    (index) => `87001${index}1`,
  ) as [string, string, string, string, string, string];
  const npns = [producer, adjuster, consultant, surplus, bail, probation];
  const inState = (stateCode: string, fields: object) => ({
    ...state(stateCode, [], 'not required'),
    homeState: 'ignored',
    ...fields,
  });
  const owner = await newCarrier(
    config({
      states: [
        inState('IL', { linesOfAuthority: ['CAS'], licenseOf: 'both', agency: { linesOfAuthority: [] } }),
        inState('DE', { linesOfAuthority: ['5'] }),
        inState('TX', { licenseClasses: ['Surplus Lines Agent'] }),
        inState('SC', { linesOfAuthority: ['CAS'] }),
        inState('KS', { linesOfAuthority: ['CAS'] }),
      ],
    }),
    ...npns.map((npn) => agent({ _id: undefined, npn, downstreamEntityAssociationIds: [associationId] })),
  );
  const mapping = {
    type: 'license',
    fields: {
      stateCode: 'State',
      npn: 'NPN',
      licenseNumber: 'NPN',
      licenseClassCode: 'Class Code',
      licenseClassName: 'Class',
      status: 'Status',
      issueDate: { constant: '2020-01-01' },
      expirationDate: endless,
      'linesOfAuthority[].code': 'LOA Code',
      'linesOfAuthority[].name': 'LOA',
      'linesOfAuthority[].status': { constant: 'Active' },
    },
  };
  const rows = [
    `IL,${agencyNpn},BE,BUSINESS ENTITY PRODUCER,Active,,`,
    `IL,${producer},IP,INSURANCE PRODUCER,Active,CAS,Casualty`,
    `IL,${adjuster},AD,PUBLIC ADJUSTER,Active,CAS,Casualty`,
    `IL,${consultant},CO,INSURANCE CONSULTANT,Active,CAS,Casualty`,
    `DE,${producer},01,Insurance Producer,Active,5,CASUALTY`,
    // The code of casualty in other states.
    `DE,${bail},01,Insurance Producer,Active,16,PROPERTY BAIL AGENT`,
    `TX,${surplus},SL,Surplus Lines Agent,Active,,`,
    `TX,${producer},GL,General Lines Agency,Active,CAS,Casualty`,
    `SC,${probation},P,Producer,Probation,CAS,Casualty`,
    `KS,${producer},P,Producer,Issued,CAS,Casualty`,
  ];
  const header = 'State,NPN,Class Code,Class,Status,LOA Code,LOA';
  expect(await importTable(owner, mapping, [header, ...rows])).toMatchObject({ imported: 10, rejected: [] });
  const check = (npn: string, stateCode: string) => ({
    seller: { npn },
    product: { productCode: 'CGL' },
    stateCode,
  });
  expect(await answerOf(owner, check(producer, 'IL'))).toEqual(['yes']);
  expect(await answers(owner, 'IL', [adjuster, consultant])).toEqual([
    ['no', 'seller license_class_wrong'],
    ['no', 'seller license_class_wrong'],
  ]);
  expect(await answers(owner, 'DE', [producer, bail])).toEqual([['yes'], ['no', 'seller line_missing']]);
  expect(await answers(owner, 'TX', [surplus, producer])).toEqual([
    ['yes'],
    ['no', 'seller license_class_wrong'],
  ]);
  expect(await answers(owner, 'SC', [probation])).toEqual([['yes']]);
  expect(await answers(owner, 'KS', [producer])).toEqual([['yes']]);
});

it('messages and categories of other services that have no field are refused by name', async () => {
  const owner = await carrierWith('8700081');
  const file = join(folder, 'webhooks.ndjson');
  const message = { type: 'LICENSE_UPDATED', producer: { npn: '8700081' }, license: { state: 'TX' } };
  await writeFile(file, JSON.stringify(message));
  expect(await importFile(invoke, { organizationId: owner, file })).toMatchObject({
    imported: 0,
    rejected: [
      {
        line: 1,
        issues: [{ path: 'type', accepted: expect.arrayContaining(['license', 'appointment']) as unknown }],
      },
    ],
  });
  const header = 'npn,state,licenseNumber,licenseClass,active,issueDate,lineCategory';
  const fields = {
    npn: 'npn',
    stateCode: 'state',
    licenseNumber: 'licenseNumber',
    licenseClassName: 'licenseClass',
    status: { column: 'active', words: { true: 'active', false: 'inactive' } },
    issueDate: 'issueDate',
    expirationDate: endless,
  };
  const rows = [header, '8700081,TX,8700081,Insurance Producer,true,2020-01-01,Property and Casualty'];
  await expect(
    importTable(
      owner,
      { type: 'license', fields: { ...fields, 'linesOfAuthority[].category': 'lineCategory' } },
      rows,
    ),
  ).rejects.toThrow('mapping.fields.linesOfAuthority[].category: is not a field of license');
  // A category is no line: it must not look as if it were one.
  expect(await importTable(owner, { type: 'license', fields }, rows)).toMatchObject({ imported: 1 });
});
