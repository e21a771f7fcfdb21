// What operators learn of a compliance config that nobody can meet.

import { complianceTable } from '../../shared/domain/compliance/table.ts';
import { registryRecordsTable } from '../../shared/domain/registry-records/table.ts';
import { organizationsTable } from '../../shared/platform/identity/table.ts';
import { commandsOn } from '../support/admin.ts';
import { license } from '../support/import-lines.ts';
import { importInto } from '../support/imports.ts';
import { organizationsIn } from '../support/organizations.ts';
import { createTable } from '../support/tables.ts';

const productId = '65f0c1d2e3a4b5c6d7e8f905';
let newOwner: ReturnType<typeof organizationsIn>;
let command: ReturnType<typeof commandsOn>;
let imported: (organizationId: string, lines: readonly object[]) => Promise<void>;

beforeAll(async () => {
  const [compliance, organizations, registryRecords] = await Promise.all([
    createTable(complianceTable),
    createTable(organizationsTable),
    createTable(registryRecordsTable),
  ]);
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
    license({ licenseClassCode: 'PRO', linesOfAuthority: [{ code: '16' }, { code: 'p' }] }),
    license({
      npn: '8123457',
      stateCode: 'GA',
      licenseClassName: 'Adjuster',
      linesOfAuthority: [{ code: '16' }],
    }),
    { type: 'appointment', npn: '8123456', stateCode: 'TX', status: 'Appointed', lineOfAuthorityCode: '12' },
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
