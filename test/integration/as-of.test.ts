import {
  carrierOf,
  config,
  listed,
  listedToday,
  npn,
  params,
  productId,
  reported,
  routes,
  shown,
  statusOf,
  synchronize,
} from '../support/agents-tests.ts';
import { ask, clock, importLines } from '../support/carrier-records.ts';
import { license } from '../support/import-lines.ts';
import { databaseCalls } from '../support/tables.ts';

describe('asOf', () => {
  it.each(['2026-07-02', '2999-01-01'])('is refused for a day in the future: %s', async (asOf) => {
    const owner = await carrierOf();
    const query = { stateCode: 'TX', productId, asOf };
    for (const answer of [
      await ask(owner, routes.listAgentLicenses, { params, query: { asOf } }),
      await ask(owner, routes.listAgentLicenseComplianceStatuses, { params, query }),
    ]) {
      const issues = [{ path: 'asOf', message: 'must not be in the future' }];
      expect(answer).toMatchObject({ status: 400, details: { issues } });
    }
  });

  it.each(['', '2026-02-30', '2026-1-1', '20260101', '2026-01-01T00:00:00Z', 'today'])(
    'is refused where it is no date: "%s"',
    async (asOf) => {
      const owner = await carrierOf();
      expect(await ask(owner, routes.listAgentLicenses, { params, query: { asOf } })).toMatchObject({
        status: 400,
        details: { issues: [{ path: 'asOf' }] },
      });
    },
  );

  it('takes today in New York while it is tomorrow in UTC', async () => {
    const owner = await carrierOf(license());
    clock.time = new Date('2026-07-02T03:59:00.000Z');
    expect(await listed(owner, { asOf: '2026-07-01' })).toEqual([['100', null]]);
    expect(
      await ask(owner, routes.listAgentLicenses, { params, query: { asOf: '2026-07-02' } }),
    ).toMatchObject({
      status: 400,
    });
  });

  it('is unknown to v1, whose answers say nothing of a basis', async () => {
    const owner = await carrierOf(license());
    const query = { stateCode: 'TX', productId };
    for (const [route, given] of [
      [routes.listAgentLicensesV1, {}],
      [routes.listAgentLicenseComplianceStatusesV1, query],
    ] as const) {
      expect(await ask(owner, route, { params, query: { ...given, asOf: '2026-06-01' } })).toMatchObject({
        status: 400,
      });
    }
    const { data } = await ask(owner, routes.listAgentLicenseComplianceStatusesV1, { params, query });
    expect(data).toEqual([
      {
        npn,
        productId,
        productName: 'GL',
        stateCode: 'TX',
        complianceStatus: 'COMPLIANT',
        licenseStatus: { statusName: 'Licensed' },
        appointmentStatus: { statusName: 'Not Required' },
      },
    ]);
  });

  it('costs the calls of the present', async () => {
    const owner = await carrierOf(license());
    const route = routes.listAgentLicenseComplianceStatuses;
    const query = { stateCode: 'TX', productId };
    const present = await databaseCalls(() => ask(owner, route, { params, query }));
    const past = await databaseCalls(() =>
      ask(owner, route, { params, query: { ...query, asOf: '2026-06-01' } }),
    );
    // Keys that are read together have no order.
    expect({ ...past, readKeys: new Set(past.readKeys) }).toEqual({
      ...present,
      readKeys: new Set(present.readKeys),
    });
  });
});

describe('knownAt', () => {
  it('leaves out what was recorded later, and says where nothing was known', async () => {
    const owner = await carrierOf(license());
    clock.time = new Date('2026-07-02T12:00:00.000Z');
    const query = { stateCode: 'TX', productId };
    const known = async (knownAt: string) => {
      const route = routes.listAgentLicenseComplianceStatuses;
      const { data } = await ask(owner, route, { params, query: { ...query, knownAt } });
      return data;
    };
    expect(await known('2026-07-01T13:00:00Z')).toMatchObject([
      { complianceStatus: 'COMPLIANT', licenseStatus: { statusName: 'Licensed' }, basis: 'history' },
    ]);
    expect(await known('2026-06-30T13:00:00Z')).toMatchObject([
      {
        complianceStatus: 'NOT_COMPLIANT',
        licenseStatus: {
          statusMessages: ['No active license in TX.', 'Nothing was known by 2026-06-30T13:00:00.000Z.'],
        },
        basis: 'registry dates',
      },
    ]);
  });

  it.each(['2026-07-02T12:00:00.001Z', '2026-07-01', 'now'])('is refused: %s', async (knownAt) => {
    const owner = await carrierOf();
    clock.time = new Date('2026-07-02T12:00:00.000Z');
    expect(await ask(owner, routes.listAgentLicenses, { params, query: { knownAt } })).toMatchObject({
      status: 400,
      details: { issues: [{ path: 'knownAt' }] },
    });
  });
});

describe('a config', () => {
  it('decides about the days on which it is in force, as it was known', async () => {
    const owner = await carrierOf(license({ issueDate: '2020-01-01' }));
    const requiring = {
      ...config,
      states: [{ stateCode: 'TX', linesOfAuthority: ['77'], appointment: 'not required' }],
    };
    clock.time = new Date('2026-07-02T12:00:00.000Z');
    await importLines(owner, [{ ...requiring, validFrom: '2026-05-01' }]);
    const route = routes.listAgentLicenseComplianceStatuses;
    const of = async (query: Record<string, string>) => {
      const { data } = await ask(owner, route, { params, query: { stateCode: 'TX', productId, ...query } });
      const [row] = data as { complianceStatus: string; configBasis: string }[];
      return [row?.complianceStatus, row?.configBasis];
    };
    // The first version began on 1 July; the second is the first one in force.
    expect(await of({ asOf: '2026-04-30' })).toEqual(['NOT_COMPLIANT', 'first version']);
    expect(await of({ asOf: '2026-05-01' })).toEqual(['NOT_COMPLIANT', 'version']);
    expect(await of({ asOf: '2026-07-01' })).toEqual(['COMPLIANT', 'version']);
    const knownAt = '2026-07-01T13:00:00Z';
    expect(await of({ asOf: '2026-05-01', knownAt })).toEqual(['COMPLIANT', 'first version']);
  });
});

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
