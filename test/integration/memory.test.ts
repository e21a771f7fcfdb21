import {
  carrierOf,
  listed,
  reported,
  statusOf,
  stored,
  synchronize,
  versions,
} from '../support/agents-tests.ts';
import { clock, importLines } from '../support/carrier-records.ts';
import { license } from '../support/import-lines.ts';

/** A license to that day, as the registry has it. */
const to = (nextRenewalDate: string) => ({ nextRenewalDate, expirationDate: nextRenewalDate });

describe('what was true on a day', () => {
  it('is that a license had lapsed, though it was renewed since', async () => {
    const owner = await carrierOf(
      license({ issueDate: '2019-04-01', nextRenewalDate: '2026-03-31' }),
      license({ issueDate: '2019-04-01', nextRenewalDate: '2028-03-31', validFrom: '2026-05-15' }),
    );
    expect(await listed(owner)).toEqual([['100', '2028-03-31']]);
    expect(await statusOf(owner)).toEqual(['Licensed', 'current']);
    expect(await listed(owner, { asOf: '2026-04-20' })).toEqual([]);
    expect(await listed(owner, { asOf: '2026-03-31' })).toEqual([['100', '2026-03-31']]);
    expect(await listed(owner, { asOf: '2026-05-14' })).toEqual([]);
    expect(await listed(owner, { asOf: '2026-05-15' })).toEqual([['100', '2028-03-31']]);
    expect(await listed(owner, { asOf: '2019-03-31' })).toEqual([]);
  });

  it('counts a renewal that was learned late', async () => {
    const owner = await carrierOf();
    await synchronize(owner, '2026-01-05T09:00:00Z', reported(to('2026-03-31')));
    expect(await listed(owner, { asOf: '2026-04-10' })).toEqual([]);
    await synchronize(owner, '2026-04-20T09:00:00Z', reported(to('2028-03-31')));
    expect(await listed(owner, { asOf: '2026-04-10' })).toEqual([['1456789', '2028-03-31']]);
    // A correction of dates replaces what was recorded before, also for past days.
    expect(await listed(owner, { asOf: '2026-03-10' })).toEqual([['1456789', '2028-03-31']]);
    const knownAt = '2026-04-19T12:00:00Z';
    expect(await listed(owner, { asOf: '2026-03-10', knownAt })).toEqual([['1456789', '2026-03-31']]);
    expect(await listed(owner, { asOf: '2026-04-10', knownAt })).toEqual([]);
    expect(await statusOf(owner, '2026-01-04')).toEqual(['Licensed', 'registry dates']);
  });

  it('does not count a renewal through a status that had ended the license by then', async () => {
    const owner = await carrierOf();
    await synchronize(owner, '2026-01-05T09:00:00Z', reported(to('2026-12-31')));
    const lapsed = { ...to('2026-12-31'), status: 'suspended' };
    await synchronize(owner, '2026-04-05T09:00:00Z', reported(lapsed), 'reconciliation');
    await synchronize(owner, '2026-06-01T09:00:00Z', reported(to('2028-03-31')));
    const days = ['2026-04-04', '2026-04-05', '2026-05-31', '2026-06-01'];
    const lists = await Promise.all(days.map((asOf) => listed(owner, { asOf })));
    expect(lists.map(({ length }) => length)).toEqual([1, 0, 0, 1]);
    expect(await versions(owner)).toEqual([
      ['synchronization', '2026-01-05', null, '2026-12-31'],
      ['reconciliation', '2026-04-05', null, '2026-12-31'],
      ['synchronization', '2026-06-01', null, '2028-03-31'],
    ]);
  });

  it('ends in New York, when a version was recorded that day', async () => {
    const owner = await carrierOf();
    await synchronize(owner, '2026-01-05T09:00:00Z', reported(to('2027-03-31')));
    // Eleven in the evening of the ninth.
    await synchronize(owner, '2026-02-10T04:00:00Z', reported({ ...to('2027-03-31'), status: 'inactive' }));
    expect(await listed(owner, { asOf: '2026-02-08' })).toHaveLength(1);
    expect(await listed(owner, { asOf: '2026-02-09' })).toEqual([]);
  });

  it('is known of a license that the registry no longer reports, or reports again', async () => {
    const owner = await carrierOf();
    await synchronize(owner, '2026-01-05T09:00:00Z', reported(to('2027-03-31')));
    await synchronize(owner, '2026-03-05T09:00:00Z', reported());
    expect(await listed(owner)).toEqual([]);
    expect(await listed(owner, { asOf: '2026-03-04' })).toEqual([['1456789', '2027-03-31']]);
    expect(await listed(owner, { asOf: '2026-03-05' })).toEqual([]);
    await synchronize(owner, '2026-05-05T09:00:00Z', reported(to('2027-03-31')), 'reconciliation');
    expect(await listed(owner, { asOf: '2026-04-05' })).toEqual([]);
    expect(await listed(owner, { asOf: '2026-05-05' })).toEqual([['1456789', '2027-03-31']]);
    expect((await versions(owner)).map(([by, , , what]) => [by, what])).toEqual([
      ['synchronization', '2027-03-31'],
      ['synchronization', 'left out'],
      ['reconciliation', '2027-03-31'],
    ]);
  });

  it('filters by the status of the row that covers it', async () => {
    const owner = await carrierOf(
      license({ status: 'Active', validFrom: '2026-01-05' }),
      license({ status: 'active', validFrom: '2026-02-05' }),
    );
    expect(await listed(owner, { asOf: '2026-01-20', status: 'active' })).toEqual([]);
    expect(await listed(owner, { asOf: '2026-01-20', status: 'Active' })).toHaveLength(1);
    expect(await listed(owner, { asOf: '2026-02-20', status: 'active', stateCode: 'TX' })).toHaveLength(1);
    expect(await listed(owner, { asOf: '2026-02-20', stateCode: 'OK' })).toEqual([]);
  });
});

