import type { CarrierIdentity } from '../decision/carrier.ts';
import type { ConfigBasis, ConfigVersion } from '../decision/configs.ts';
import { type Coverage, coverageOf } from '../decision/coverage.ts';
import { type Answer, decide, type Party } from '../decision/decide.ts';
import type { HolderFacts } from '../decision/facts.ts';
import type { Appointment } from '../registry-records/appointment.ts';
import type { License } from '../registry-records/license.ts';
import type { ComplianceBasis } from './compliance-statuses.ts';
import type { Moment } from './moment.ts';

type Statuses = Pick<
  Answer<License, Appointment>,
  'complianceStatus' | 'licenseStatus' | 'appointmentStatus'
>;

/** A status as it is answered. */
export interface Compliance extends Statuses {
  readonly basis: ComplianceBasis;
  readonly configBasis: ConfigBasis;
}

/** A question about a party whose facts were read. */
export interface StatusQuestion {
  readonly party: Party;
  readonly facts: HolderFacts<License, Appointment>;
  readonly stateCode: License['stateCode'];
  readonly configs: readonly [ConfigVersion, ...ConfigVersion[]];
  readonly carrier: CarrierIdentity;
  readonly moment: Moment;
}

/** What makes a status another one: names alone, since the description of a status may be reworded. */
export const statusNames = ({ complianceStatus, licenseStatus, appointmentStatus }: Statuses): string =>
  [complianceStatus, licenseStatus.statusName, appointmentStatus.statusName].join('/');

/** Whether a party may sell a product in a state (OpenAPI, "How compliance is decided"). */
export const complianceOf = ({ facts, moment, ...question }: StatusQuestion): Compliance =>
  statusOf({ ...question, coverage: coverageOf(facts, moment.knownAt), moment });

/** The same from facts whose coverage is known already. */
export function statusOf({
  moment: { day, knownAt, isPresent, isToday },
  ...question
}: Omit<StatusQuestion, 'facts'> & { readonly coverage: Coverage<License, Appointment> }): Compliance {
  const answer = decide({ ...question, day, knownAt });
  const { complianceStatus, licenseStatus, appointmentStatus, basis, configBasis } = answer;
  const isUnknown = !isToday && question.coverage.size === 0;
  return {
    complianceStatus,
    licenseStatus: isUnknown
      ? {
          ...licenseStatus,
          statusMessages: [...(licenseStatus.statusMessages ?? []), `Nothing was known by ${knownAt}.`],
        }
      : licenseStatus,
    appointmentStatus,
    basis: isPresent ? 'current' : basis,
    configBasis,
  };
}
