import { readFile, writeFile } from 'node:fs/promises';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { STSClient } from '@aws-sdk/client-sts';
import { mockClient } from 'aws-sdk-client-mock';
import { recordTypes } from '../../../../infra/admin/fields.ts';
import { functionsOf } from '../../../../infra/admin/functions.ts';
import { importFile } from '../../../../infra/admin/import-file.ts';
import { sampleFiles, sampleLines } from '../../../../infra/samples.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const clients = [mockClient(LambdaClient), mockClient(STSClient)];

const inFolder = temporaryFolder('dry-run-');

/** The dry run of an import, by a program that finds nothing to call. */
async function dryRun(input: object): Promise<object> {
  const answer = await importFile(functionsOf('sandbox'), { ...input, dryRun: true });
  for (const client of clients) expect(client.calls()).toEqual([]);
  return answer;
}

it('the samples are valid records of every type, counted by it, of which the first five are shown as they are', async () => {
  const ofCarrier = await dryRun({ file: sampleFiles.upstream });
  const records = sampleLines('upstream').map((line) => JSON.parse(line) as { type: string });
  const ofAgency = await dryRun({ file: sampleFiles.downstream });
  expect(ofCarrier).toMatchObject({ records: records.slice(0, 5), rejected: [] });
  expect(ofAgency).toMatchObject({ rejected: [] });
  const [counts, more] = [ofCarrier, ofAgency].map((answer) => Reflect.get(answer, 'counts') as object);
  expect(counts).toMatchObject({ license: records.filter(({ type }) => type === 'license').length });
  expect(Object.keys({ ...counts, ...more }).sort()).toEqual(recordTypes.toSorted());
});

it('the rows of a table are shown as the records that would be sent', async () => {
  const sample = 'functions/import/samples/state-appointments';
  const [header = '', first = '', ...rows] = (await readFile(`${sample}.csv`, 'utf8')).trim().split('\n');
  const file = inFolder('table.csv');
  await writeFile(file, [header, first, '8700011', ...rows].join('\n'));
  expect(await dryRun({ file, mapping: `${sample}.mapping.json` })).toEqual({
    records: Array.from({ length: 1 + rows.length }, () =>
      expect.objectContaining({ type: 'appointment', stateCode: expect.any(String) }),
    ),
    counts: { appointment: 1 + rows.length },
    rejected: [{ line: 3, issues: [{ path: '', message: expect.stringContaining('columns') }] }],
  });
});

it('what is not valid is rejected with its line and field, and written to a file to be corrected', async () => {
  const license = { npn: '8123456', stateCode: 'TX', licenseNumber: '1', status: 'active' };
  const lines = [
    { type: 'boat' },
    { type: 'license', ...license, expirationDate: 'soon' },
    { type: 'agent', npn: '8123456', firstName: 'Ada', lastName: 'Byron', misspelt: 1 },
    { type: 'carrier', naicCode: '19437' },
    { type: 'license', ...license },
  ].map((line) => JSON.stringify(line));
  const [file, rejectedFile] = [inFolder('records.ndjson'), inFolder('rejected.ndjson')];
  await writeFile(file, [...lines, '{'].join('\n'));
  expect(await dryRun({ file, rejectedFile })).toMatchObject({
    records: [{ type: 'license' }],
    counts: { license: 1 },
    rejected: [
      { line: 1, issues: [{ path: 'type' }] },
      {
        line: 2,
        issues: [
          {
            path: 'expirationDate',
            value: 'soon',
            message: 'must be a date such as 2026-03-01, or a date-time such as 2026-03-01T14:05:09Z',
          },
        ],
      },
      { line: 3, issues: [{ path: 'misspelt' }] },
      { line: 4, issues: [{ path: 'name' }] },
      { line: 6, issues: [{ message: expect.stringMatching(/^is not valid JSON/) }] },
    ],
  });
  expect(await readFile(rejectedFile, 'utf8')).toBe(`${[...lines.slice(0, 4), '{'].join('\n')}\n`);
});

it('the reports of the registry are shown as they would be sent, of each NPN one', async () => {
  const file = inFolder('reports.xml');
  const person = '<NAME_LAST>BYRON</NAME_LAST><NPN>8123456</NPN><ID_SSN>999-88-7777</ID_SSN>';
  const report = `<PDB><PRODUCER><INDIVIDUAL><ENTITY_BIOGRAPHIC><BIOGRAPHIC>${person}</BIOGRAPHIC></ENTITY_BIOGRAPHIC><PRODUCER_LICENSING><LICENSE_INFORMATION/></PRODUCER_LICENSING></INDIVIDUAL></PRODUCER></PDB>`;
  await writeFile(file, `<PDBS>${report}${report}</PDBS>`);
  const askedAt = '2026-07-10T12:00:00Z';
  expect(await dryRun({ file, askedAt })).toMatchObject({
    records: [{ type: 'registry-report', npn: '8123456' }],
    counts: { 'registry-report': 1 },
    rejected: [expect.objectContaining({ line: 1 })],
  });
});

it('ids are not asked for, so that those of an import are not written over', async () => {
  await expect(dryRun({ file: sampleFiles.upstream, idsFile: inFolder('ids') })).rejects.toThrow('idsFile');
});
