// The tables that licensing desks have, as the samples show them: each imported by its mapping, and what is answered afterward.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { complianceRoutes } from '../../functions/compliance/routes.ts';
import { type Invoke, resultOf } from '../../infra/admin/functions.ts';
import { importFile } from '../../infra/admin/import-file.ts';
import { ask, clock, tables } from '../support/carrier-records.ts';
import { agent } from '../support/import-lines.ts';
import { importFunctionOf } from '../support/imports.ts';
import { associationId, config, licensed, newCarrier, shortAnswersOf } from '../support/sale-checks-tests.ts';

const samples = 'functions/import/samples';

const invoke: Invoke = async (_, payload) =>
  resultOf(await importFunctionOf(tables, () => clock.time)(payload));

/** Imports a sample with the mapping beside it. */
async function importSample(organizationId: string, name: string): Promise<object> {
  clock.time = new Date(clock.time.getTime() + 60_000);
  const [file, mapping] = [name, name.replace(/\.\w+$/, '.mapping.json')].map((one) => `${samples}/${one}`);
  return importFile(invoke, { organizationId, file, mapping });
}

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
  let folder: string;
  let roster: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roster-'));
    roster = join(folder, 'roster.csv');
    // As an agency's spreadsheet saves it.
    await writeFile(roster, await readFile(source, 'utf8'), 'latin1');
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('goes in with one mapping: a dry run, an import, and what was rejected, corrected', async () => {
    const state = {
      linesOfAuthority: ['16'],
      appointment: 'required',
      licenseOf: 'agent',
      appointmentOf: 'agent',
    };
    const owner = await newCarrier(
      config({ states: ['TX', 'LA'].map((stateCode) => ({ stateCode, ...state })) }),
    );
    const written = await readFile(source.replace('.csv', '.mapping.json'), 'utf8');
    const [mapping, rejectedFile, corrected] = ['mapping.json', 'rejected.csv', 'corrected.csv'].map((name) =>
      join(folder, name),
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
