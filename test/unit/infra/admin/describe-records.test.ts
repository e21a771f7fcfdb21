import * as z from 'zod/mini';
import { recordSchemas } from '../../../../functions/import/record-schemas.ts';
import { describeRecords, recordTypes } from '../../../../infra/admin/describe-records.ts';
import { sampleLines } from '../../../../infra/samples.ts';

it.each(recordTypes)('%s: the description has the required fields, and an example that is valid', (type) => {
  const [table = '', example = ''] = describeRecords(type).split('\n\nExample:\n\n');
  expect(table).toMatch(new RegExp(`^type +yes +${type}$`, 'm'));
  const record: unknown = JSON.parse(example);
  expect(z.safeParse(recordSchemas[type], record).error).toBeUndefined();
  const required = Array.from(table.matchAll(/^([A-Za-z_]+) +yes /gm), ([, field]) => field);
  expect(Object.keys(record ?? {})).toEqual(expect.arrayContaining(required));
});

it('each field of an agent has a meaning beside its value', () => {
  const [table = ''] = describeRecords('agent').split('\n\nExample:');
  const [heading = '', , ...rows] = table.split('\n');
  const meaning = heading.indexOf('Meaning');
  const fields = rows.filter((row) => /^(?!type )\S/.test(row));
  expect(fields.length).toBeGreaterThan(20);
  expect(fields.filter((row) => row.slice(meaning).trim() === '')).toEqual([]);
});

it('fields within others are described with their path, their values, and what they mean', () => {
  const text = describeRecords('contact');
  expect(text).toMatch(/^associations\[\]\.downstreamEntityId +yes +id +The agency\.$/m);
  expect(text).toMatch(/^_id +id +Id of the record\./m);
});

it('without a type the types are listed; an unknown one is answered with them', () => {
  const list = describeRecords(undefined).split('\n');
  expect(list).toEqual(expect.arrayContaining(recordTypes));
  expect(() => describeRecords('boat')).toThrow(/^There is no type "boat"\. Choose one of carrier, /);
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
