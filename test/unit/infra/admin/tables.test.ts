// How tables are read, and what is said of what cannot be read.

import { readFile, writeFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { importFile } from '../../../../infra/admin/import-file.ts';
import { numberOf, partOfName } from '../../../../infra/admin/tables.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const inFolder = temporaryFolder('tables-');

const chunk = z.object({
  firstLine: z.number(),
  lines: z.array(z.string()),
  lineNumbers: z.optional(z.array(z.number())),
});

/** Reads a table of these bytes; answers its records with the numbers of their lines, what is rejected, and the file of what is. */
async function read(table: string, mapping: object, input: object = {}) {
  const [file, mappingFile, rejectedFile] = ['table.csv', 'mapping.json', 'rejected.csv'].map((name) =>
    inFolder(name),
  );
  await writeFile(String(file), table, 'latin1');
  await writeFile(String(mappingFile), JSON.stringify(mapping));
  const records: unknown[] = [];
  const invoke = async (_: string, payload: object) => {
    const { firstLine, lines, lineNumbers } = z.parse(chunk, payload);
    const numberOfLine = (index: number) => lineNumbers?.[index] ?? firstLine + index;
    records.push(...lines.map((line, index) => [numberOfLine(index), JSON.parse(line) as unknown]));
    return { imported: lines.length, rejected: [], ids: [] };
  };
  const answer = await importFile(invoke, { file, mapping: mappingFile, rejectedFile, ...input });
  const { rejected } = answer as { rejected: unknown };
  return { records, rejected, rejectedLines: await readFile(String(rejectedFile), 'latin1') };
}

const utf8Mark = '\xef\xbb\xbf';

/** The mapping of a table of agents, which has the NPN in its first column. */
const agents = (fields: object = {}, more: object = {}) => ({
  type: 'agent',
  fields: { npn: 'NPN', ...fields },
  ...more,
});

const agentOf = (npn: string, fields: object = {}) => ({ type: 'agent', npn, ...fields });

it('a table is read as it is, by its columns, and what cannot be read is left for a person', async () => {
  const table = [
    `${utf8Mark}NPN,Name,Ended,Lines`,
    '="0017","A ""B"" & Sons",3/1/2026,C; P',
    '',
    '18,"two',
    'lines",N/A,',
    '19,G\xe9n,,',
    // Two files in one may end their lines differently.
    '20,x\n21,last,46082,C',
    '22,"never closed,,',
    '23,,,',
  ].join('\r\n');
  const mapping = {
    type: 'license',
    fields: {
      npn: 'npn',
      status: { constant: 'active' },
      licenseClassName: 'NAME',
      expirationDate: { column: 'Ended', dates: ['yyyyMMdd', 'M/d/yyyy'], words: { 'n/a': null } },
      'linesOfAuthority[].status': { constant: 'active' },
      'linesOfAuthority[].code': { column: 'Lines', separator: ';' },
    },
  };
  const license = (npn: string, licenseClassName: string, lines: readonly string[], more: object = {}) => ({
    type: 'license',
    npn,
    licenseClassName,
    status: 'active',
    ...(lines.length > 0 && { linesOfAuthority: lines.map((code) => ({ code, status: 'active' })) }),
    ...more,
  });
  const { records, rejected, rejectedLines } = await read(table, mapping);
  expect(records).toEqual([
    [2, license('0017', 'A "B" & Sons', ['C', 'P'], { expirationDate: '2026-03-01' })],
    [4, license('18', 'two\r\nlines', [])],
    [8, license('21', 'last', ['C'], { expirationDate: '46082' })],
  ]);
  const issue = (message: string) => [{ path: '', message }];
  expect(rejected).toEqual([
    { line: 6, issues: issue(notUtf8) },
    { line: 7, issues: issue('has 2 columns, and the header 4') },
    { line: 9, issues: issue('has a quote that is not closed: nothing from there on was read') },
  ]);
  expect(rejectedLines).toBe('NPN,Name,Ended,Lines\n19,G\xe9n,,\n20,x\n\n');
});

it.each([
  ['3/1/26', '2026-03-01'],
  ['3/1/0001', '3/1/0001'],
  ['3/1/123', '3/1/123'],
  ['3/1/2026', '3/1/2026'],
])('by a form with a year of two digits, %s is read as %s', async (written, expirationDate) => {
  const fields = { npn: 'NPN', expirationDate: { column: 'Ends', dates: ['M/d/yy'] } };
  const { records } = await read(`NPN,Ends\n17,${written}`, { type: 'license', fields });
  expect(records).toEqual([[2, { type: 'license', npn: '17', expirationDate }]]);
});

it('a first row that only names the delimiter is none', async () => {
  const { records, rejected } = await read(
    'sep=;\r\nNPN;Name\r\n17;x',
    agents({ firstName: 'Name' }, { delimiter: ';' }),
  );
  expect({ records, rejected }).toEqual({ records: [[3, agentOf('17', { firstName: 'x' })]], rejected: [] });
});

it.each([
  ['CR', '\r'],
  ['LF', '\n'],
  ['both', '\r\n'],
])('lines may end in %s', async (_, end) => {
  const rows = ['NPN,Notes', '17,', '', '18,"two', 'lines"', '19,x', '20', '21,', ''];
  const { records, rejected } = await read(rows.join(end), agents({ firstName: 'Notes' }));
  expect(records).toEqual([
    [2, agentOf('17')],
    [4, agentOf('18', { firstName: `two${end}lines` })],
    [6, agentOf('19', { firstName: 'x' })],
    [8, agentOf('21')],
  ]);
  expect(rejected).toMatchObject([{ line: 7 }]);
});

it.each([
  [
    'within a column that the mapping does not name',
    ['17,Ada,', '18,Ben,"quoted start', '19,Cy,', '20,Di,end quote"', '21,Ed,'],
    { rejected: 3, records: [2, 6] },
  ],
  [
    'that closes at the quote of another row',
    ['17,"Ada,x', '18,Ben,x', '19,"Cy",x', '20,Di,x'],
    { rejected: 2, records: [5] },
  ],
])('a stray quote %s makes no row disappear', async (_, rows, expected) => {
  const { records, rejected, rejectedLines } = await read(
    ['NPN,Name,Notes', ...rows].join('\n'),
    agents({ firstName: 'Name' }),
  );
  expect(records.map((record) => (record as [number])[0])).toEqual(expected.records);
  expect(rejected).toEqual([
    {
      line: expected.rejected,
      issues: [{ path: '', message: 'has a quote that takes in its line 2, which looks like a row' }],
    },
  ]);
  expect(rejectedLines.split('\n')).toHaveLength(5);
});

it('a list of plain values is read from a cell, or is constant', async () => {
  const table = 'NPN,Agencies\n17,a1; b2\n18,\n19,b2';
  const ofCell = agents({
    'downstreamEntityAssociationIds[]': { column: 'Agencies', separator: ';', words: { b2: 'the second' } },
  });
  expect((await read(table, ofCell)).records).toEqual([
    [2, agentOf('17', { downstreamEntityAssociationIds: ['a1', 'the second'] })],
    [3, agentOf('18', {})],
    [4, agentOf('19', { downstreamEntityAssociationIds: ['the second'] })],
  ]);
  const constant = agents({ 'downstreamEntityAssociationIds[]': { constant: ['a1', 'b2'] } });
  expect((await read('NPN\n17', constant)).records).toEqual([
    [2, agentOf('17', { downstreamEntityAssociationIds: ['a1', 'b2'] })],
  ]);
});

it('a row has no record where the column of `when` is empty, and none at all where it is nothing but delimiters', async () => {
  const mapping = agents(
    {},
    {
      also: [
        { type: 'appointment', when: 'Appointed', fields: { npn: 'NPN', status: 'Appointed' } },
        { type: 'market', when: 'Market', fields: { status: 'Market' } },
      ],
    },
  );
  const { records, rejected } = await read('NPN,Appointed,Market\n17,,\n , ,\n18,yes,\n', mapping);
  expect(records).toEqual([
    [2, agentOf('17')],
    [4, agentOf('18')],
    [4, { type: 'appointment', npn: '18', status: 'yes' }],
  ]);
  expect(rejected).toEqual([]);
});

it('a cell with several values is as many records, unless they are those of a list', async () => {
  const mapping = {
    type: 'appointment',
    fields: {
      npn: 'NPN',
      lineOfAuthorityName: { column: 'Lines', separator: ';' },
      lineOfAuthorityCode: { column: 'Lines', separator: ';', words: { Casualty: '16', Property: '17' } },
    },
  };
  const appointment = (lineOfAuthorityName: string, lineOfAuthorityCode: string) => ({
    type: 'appointment',
    npn: '17',
    lineOfAuthorityName,
    lineOfAuthorityCode,
  });
  expect((await read('NPN,Lines\n17,Property; casualty\n18,', mapping)).records).toEqual([
    [2, appointment('Property', '17')],
    [2, appointment('casualty', '16')],
    [3, { type: 'appointment', npn: '18' }],
  ]);
  // An appointment without a line would be of all lines.
  expect((await read('NPN,Lines\n17,;Property;;casualty;\n18,;', mapping)).records).toEqual([
    [2, appointment('Property', '17')],
    [2, appointment('casualty', '16')],
    [3, { type: 'appointment', npn: '18', lineOfAuthorityName: [], lineOfAuthorityCode: [] }],
  ]);
});

it('what one cell lacks beside the values of another is no value, so that the import refuses it', async () => {
  const of = (column: string) => ({ column, separator: ';' });
  const fields = { npn: 'NPN', stateCode: of('States'), expirationDate: of('Ends') };
  const table = 'NPN,States,Ends\n17,OK;TX,A\n17,OK;TX,A;B\n17,OK;TX;KS,A;';
  const { records } = await read(table, { type: 'license', fields });
  const found = records.map((pair) => Object.values(Object(Object(pair)[1])).slice(2));
  const [everyEnd, paired] = [
    [
      ['OK', 'A'],
      ['TX', 'A'],
    ],
    [
      ['OK', 'A'],
      ['TX', 'B'],
    ],
  ];
  expect(found).toEqual([...everyEnd, ...paired, ['OK', 'A'], ['TX', []], ['KS', []]]);
  const status = { 'linesOfAuthority[].status': of('Status'), 'linesOfAuthority[].code': of('Lines') };
  const ofLines = { npn: 'NPN', expirationDate: { constant: null }, ...status };
  const lines = await read('NPN,Lines,Status\n17,16;17,active;', { type: 'license', fields: ofLines });
  expect(lines.records).toMatchObject([
    [
      2,
      {
        linesOfAuthority: [
          { code: '16', status: 'active' },
          { code: '17', status: [] },
        ],
      },
    ],
  ]);
});

it('a table is read in its encoding', async () => {
  const table = 'NPN,Name\n17,Ren\xe9\n';
  const name = { firstName: 'Name' };
  expect((await read(table, agents(name, { encoding: 'windows-1252' }))).records).toEqual([
    [2, agentOf('17', { firstName: 'René' })],
  ]);
  const utf8 = await read(table, agents(name));
  expect(utf8.records).toEqual([]);
  expect(utf8.rejected).toEqual([{ line: 2, issues: [{ path: '', message: notUtf8 }] }]);
  // UTF-16, and a workbook.
  for (const other of ['\xff\xfeN\0P\0N\0\n\0', 'PK\x03\x04\x14\x00\x06\n']) {
    await expect(read(other, agents())).rejects.toThrow(`file: has a first row that ${notUtf8}`);
  }
});

const notUtf8 = 'is not UTF-8: save the file as CSV UTF-8, or name its `encoding` in the mapping';

it.each([
  ['NPN,Name\n', 'file: has nothing to import'],
  ['', 'file: has nothing to import'],
  ['NPN,Title\n17,x', 'mapping.fields.firstName: Name is not a column of the file'],
  ['NPN;Name\n17;x', 'mapping.fields.npn: NPN is not a column of the file'],
])('the table %j is refused before anything is sent', async (table, message) => {
  await expect(read(table, agents({ firstName: 'Name' }))).rejects.toThrow(message);
});

it('what is wrong with a mapping is said before anything is sent, with what there is', async () => {
  const refusal = (mapping: object) =>
    read('NPN,Name,name\n17,x,y', mapping).catch((error: unknown) => error);
  expect(await refusal(agents({ npm: 'NPN', firstName: 'Name' }))).toMatchObject({
    details: {
      issues: [
        {
          path: 'mapping.fields.npm',
          message: 'is not a field of agent',
          accepted: expect.arrayContaining(['npn', 'downstreamEntityAssociationIds[]']) as unknown,
        },
        {
          path: 'mapping.fields.firstName',
          message: 'Name is the name of several columns of the file',
          accepted: ['NPN', 'Name', 'name'],
        },
      ],
    },
  });
  expect(String(await refusal(agents({}, { when: 'Title' })))).toContain(
    'mapping.when: Title is not a column of the file',
  );
  await expect(importFile(jest.fn(), { file: inFolder('table.csv') })).rejects.toThrow('mapping');
});

it('licenses that would never end are refused, unless the mapping says that the table has no ends', async () => {
  const mapping = (fields: object) => ({ type: 'license', fields: { npn: 'NPN', ...fields } });
  await expect(read('NPN\n17', mapping({}))).rejects.toThrow('mapping.fields.expirationDate: is not mapped');
  expect((await read('NPN\n17', mapping({ expirationDate: { constant: null } }))).records).toEqual([
    [2, { type: 'license', npn: '17' }],
  ]);
});

it('a rejected row names its columns, their values, and what is accepted, once for all of its records', async () => {
  const fields = { npn: 'NPN', stateCode: 'State', licenseNumber: 'No.', status: { constant: 'active' } };
  const mapping = {
    type: 'license',
    fields: { ...fields, expirationDate: { column: 'Ends', dates: ['M/d/yyyy'] } },
    also: [
      { type: 'appointment', fields: { npn: 'NPN', status: { constant: 'active' }, companyCode: 'No.' } },
    ],
  };
  const table = 'NPN,State,No.,Ends\n8.9E+06,Ontario,1,2/30/2027\n17,TX,1,12/31/2027';
  const { rejected, rejectedLines } = await read(table, mapping, { dryRun: true });
  expect(rejected).toEqual([
    {
      line: 2,
      issues: [
        { path: 'npn', column: 'NPN', value: '8.9E+06', message: 'must be 1 to 10 digits' },
        { path: 'stateCode', column: 'State', value: 'Ontario', message: 'is not a state code such as TX' },
        {
          path: 'expirationDate',
          column: 'Ends',
          value: '2/30/2027',
          message: 'must be a date such as 2026-03-01, or M/d/yyyy',
          accepted: ['M/d/yyyy'],
        },
        { path: 'stateCode', message: 'is required' },
      ],
    },
    { line: 3, issues: [{ path: 'stateCode', message: 'is required' }] },
  ]);
  expect(rejectedLines).toBe(`${table}\n`);
});

it('what the import says of a field of one of the records of a row names the column of that record', async () => {
  const [file, mapping] = [inFolder('row.csv'), inFolder('row.json')];
  await writeFile(file, 'NPN,License,Appointment\n17,Active,\n8720017.0,Active,x');
  const also = [{ type: 'appointment', fields: { npn: 'NPN', status: 'Appointment' } }];
  const fields = { npn: 'NPN', status: 'License', expirationDate: { constant: null } };
  await writeFile(mapping, JSON.stringify({ type: 'license', fields, also }));
  const sent: unknown[] = [];
  const invoke = async (_: string, payload: object) => {
    sent.push(...z.parse(chunk, payload).lines.map((line) => JSON.parse(line) as unknown));
    const issues = [{ path: 'status', message: 'is required' }];
    return {
      imported: 0,
      rejected: [
        { line: 2, issues },
        { line: 3, issues: [] },
      ],
      ids: [],
    };
  };
  expect(await importFile(invoke, { file, mapping })).toMatchObject({
    rejected: [{ line: 2, issues: [{ path: 'status', column: 'Appointment', message: 'is required' }] }, {}],
  });
  // A program took the NPN for a decimal.
  expect(sent.at(-1)).toMatchObject({ npn: '8720017' });
});

it.each([
  ['$1,234.50', 1234.5],
  ['1234.5', 1234.5],
  ['(120.25)', -120.25],
  ['-$1,000', -1000],
  ['$-7', -7],
  ['.5', 0.5],
  ['1.234,50', undefined],
  ['1,23', undefined],
  ['(1', undefined],
  ['$', undefined],
  ['USD 5', undefined],
])('the amount %s is %d', (written, value) => {
  expect(numberOf(written)).toBe(value);
});

it.each([
  ['DELGADO, MARIA L', ['MARIA', 'L', 'DELGADO']],
  ['De la Cruz, Ana', ['Ana', '', 'De la Cruz']],
  ['OKAFOR, DANIEL JR', ['DANIEL', '', 'OKAFOR']],
  ['Smith, Jr.', ['Smith', '', '']],
  ['Maria L Delgado', ['Maria', 'L', 'Delgado']],
  ['Daniel Okafor Jr.', ['Daniel', '', 'Okafor']],
  ['Cher', ['Cher', '', '']],
])('the name %s is %j', (name, parts) => {
  expect((['first', 'middle', 'last'] as const).map((part) => partOfName(name, part))).toEqual(parts);
});
