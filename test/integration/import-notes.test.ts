// What an operator is told of licenses and appointments that were imported, and mean less than it seems.

import { importLines, newOwner, now, tables } from '../support/carrier-records.ts';
import { holdersIn } from '../support/holders.ts';
import { agent, license } from '../support/import-lines.ts';
import { importInto } from '../support/imports.ts';

const appointment = (fields: object = {}) => ({
  type: 'appointment',
  npn: '8123456',
  stateCode: 'TX',
  companyCode: '19437',
  status: 'Appointed',
  ...fields,
});
const classes = (fields: object) => ({ type: 'class-kind', stateCode: 'TX', kind: 'other', ...fields });

it('words that are not recognized are counted, whatever the case of known ones', async () => {
  const { notes, imported } = await importLines(await newOwner(), [
    license({ status: 'In Limbo' }),
    license({ npn: '8123457', status: 'In Limbo' }),
    license({ status: 'ACTIVE - Renewed', licenseNumber: '2' }),
    license({ licenseNumber: '3', linesOfAuthority: [{ code: '16', status: 'Odd' }] }),
    license({ licenseNumber: '4', licenseClassName: 'Warehouse Class' }),
    license({ licenseNumber: '5', licenseClassName: null }),
    license({ licenseNumber: '6', licenseClassName: 'Adjuster' }),
    appointment({ status: 'In Limbo' }),
  ]);
  expect(imported).toBe(8);
  const message = (text: string) => expect.stringContaining(text) as unknown;
  expect(notes).toEqual([
    { line: null, code: 'status_unrecognized', message: message('“In Limbo” of licenses'), count: 2 },
    { line: null, code: 'status_unrecognized', message: message('“Odd” of lines of authority'), count: 1 },
    {
      line: null,
      code: 'class_unrecognized',
      message: message('of the class “Warehouse Class” allow in TX'),
      count: 1,
    },
    { line: null, code: 'class_unrecognized', message: message('without a class allow in TX'), count: 1 },
    { line: null, code: 'status_unrecognized', message: message('“In Limbo” of appointments'), count: 1 },
  ]);
});

it('a class of which somebody said what it allows is recognized', async () => {
  const { notes } = await importLines(await newOwner(), [
    classes({ className: 'Warehouse Class' }),
    classes({}),
    license({ licenseClassName: 'WAREHOUSE CLASS' }),
    license({ licenseNumber: '5', licenseClassName: null }),
  ]);
  expect(notes).toBeUndefined();
});

it('an end that ends nothing is noted at its line, also when it is imported again', async () => {
  const owner = await newOwner();
  await importLines(owner, [license({ issueDate: '2020-01-01' }), appointment()]);
  const lines = [
    license({ issueDate: '2020-01-01', status: 'Revoked', statusDate: '2026-02-01' }),
    license({ licenseNumber: '999', status: 'Revoked' }),
    appointment({ companyCode: '22314', status: 'Terminated', statusChangeDate: '2026-02-01' }),
    appointment({ status: 'Terminated', statusChangeDate: '2026-02-01' }),
  ];
  for (let times = 0; times < 2; times += 1) {
    const { notes, rejected } = await importLines(owner, lines);
    expect(rejected).toEqual([]);
    expect(notes?.map(({ line, code, count }) => [line, code, count])).toEqual([
      [2, 'end_unmatched', 1],
      [3, 'end_unmatched', 1],
    ]);
  }
});

it('a license or an appointment without a status is set aside: nothing says that it is in force', async () => {
  const { imported, setAside, rejected, notes } = await importLines(await newOwner(), [
    license({ status: undefined }),
    appointment({ status: null }),
    license(),
  ]);
  expect({ imported, setAside, rejected }).toEqual({ imported: 1, setAside: 2, rejected: [] });
  const message = expect.stringContaining('status: is required') as unknown;
  expect(notes).toMatchObject([
    { line: 1, code: 'row_set_aside', message },
    { line: 2, code: 'row_set_aside', message },
  ]);
});

