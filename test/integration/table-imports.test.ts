// Tables of state departments, carriers, and licensing desks, as they are and as the samples show them: each imported by the mapping
// that stands beside it, and what is answered afterward.

import { readFile, writeFile } from 'node:fs/promises';
import { complianceRoutes } from '../../functions/compliance/routes.ts';
import { type Invoke, resultOf } from '../../infra/admin/functions.ts';
import { importFile } from '../../infra/admin/import-file.ts';
import { ask, clock, id, tables } from '../support/carrier-records.ts';
import { agent } from '../support/import-lines.ts';
import { importFunctionOf } from '../support/imports.ts';
import { associationId, config, licensed, newCarrier, shortAnswersOf } from '../support/sale-checks-tests.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const samples = 'functions/import/samples';

const invoke: Invoke = async (_, payload) =>
  resultOf(await importFunctionOf(tables, () => clock.time)(payload));

/** Imports a sample, a minute later, with the mapping beside it. */
async function importSample(organizationId: string, name: string): Promise<object> {
  clock.time = new Date(clock.time.getTime() + 60_000);
  const [file, mapping] = [name, name.replace(/\.\w+$/, '.mapping.json')].map((one) => `${samples}/${one}`);
  return importFile(invoke, { organizationId, file, mapping });
}

const inFolder = temporaryFolder('tables-');

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
        { ...state('FL', [], 'required'), appointmentLinesOfAuthority: ['0220'], licenseOf: 'agency' },
        state('TX', [], 'not required'),
        { ...state('KS', ['16'], 'not required'), homeState: 'ignored' },
      ],
    }),
    ...npns.map((npn) => agent({ _id: undefined, npn, downstreamEntityAssociationIds: [associationId] })),
  );

/** One with the producers of the tables that say nothing of anybody else. */
let shared: string;

