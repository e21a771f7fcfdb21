import * as z from 'zod/mini';
import { recordSchemas } from '../../../../functions/import/record-schemas.ts';
import { describeRecords, recordTypes } from '../../../../infra/admin/describe-records.ts';
import { sampleLines } from '../../../../infra/samples.ts';

it.each(recordTypes)('%s: the description has the required fields, and an example that is valid', (type) => {
  const [fields = '', example = ''] = describeRecords(type).split('\n\nExample:\n\n');
  expect(fields).toMatch(new RegExp(`^type \\(required\\): ${type}$`, 'm'));
  const record: unknown = JSON.parse(example);
  expect(z.safeParse(recordSchemas[type], record).error).toBeUndefined();
  const required = Array.from(fields.matchAll(/^([A-Za-z_]+) \(required\): /gm), ([, field]) => field);
  expect(Object.keys(record ?? {})).toEqual(expect.arrayContaining(required));
});

it('each field of an agent has a meaning below its value', () => {
  const [fields = ''] = describeRecords('agent').split('\n\nExample:');
  const [, ...described] = fields.split(/\n(?! )/);
  expect(described.length).toBeGreaterThan(20);
  expect(described.filter((field) => !/\n {4}\S/.test(field))).toEqual([]);
});

it('fields within others are described with their path, their values, and what they mean', () => {
  const text = describeRecords('contact');
  expect(text).toContain('\nassociations[].downstreamEntityId (required): id\n    The agency.\n');
  expect(text).toContain('\n_id: id\n    Id of the record.');
});

it('the dates of the samples move with the day', () => {
  const renewal = (day?: string) =>
    sampleLines('downstream', day)
      .map((line) => /"nextRenewalDate":"([^"]+)"/.exec(line)?.[1])
      .find((date) => date !== undefined);
  expect([renewal(), renewal('2026-03-02'), renewal('2027-03-01')]).toEqual([
    '2026-10-27',
    '2026-10-28',
    '2027-10-27',
  ]);
});