describe('an import', () => {
  const identity = { licenseNumber: '1456789', licenseClassCode: '1' };
  const lapsed = license({ ...identity, nextRenewalDate: '2026-03-31' });
  const renewed = license({ ...identity, nextRenewalDate: '2028-03-31', validFrom: '2026-05-15' });

  it('of the same file twice changes nothing, though it has several versions of a record', async () => {
    const owner = await carrierOf(lapsed, renewed);
    const before = await stored(owner);
    clock.time = new Date('2026-07-02T12:00:00.000Z');
    await importLines(owner, [renewed, lapsed]);
    expect(await stored(owner)).toEqual(before);
    expect((await versions(owner)).toSorted()).toEqual([
      ['import', '2026-07-01', null, '2026-03-31'],
      ['import', '2026-07-01', '2026-05-15', '2028-03-31'],
    ]);
  });

  it('takes the day of a time as it is written, and sets aside what is no date', async () => {
    const owner = await carrierOf({ ...renewed, validFrom: '2026-05-15T03:00:00Z' });
    expect((await versions(owner)).map(([, , validFrom]) => validFrom)).toEqual(['2026-05-15']);
    const { notes } = await importLines(owner, [{ ...renewed, validFrom: 'May' }]);
    expect(notes).toMatchObject([{ line: 1, message: expect.stringContaining('validFrom: must be a date') }]);
  });

  it('that corrects the first day of a version counts from there', async () => {
    const owner = await carrierOf(renewed);
    expect(await listed(owner, { asOf: '2026-05-10' })).toEqual([]);
    await importLines(owner, [{ ...renewed, validFrom: '2026-05-01' }]);
    expect(await listed(owner, { asOf: '2026-05-10' })).toHaveLength(1);
  });

  it('that deletes a record says that it never was, of which only a former moment knows', async () => {
    const owner = await carrierOf(lapsed);
    clock.time = new Date('2026-07-02T12:00:00.000Z');
    await importLines(owner, [{ ...lapsed, isDeleted: true }]);
    expect(await listed(owner)).toEqual([]);
    expect(await listed(owner, { asOf: '2026-03-01' })).toEqual([]);
    expect(await listed(owner, { asOf: '2026-03-01', knownAt: '2026-07-01T13:00:00Z' })).toEqual([
      ['1456789', '2026-03-31'],
    ]);
    expect((await versions(owner)).at(-1)).toEqual(['import', '2026-07-02', null, 'retracted']);
  });
});