it('a license of which nobody says whether it is resident is no proof of a home state', async () => {
  const owner = await newOwner();
  await importLines(owner, [license({ residencyStatus: undefined })]);
  const items = await holdersIn(tables.registryRecords).itemsOf(owner, '8123456');
  expect([...items.keys()].includes('HOME')).toBe(false);
  await importLines(owner, [license({ licenseNumber: '2', residencyStatus: 'resident' })]);
  expect(
    [...(await holdersIn(tables.registryRecords).itemsOf(owner, '8123456')).keys()].includes('HOME'),
  ).toBe(true);
});

it('the order of lines of one regulatory action does not matter', async () => {
  const action = (fields: object) => ({
    type: 'regulatory-action',
    npn: '8123456',
    stateCode: 'TX',
    actionId: '1',
    ...fields,
  });
  const held = async (...lines: readonly object[]) => {
    const owner = await newOwner();
    await importLines(owner, lines);
    const items = await holdersIn(tables.registryRecords).itemsOf(owner, '8123456');
    return items.get('ACTION#TX#1')?.['disposition'];
  };
  const [one, other] = [action({ disposition: 'Fine' }), action({ disposition: 'Revocation' })];
  expect(await held(one, other)).toBe(await held(other, one));
  const gone = action({ isDeleted: true });
  expect([await held(one, gone), await held(gone, one)]).toEqual([undefined, undefined]);
});

it.each([
  ['{"type":"license",}', 'at character 19 (PropertyNameExpected)'],
  ['{"type":"license","n":NaN}', 'at character 23 (InvalidSymbol)'],
  ['{“type”:"license"}', 'at character 2 (InvalidSymbol)'],
  ['{"type":"license"', 'at character 18 (CloseBraceExpected)'],
])('the fault of %s is named with its position', async (line, where) => {
  const importChunk = importInto(tables, now);
  const { rejected } = await importChunk({ organizationId: await newOwner(), firstLine: 7, lines: [line] });
  expect(rejected).toEqual([{ line: 7, issues: [{ path: '', message: `is not valid JSON ${where}` }] }]);
});

it('a date that a spreadsheet stored as a number of days cannot be read, and how to save it is said', async () => {
  const { notes } = await importLines(await newOwner(), [
    license({ issueDate: '46082' }),
    license({ linesOfAuthority: [{ code: '16', issueDate: 46082 }] }),
    license({ issueDate: '1234' }),
  ]);
  const hint = '46082 is how a spreadsheet stores 2026-03-01';
  expect(notes?.map(({ line, message }) => [line, message])).toEqual([
    [1, expect.stringMatching(`issueDate: .*${hint}`)],
    [2, expect.stringMatching(`linesOfAuthority\\[0\\].issueDate: .*${hint}`)],
    [3, expect.not.stringContaining('spreadsheet')],
  ]);
});

it('what its author can hardly mean is imported, with a note', async () => {
  const { imported, notes } = await importLines(await newOwner(), [
    agent(),
    agent({ firstName: 'Paul' }),
    appointment({ companyCode: '55501.0', ein: '#N/A' }),
    license({ issueDate: '2026-04-01', expirationDate: '2026-03-31' }),
    license({ licenseNumber: '1.23457E+11', issueDate: '2062-01-01' }),
    license({ licenseNumber: '3', expirationDate: '9999-12-31', linesOfAuthority: [{ code: '16.0' }] }),
  ]);
  expect(imported).toBe(6);
  expect(notes?.map(({ line, code, message }) => [line, code, message])).toEqual([
    [2, 'looks_wrong', 'The agent of line 1 has the same NPN.'],
    [3, 'looks_wrong', 'companyCode is 55501.0, which a spreadsheet makes of a code that is a number.'],
    [3, 'looks_wrong', 'ein is an error of a spreadsheet, #N/A.'],
    [4, 'looks_wrong', 'issueDate is after expirationDate.'],
    [5, 'looks_wrong', 'licenseNumber is 1.23457E+11: a spreadsheet has rounded a long number.'],
    [5, 'looks_wrong', 'issueDate is 2062-01-01.'],
    [
      6,
      'looks_wrong',
      'linesOfAuthority[0].code is 16.0, which a spreadsheet makes of a code that is a number.',
    ],
  ]);
});
