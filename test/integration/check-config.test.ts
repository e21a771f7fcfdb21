// What operators learn of a compliance config that nobody can meet, and of rows and words that are not understood.

import { complianceTable } from '../../shared/domain/compliance/table.ts';
import { entityReport } from '../../shared/domain/registry/read-rows.ts';
import { registryRecordsTable } from '../../shared/domain/registry-records/table.ts';
import { organizationsTable } from '../../shared/platform/identity/table.ts';
import { commandsOn } from '../support/admin.ts';
import { holdersIn } from '../support/holders.ts';
import { license } from '../support/import-lines.ts';
import { importInto } from '../support/imports.ts';
import { organizationsIn } from '../support/organizations.ts';
import { createTable } from '../support/tables.ts';

const productId = '65f0c1d2e3a4b5c6d7e8f905';
let registryRecords: string;
let newOwner: ReturnType<typeof organizationsIn>;
let command: ReturnType<typeof commandsOn>;
let imported: (organizationId: string, lines: readonly object[]) => Promise<void>;

beforeAll(async () => {
  const [compliance, organizations, records] = await Promise.all([
    createTable(complianceTable),
    createTable(organizationsTable),
    createTable(registryRecordsTable),
  ]);
  registryRecords = records;
  newOwner = organizationsIn(organizations);
  command = commandsOn({ compliance, organizations, registryRecords });
  const importRecords = importInto({ compliance, organizations, registryRecords });
  imported = async (organizationId, lines) => {
    const chunk = { organizationId, firstLine: 1, lines: lines.map((one) => JSON.stringify(one)) };
    expect(await importRecords(chunk)).toMatchObject({ rejected: [] });
  };
});

const config = (fields: object) => ({ type: 'compliance-config', productId, productName: 'GL', ...fields });

it('names the codes and classes that no record of the state carries', async () => {
  const owner = await newOwner();
  await imported(owner, [
    config({
      states: [
        {
          stateCode: 'TX',
          linesOfAuthority: ['16', { anyOf: ['17', 'P'] }, '12'],
          licenseClasses: ['pro', 'Insurance Producr'],
          furtherLicenses: [{ licenseClasses: ['Surplus Lines'], linesOfAuthority: ['SL'] }],
          agency: { linesOfAuthority: ['BE'], licenseClasses: ['insurance producer'] },
        },
        { stateCode: 'OK', linesOfAuthority: ['16'] },
        { stateCode: 'KS' },
      ],
      otherStates: { linesOfAuthority: ['16', '99'], licenseClasses: ['Adjuster'] },
    }),
    license({
      licenseClassCode: 'PRO',
      linesOfAuthority: [{ code: '16', name: 'Property Bail Agent' }, { code: 'p' }],
    }),
    license({
      npn: '8123457',
      stateCode: 'GA',
      licenseClassName: 'Adjuster',
      linesOfAuthority: [{ code: '16' }],
    }),
    {
      type: 'appointment',
      npn: '8123456',
      stateCode: 'TX',
      companyCode: '19437',
      status: 'Appointed',
      lineOfAuthorityCode: '12',
    },
  ]);
  expect(await command('check-config', { organizationId: owner, productId })).toEqual({
    productId,
    productName: 'GL',
    validFrom: expect.any(String),
    notCarried: [
      {
        stateCode: 'TX',
        linesOfAuthority: ['17', 'BE', 'SL'],
        licenseClasses: ['Insurance Producr', 'Surplus Lines'],
      },
      { stateCode: 'OK', linesOfAuthority: ['16'], licenseClasses: [] },
      { stateCode: null, linesOfAuthority: ['99'], licenseClasses: [] },
    ],
    named: [
      {
        stateCode: 'TX',
        linesOfAuthority: [
          { code: '16', name: 'Property Bail Agent' },
          { code: 'P', name: 'p' },
          { code: '12', name: null },
        ],
      },
      { stateCode: null, linesOfAuthority: [{ code: '16', name: '16' }] },
    ],
  });
});

it('names nothing where everything is carried, and refuses a product without a config', async () => {
  const owner = await newOwner();
  await imported(owner, [config({ states: [{ stateCode: 'TX' }] })]);
  expect(await command('check-config', { organizationId: owner, productId })).toMatchObject({
    notCarried: [],
  });
  const other = { organizationId: owner, productId: 'f'.repeat(24) };
  await expect(command('check-config', other)).rejects.toMatchObject({ errorType: 'not_found' });
});

it('lists the rows that are set aside, while they are, and the words that are not recognized', async () => {
  const owner = await newOwner();
  await imported(owner, [
    license({ licenseClassName: 'Wizard', status: 'Enchanted' }),
    license({ npn: '8123457', licenseClassName: 'Wizard' }),
    { type: 'appointment', npn: '8123456', stateCode: 'TX', carrierName: 'Beacon', status: 'Nullified' },
  ]);
  const entity = { kind: 'individual', name: 'Maria Delgado', residentStateCode: null } as const;
  const visit = (at: string, ...rows: object[]) =>
    holdersIn(registryRecords).poll(owner, '8123458', at, entityReport(entity, rows, [], []));
  const odd = {
    stateCode: 'GA',
    licenseNumber: '77',
    status: 'Active',
    residencyStatus: 'Elsewhere',
    linesOfAuthority: [],
  };
  await visit('2026-06-01T12:00:00.000Z', odd);
  expect(await command('list-unread', { organizationId: owner })).toMatchObject({
    setAside: [
      { npn: '8123458', kind: 'license', stateCode: 'GA', faults: ['residencyStatus'], by: 'reconciliation' },
    ],
    unrecognized: [
      { what: 'class', stateCode: 'TX', className: 'Wizard', count: 2 },
      { what: 'license status', status: 'Enchanted', count: 1 },
      { what: 'appointment status', status: 'Nullified', count: 1 },
    ],
  });
  await visit('2026-06-02T12:00:00.000Z', { ...odd, residencyStatus: 'NR' });
  expect(await command('list-unread', { organizationId: owner })).toMatchObject({ setAside: [] });
});
