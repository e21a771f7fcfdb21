import { appointmentOf, configOf, licenseOf, marketOf } from '../support/agency-records.ts';
import { agency, ask, organization, routes, today } from '../support/agency-tests.ts';
import { newId } from '../support/filings.ts';

const beacon = { name: 'Beacon Specialty', naicCodes: ['19437'], eins: ['75-1234567'] };

/** An agency licensed in Texas, and a market of it whose carrier requires an appointment there. */
async function market(fields: Parameters<typeof configOf>[0] = {}) {
  const { owner, entity } = await organization();
  const carrier = newId();
  await Promise.all([
    agency.put.carriers({ organizationId: carrier, ...beacon }),
    agency.put.markets(owner, marketOf(entity._id, { upstreamEntityId: carrier })),
    agency.put.configs(carrier, configOf(fields)),
    agency.put.licenses(owner, licenseOf()),
  ]);
  const actions = async () =>
    (await ask(owner, routes.listAgencyActionsRequired)).items.map(({ type }) => type);
  return { owner, carrier, actions };
}

it.each([
  ['of another insurer', { companyCode: '22314', carrierName: 'Keystone Surety' }, ['missing appointment']],
  ['by its name alone', { companyCode: null }, ['missing appointment']],
  ['by its NAIC code', { companyCode: '19437', carrierName: null }, []],
  ['by its EIN', { companyCode: null, ein: '751234567' }, []],
  ['called Appointed', { status: 'Appointed' }, []],
  ['with a reason for its end', { terminationReason: 'Request' }, ['missing appointment']],
])('an appointment in the market’s carrier’s records %s', async (_, fields, expected) => {
  const { carrier, actions } = await market();
  await agency.put.appointments(carrier, appointmentOf(fields));
  expect(await actions()).toEqual(expected);
});

it.each([
  ['of another insurer', { companyCode: '22314' }, ['missing appointment']],
  ['of the carrier', { companyCode: '19437' }, []],
])('an appointment in the agency’s own records %s', async (_, fields, expected) => {
  const { owner, actions } = await market();
  await agency.put.appointments(owner, appointmentOf(fields));
  expect(await actions()).toEqual(expected);
});

it('every line that the product requires needs an appointment', async () => {
  const { carrier, actions } = await market({
    states: [{ stateCode: 'TX', linesOfAuthority: ['16', '17'], appointment: 'required' }],
  });
  await agency.put.appointments(carrier, appointmentOf());
  expect(await actions()).toEqual(['missing appointment']);
  await agency.put.appointments(carrier, appointmentOf({ lineOfAuthorityCode: '17' }));
  expect(await actions()).toEqual([]);
});

it('the insurers of a product are named by its config, and appoint for it', async () => {
  const { owner, carrier, actions } = await market({ carrierNaicCodes: ['22314'] });
  const { items } = await ask(owner, routes.listAgencyComplianceConfigs);
  expect(items).toMatchObject([{ carrierNaicCodes: ['22314'] }]);
  await agency.put.appointments(carrier, appointmentOf());
  expect(await actions()).toEqual(['missing appointment']);
  await agency.put.appointments(carrier, appointmentOf({ companyCode: '22314' }));
  expect(await actions()).toEqual([]);
});

it('a license whose date has passed is expired in the overview, whatever the registry calls it', async () => {
  const { owner } = await organization();
  const numbered = (licenseNumber: string, status: string, nextRenewalDate: string | null) =>
    licenseOf({ licenseNumber, status, nextRenewalDate });
  await agency.put.licenses(
    owner,
    numbered('1', 'inactive', '2026-11-19'),
    numbered('2', 'expired', '2026-11-19'),
    numbered('3', 'active', '2026-11-19'),
    numbered('4', 'inactive', today),
    numbered('5', 'expired', null),
    // The date that is written counts.
    numbered('6', 'active', '2026-11-19T23:00:00-05:00'),
    numbered('7', 'active', '2026-11-20T03:00:00Z'),
  );
  const { data, items } = await ask(owner, routes.listAgencyLicenseOverview);
  expect(data['counts']).toEqual({ total: 7, active: 0, expiring: 1, expired: 4, inactive: 2 });
  expect(items).toMatchObject([{ nextRenewalDate: '2026-11-19', daysLeft: -1 }]);
});

it('a license that was given up requires no action, although its date has passed', async () => {
  const { owner } = await organization();
  await agency.put.licenses(
    owner,
    licenseOf({ licenseNumber: 'gone', status: 'surrendered', nextRenewalDate: '2020-01-01' }),
    licenseOf({ licenseNumber: 'late', status: 'expired', nextRenewalDate: '2026-11-19' }),
  );
  const { items } = await ask(owner, routes.listAgencyActionsRequired);
  expect(items).toMatchObject([{ type: 'license expired', licenseNumber: 'late' }]);
});
