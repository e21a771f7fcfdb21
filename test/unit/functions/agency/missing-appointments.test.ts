import type { ComplianceConfig } from '#domain/decision/compliance-config.ts';
import { coverageOf } from '#domain/decision/coverage.ts';
import type { Appointment, License } from '#domain/registry/resources.ts';
import { missingAppointments } from '../../../../functions/agency/lists.ts';
import { appointmentOf, configOf, licenseOf, marketOf, oneVersion } from '../../../support/agency-records.ts';
import { recordsOfRows } from '../../../support/compliance-status.ts';

const today = '2026-11-20';
const market = marketOf('65f0c1d2e3a4b5c6d7e8f906');
const carrier = { name: 'Beacon Specialty', naicCodes: [], eins: [] };

describe('missing appointments', () => {
  interface Records {
    readonly configs: readonly ComplianceConfig[];
    readonly licenses: readonly License[];
    readonly appointments: readonly Appointment[];
    /** What the carrier alone has. */
    readonly ofCarrier: readonly Appointment[];
  }

  const missing = ({
    configs = [configOf()],
    licenses = [licenseOf()],
    appointments = [],
    ofCarrier = [],
  }: Partial<Records>) => {
    const knownAt = `${today}T12:00:00.000Z`;
    const own = coverageOf(recordsOfRows(licenses, appointments), knownAt);
    const records = {
      configs: configs.map(oneVersion),
      carrier,
      ownCoverage: own,
      ofCarrier: coverageOf(recordsOfRows([], ofCarrier), knownAt),
    };
    return missingAppointments(market, '17654321', records, { day: today, knownAt }).map(
      ({ stateCode, products }) => `${stateCode} ${products.length}`,
    );
  };

  it('are told by state, with the products that require them', () => {
    expect(missing({ configs: [configOf(), configOf()] })).toEqual(['TX 2']);
  });

  it('are told where the carrier alone knows why it does not appoint on binding', () => {
    const config = configOf();
    const configs = [
      { ...config, states: config.states.map((state) => ({ ...state, appointment: 'on binding' as const })) },
    ];
    expect(missing({ configs })).toEqual([]);
    const ended = appointmentOf({ status: 'terminated', terminationReason: 'For cause' });
    expect(missing({ configs, ofCarrier: [ended] })).toEqual(['TX 1']);
  });

  it.each([
    ['there is no license', { licenses: [] }],
    ['the product asks nothing of the state', { licenses: [licenseOf({ stateCode: 'OK' })] }],
    ['there is an appointment', { appointments: [appointmentOf()] }],
  ])('are none where %s', (_, records) => {
    expect(missing(records)).toEqual([]);
  });
});