beforeAll(async () => {
  const ofTables = { '8700011': 4, '8700021': 2, '8700031': 4 };
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

it('a list of appointments of a state is read by the names of its companies, and by class', async () => {
  const npns = ['8700011', '8700012', '8700013', '8700014'];
  expect(await importSample(shared, 'state-appointments.csv')).toMatchObject({ imported: 4, rejected: [] });
  expect((await answers(shared, 'FL', npns)).map(([, ...reasons]) => reasons)).toEqual([
    [],
    ['seller appointment_ended'],
    ['seller appointment_missing'],
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
  const [file, mappingFile] = [inFolder('table.csv'), inFolder('table.json')];
  await writeFile(file, rows.join('\r\n'));
  await writeFile(mappingFile, JSON.stringify(mapping));
  return importFile(invoke, { organizationId, file, mapping: mappingFile });
}

it('XML of others is refused, with the form in which it is imported', async () => {
  const file = inFolder('batch.xml');
  await writeFile(file, '<BatchDataSet><Policy><PolicyNumber>SL-1</PolicyNumber></Policy></BatchDataSet>');
  await expect(
    importFile(invoke, { organizationId: id(1), file, askedAt: '2026-06-01T12:00:00Z' }),
  ).rejects.toThrow('as a table (.csv), to import it with a `mapping`');
});

/** A carrier that sells one product in a state, to whom these producers work who are licensed there. */
const carrierIn = (
  stateCode: string,
  requirement: object,
  licenses: readonly Readonly<Record<string, unknown>>[],
): Promise<string> =>
  newCarrier(
    config({
      states: [
        {
          stateCode,
          linesOfAuthority: [],
          appointment: 'required',
          licenseOf: 'agent',
          appointmentOf: 'agent',
          homeState: 'ignored',
          ...requirement,
        },
      ],
    }),
    ...licenses.flatMap(({ npn, ...fields }) => [
      agent({ _id: undefined, npn, downstreamEntityAssociationIds: [associationId] }),
      ...(Object.keys(fields).length === 0 ? [] : [licensed(String(npn), { stateCode, ...fields })]),
    ]),
  );

const holders = (stateCode: string, npns: readonly string[], fields: object = {}) =>
  npns.map((npn) => ({ npn, stateCode, licenseNumber: npn.slice(1), ...fields }));

const casualty = { linesOfAuthority: ['16'] };

interface SampleOfRegistry {
  readonly state: string;
  readonly requirement: object;
  readonly licenses: readonly Readonly<Record<string, unknown>>[];
  readonly answer: object;
  /** The NPN, perhaps with the day, and what is answered, without the agency and the home state. */
  readonly asked: readonly (readonly [asked: string, answer: readonly string[]])[];
}

const floridians = ['1', '2', '3'].map((last) => ({
  npn: `871001${last}`,
  licenseNumber: `W71001${last}`,
  licenseClassCode: '0220',
  licenseClassName: 'GENERAL LINES (PROP & CAS)',
  linesOfAuthority: [],
}));

const ofRegistry: Readonly<Record<string, SampleOfRegistry>> = {
  'florida-appointments.csv': {
    state: 'FL',
    requirement: {
      licenseClasses: ['0220'],
      appointmentLinesOfAuthority: ['0220'],
      appointment: 'on binding',
    },
    licenses: floridians,
    answer: {
      imported: 5,
      rejected: [
        {
          line: 7,
          issues: [
            {
              path: 'licenseNumber',
              column: 'LICENSE_NUM',
              value: 'W710019',
              message: 'is that of nobody in FL: the npn is required',
            },
          ],
        },
      ],
    },
    asked: [
      ['8710011', ['yes']],
      // It ended, and she may be appointed again.
      ['8710012', ['yes']],
      // An alleged violation of the law of Florida is a cause.
      ['8710013', ['no', 'seller terminated_for_cause']],
      ['8710013 2025-06-01', ['yes']],
    ],
  },
  'texas-appointments.csv': {
    state: 'TX',
    requirement: casualty,
    licenses: holders('TX', ['8710021', '8710022']),
    answer: { imported: 2, rejected: [] },
    asked: [
      // Who lives in Colorado is appointed in Texas all the same.
      ['8710021', ['yes']],
      ['8710022', ['no', 'seller appointment_missing']],
    ],
  },
  'company-report.txt': {
    state: 'KS',
    requirement: { ...casualty, appointmentLinesOfAuthority: ['Casualty'] },
    licenses: holders('KS', ['8710031', '8710032']),
    answer: { imported: 2, rejected: [] },
    asked: [
      ['8710031', ['yes', '(seller renewal_date_passed)']],
      ['8710032', ['no', 'seller appointment_ended']],
      ['8710032 2021-03-01', ['yes']],
    ],
  },
  'bulk-appointments.csv': {
    state: 'KS',
    requirement: casualty,
    licenses: holders('KS', ['8710041', '8710042']),
    answer: { imported: 4, rejected: [] },
    asked: [
      ['8710041', ['yes']],
      ['8710042', ['no', 'seller appointment_missing']],
    ],
  },
  'state-lookup.csv': {
    state: 'PA',
    requirement: { linesOfAuthority: ['Casualty'] },
    licenses: [{ npn: '8710051' }, { npn: '8710052' }],
    answer: { imported: 5, rejected: [] },
    asked: [
      ['8710051', ['yes']],
      ['8710052', ['no', 'seller appointment_ended']],
      ['8710052 2025-03-01', ['yes']],
    ],
  },
};

it.each(Object.entries(ofRegistry))(
  'the sample %s is imported to right answers',
  async (name, { state, requirement, licenses, answer, asked }) => {
    const owner = await carrierIn(state, requirement, licenses);
    expect(await importSample(owner, name)).toMatchObject(answer);
    const checks = asked.map(([of]) => {
      const [npn, date] = of.split(' ');
      return { seller: { npn }, product: { productCode: 'CGL' }, stateCode: state, ...(date && { date }) };
    });
    const answers = await shortAnswersOf(owner, checks);
    const told = answers.map((one) => one.filter((word) => !/^agency|home_state/.test(word)));
    expect(asked.map(([of], index) => [of, told[index]])).toEqual(asked);
  },
);

/** What lists say of sales, each with the codes of its reasons. */
async function salesOf(owner: string) {
  const { data } = await ask(owner, complianceRoutes.routes.listPolicySales, {});
  return (
    data as { policyNumber: string; soldOn: string; complianceStatus: string; reasons: { code: string }[] }[]
  )
    .map(({ policyNumber, soldOn, complianceStatus, reasons }) => [
      policyNumber,
      soldOn,
      complianceStatus,
      ...reasons.map(({ code }) => code),
    ])
    .toSorted();
}

it('lists of licenses show all lines of a license, of which a table has a row each', async () => {
  const owner = await carrierIn('PA', {}, []);
  await importSample(owner, 'state-lookup.csv');
  const { data } = await ask(owner, complianceRoutes.routes.listLicenses, { query: { npn: '8710051' } });
  const [{ linesOfAuthority = [] } = {}, ...others] = data as { linesOfAuthority: { name: string }[] }[];
  expect([linesOfAuthority.map(({ name }) => name).sort(), others]).toEqual([['Casualty', 'Property'], []]);
});

it('the sample affidavits.csv is imported to right answers: one policy by its number, of which no sale inherits across insureds', async () => {
  const owner = await carrierIn(
    'NY',
    { appointment: 'not required', licenseClasses: ['Excess Line Broker'] },
    [
      {
        npn: '8710061',
        licenseNumber: 'EX-710061',
        licenseClassName: 'Excess Line Broker',
        linesOfAuthority: [],
      },
    ],
  );
  expect(await importSample(owner, 'affidavits.csv')).toMatchObject({
    imported: 5,
    rejected: [],
    notes: [{ line: 3, code: 'insured_differs' }],
  });
  expect(await salesOf(owner)).toEqual([
    ['BINDER', '2026-02-27', 'COMPLIANT'],
    ['BINDER', '2026-03-30', null, 'seller_not_named'],
    ['NYE-4410', '2026-05-14', 'COMPLIANT'],
  ]);
  const { data } = await ask(owner, complianceRoutes.routes.listPolicyComplianceStatuses, {});
  expect((data as { policyNumber: string }[]).map(({ policyNumber }) => policyNumber).toSorted()).toEqual([
    'BINDER',
    'NYE-4410',
  ]);
});

it('the sample agency-download.csv is imported to right answers: a broker of record and a cancellation are no sales', async () => {
  const owner = await carrierIn('TX', casualty, []);
  const answer = await importSample(owner, 'agency-download.csv');
  expect(answer).toMatchObject({ imported: 6, rejected: [] });
  expect(answer).not.toHaveProperty('notes');
  expect(await salesOf(owner)).toEqual([
    ['AG-7101', '2026-01-05', 'COMPLIANT'],
    ['AG-7102', '2026-01-28', 'NOT_COMPLIANT', 'license_missing', 'appointment_missing'],
    ['AG-7103', '2026-02-15', 'COMPLIANT'],
  ]);
});

describe('a roster of 50 as an agency sends it', () => {
  const source = 'test/integration/tables/agency-roster.csv';

  it('goes in with one mapping: a dry run, an import, and what was rejected, corrected', async () => {
    const owner = await newCarrier(
      config({ states: ['TX', 'LA'].map((stateCode) => state(stateCode, ['16'], 'required')) }),
    );
    const roster = inFolder('roster.csv');
    // As an agency's spreadsheet saves it.
    await writeFile(roster, await readFile(source, 'utf8'), 'latin1');
    const written = await readFile(source.replace('.csv', '.mapping.json'), 'utf8');
    const [mapping, rejectedFile, corrected] = ['mapping.json', 'rejected.csv', 'corrected.csv'].map((name) =>
      inFolder(name),
    ) as [string, string, string];
    await writeFile(mapping, written.replace('65f0c1d2e3a4b5c6d7e8fc71', associationId));
    const imported = (input: object): Promise<object> => {
      clock.time = new Date(clock.time.getTime() + 60_000);
      return importFile(invoke, { organizationId: owner, mapping, ...input });
    };

    // First try. Of what is wrong, each cell is named once, though it is that of several records.
    const wrong = (line: number, column: string, value?: string, more: object = {}) => ({
      line,
      issues: [expect.objectContaining({ column, ...(value === undefined ? {} : { value }), ...more })],
    });
    const forms = ['M/d/yyyy', 'd.M.yyyy'];
    const cells = [
      wrong(10, 'NPN', '8.72E+06'),
      wrong(16, 'NPN'),
      wrong(19, 'License No.', undefined, { message: 'is required' }),
      wrong(23, 'NPN'),
      wrong(26, 'Expires', '2/30/2027', { accepted: forms }),
      wrong(28, 'Issued', '44621', { accepted: ['M/d/yyyy'] }),
      wrong(32, 'NPN'),
    ];
    const dryRun = await imported({ file: roster, dryRun: true });
    expect(dryRun).toMatchObject({ rejected: [...cells, { line: 54 }] });

    // Second try.
    expect(await imported({ file: roster, rejectedFile })).toMatchObject({
      rejected: [...cells.map(({ line }) => ({ line })), { line: 54 }],
    });

    // Third try: the rows that were rejected, corrected by hand.
    const rows = (await readFile(rejectedFile, 'latin1')).split(/\r?\n/);
    const correct = [
      ['8.72E+06', '8720009'],
      [';;producer15@', ';8720015;producer15@'],
      [';;producer22@', ';8720022;producer22@'],
      [';;producer31@', ';8720031;producer31@'],
      [';TX;;', ';TX;220018;'],
      ['2/30/2027', '2/28/2027'],
      ['44621', '3/1/2022'],
    ] as const;
    const text = correct.reduce((all, [from, to]) => all.replace(from, to), rows.slice(0, -2).join('\n'));
    await writeFile(corrected, text, 'latin1');
    expect(await imported({ file: corrected })).toMatchObject({ rejected: [] });

    const numbers = Array.from({ length: 50 }, (_, index) => index + 1);
    const ofLouisiana = [7, 14, 28];
    const answers = await shortAnswersOf(
      owner,
      numbers.map((number) => ({
        seller: { npn: String(8_720_000 + number) },
        product: { productCode: 'CGL' },
        stateCode: ofLouisiana.includes(number) ? 'LA' : 'TX',
      })),
    );
    const against = (...some: readonly number[]) => new Set(some);
    const [noLine, notActive, notAppointed] = [
      against(13, 26),
      against(16, 32, 48),
      against(10, 20, 30, 40, 50),
    ];
    expect(answers.map((answer) => answer.filter((word) => word.startsWith('seller')))).toEqual(
      numbers.map((number) => [
        ...(noLine.has(number) ? ['seller line_missing'] : []),
        ...(notActive.has(number) ? ['seller license_missing'] : []),
        ...(notAppointed.has(number) ? ['seller appointment_missing'] : []),
      ]),
    );
  });
});
