import {
  carrierOf,
  listed,
  listedToday,
  reported,
  shown,
  statusOf,
  synchronize,
} from '../support/agents-tests.ts';
import { clock, importLines } from '../support/carrier-records.ts';
import { license } from '../support/import-lines.ts';

/** A license to that day, as the registry has it. */
const to = (nextRenewalDate: string) => ({ nextRenewalDate, expirationDate: nextRenewalDate });

describe('what was true on a day', () => {
  it('is that a license had lapsed, though there is another one since', async () => {
    const owner = await carrierOf(
      license({ issueDate: '2019-04-01', nextRenewalDate: '2026-03-31' }),
      license({ issueDate: '2026-05-15', nextRenewalDate: '2028-03-31' }),
    );
    expect(await listedToday(owner)).toEqual([['2028-03-31', true]]);
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
    const knownAt = '2026-04-19T12:00:00Z';
    expect(await listed(owner, { asOf: '2026-03-10', knownAt })).toEqual([['1456789', '2026-03-31']]);
    expect(await listed(owner, { asOf: '2026-04-10', knownAt })).toEqual([]);
    expect(await statusOf(owner, '2026-01-04')).toEqual(['Licensed', 'registry dates']);
  });

  it('begins and ends in New York', async () => {
    const owner = await carrierOf();
    await synchronize(owner, '2026-01-05T09:00:00Z', reported(to('2027-03-31')));
    // Eleven in the evening of the ninth.
    await synchronize(owner, '2026-02-10T04:00:00Z', reported({ ...to('2027-03-31'), status: 'suspended' }));
    expect(await listed(owner, { asOf: '2026-02-08' })).toHaveLength(1);
    expect(await listed(owner, { asOf: '2026-02-09' })).toEqual([]);
  });

  it('is known of a license that the registry no longer reports, or reports again', async () => {
    const owner = await carrierOf();
    await synchronize(owner, '2026-01-05T09:00:00Z', reported(to('2027-03-31')));
    await synchronize(owner, '2026-03-05T09:00:00Z', reported());
    expect(await listedToday(owner)).toEqual([['2027-03-31', false]]);
    expect(await listed(owner, { asOf: '2026-03-04' })).toEqual([['1456789', '2027-03-31']]);
    expect(await listed(owner, { asOf: '2026-03-05' })).toEqual([]);
    await synchronize(owner, '2026-05-05T09:00:00Z', reported(to('2027-03-31')));
    expect(await listedToday(owner)).toEqual([['2027-03-31', true]]);
    expect(await listed(owner, { asOf: '2026-04-05' })).toEqual([]);
    expect(await listed(owner, { asOf: '2026-05-05' })).toEqual([['1456789', '2027-03-31']]);
  });

  it('is filtered by the status of the row that says so', async () => {
    const owner = await carrierOf(license({ status: 'Active', issueDate: '2020-01-01' }));
    expect(await listed(owner, { asOf: '2026-01-20', status: 'active' })).toEqual([]);
    expect(await listed(owner, { asOf: '2026-01-20', status: 'Active', stateCode: 'TX' })).toHaveLength(1);
    expect(await listed(owner, { asOf: '2026-02-20', stateCode: 'OK' })).toEqual([]);
  });
});

describe('an import', () => {
  const lapsed = license({ issueDate: '2020-01-01', nextRenewalDate: '2026-03-31' });

  it('of the same file twice changes no answer, and nothing that lists show', async () => {
    const owner = await carrierOf(lapsed);
    const before = await shown(owner);
    clock.time = new Date('2026-07-02T12:00:00.000Z');
    await importLines(owner, [lapsed]);
    expect(await shown(owner)).toEqual(before);
    expect(await listed(owner, { asOf: '2026-03-31' })).toEqual([['100', '2026-03-31']]);
  });

  it('that deletes a record says that it never was, of which only a former moment knows', async () => {
    const owner = await carrierOf(lapsed);
    clock.time = new Date('2026-07-02T12:00:00.000Z');
    await importLines(owner, [{ ...lapsed, isDeleted: true }]);
    expect(await listed(owner)).toEqual([]);
    expect(await listed(owner, { asOf: '2026-03-01' })).toEqual([]);
    expect(await listed(owner, { asOf: '2026-03-01', knownAt: '2026-07-01T13:00:00Z' })).toEqual([
      ['100', '2026-03-31'],
    ]);
  });
});
