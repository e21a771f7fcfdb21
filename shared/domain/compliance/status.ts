import * as z from 'zod/mini';
import { isoDate, objectId, stateCode } from '#platform/contract/primitives.ts';
import { sinceV2 } from '#platform/contract/v1.ts';
import type { CarrierIdentity } from '../decision/carrier.ts';
import {
  appointmentStatus,
  type ConfigVersion,
  complianceBasis,
  complianceStatus,
  configBasis,
  licenseStatus,
  productName,
  statusParts,
} from '../decision/compliance-config.ts';
import type { Coverage } from '../decision/coverage.ts';
import { type Answer, decideParty, overdueFrom, type PartyFacts } from '../decision/decide.ts';
import type { License } from '../registry/resources.ts';
import type { Moment } from './moment.ts';

/** A question about a party whose records were read. */
export interface StatusQuestion extends Pick<PartyFacts, 'party' | 'npn'> {
  readonly coverage: Coverage;
  readonly stateCode: License['stateCode'];
  readonly configs: readonly [ConfigVersion, ...ConfigVersion[]];
  readonly carrier: CarrierIdentity;
  readonly moment: Moment;
}

/** Names that tell a status from another one; its description may be reworded. */
export const statusNames = ({
  complianceStatus,
  licenseStatus,
  appointmentStatus,
}: Pick<Answer, 'licenseStatus' | 'appointmentStatus'> & { readonly complianceStatus: string }): string =>
  [complianceStatus, licenseStatus.statusName, appointmentStatus.statusName].join('/');

/**
 * The status of a party, as lists and events have it, and the day from which an appointment is overdue; null where that is not to
 * come.
 */
export const statusesOf = (question: Parameters<typeof decideParty>[0]) => {
  const answer = decideParty(question);
  const { verdict, licenseStatus, appointmentStatus, basis, configBasis } = answer;
  // Of two values: what is not known is not compliant.
  const complianceStatus = verdict === 'yes' ? 'COMPLIANT' : 'NOT_COMPLIANT';
  const status = { complianceStatus, licenseStatus, appointmentStatus, basis, configBasis } as const;
  return { status, overdueFrom: overdueFrom(answer, question.day) };
};

/** Whether a party may sell a product in a state (OpenAPI, "How compliance is decided"). */
export function statusOf({ moment: { day, knownAt, isPresent, isToday }, ...question }: StatusQuestion) {
  const { licenseStatus, basis, ...status } = statusesOf({ ...question, day, knownAt }).status;
  const isUnknown = !isToday && [...question.coverage.keys()].length === 0;
  return {
    ...status,
    licenseStatus: isUnknown
      ? {
          ...licenseStatus,
          statusMessages: [...(licenseStatus.statusMessages ?? []), `Nothing was known by ${knownAt}.`],
        }
      : licenseStatus,
    basis: isPresent ? ('current' as const) : basis,
  };
}

/** Whether an agency that has no NPN needs one. */
export const npnOf = ({
  npn,
  isNpnRequired,
}: {
  readonly npn: string | null;
  readonly isNpnRequired: boolean;
}): PartyFacts['npn'] => {
  if (npn !== null) return undefined;
  return isNpnRequired ? 'missing' : 'not needed';
};

/** Reasons of a status, and what it goes by. */
const grounds = z.object({
  ...statusParts.shape,
  basis: sinceV2(complianceBasis),
  configBasis: sinceV2(configBasis),
});

/** Whether a party may sell, why, and what the answer goes by. */
export const statusOfParty = z.object({ complianceStatus, ...grounds.shape });

/** Null where nothing is against and something is not known. */
export const policyVerdict = z.nullable(complianceStatus);

export const statusOfAgent = z.object({
  agentId: objectId,
  complianceStatus: policyVerdict,
  ...statusParts.shape,
  basis: complianceBasis,
});

/** Whether the parties to a policy may sell what it is of, why, and what the answer goes by. */
const statusOfPolicy = z.object({
  complianceStatus: policyVerdict,
  ...grounds.shape,
  agents: z.array(statusOfAgent),
});

const ofProduct = z.object({
  npn: z.nullable(z.string()),
  productId: objectId,
  productName,
  stateCode,
});

/** Whether a producer or an agency may sell a product in a state. */
export const licenseComplianceStatus = z.object({ ...ofProduct.shape, ...statusOfParty.shape });

export type LicenseComplianceStatus = z.output<typeof licenseComplianceStatus>;

/** A policy whose compliance is shown, and its product. */
export const ofPolicy = z.object({
  policyId: objectId,
  policyNumber: z.string(),
  stateCode,
  productId: z.nullable(objectId),
  productName: z.nullable(productName),
});

export const statusAtEffectiveDate = z.object({ effectiveDate: isoDate, ...statusOfPolicy.shape });

/** The statuses are null where nobody could be judged. */
export const statusAtSale = z.object({
  soldOn: z.iso.date(),
  ...statusOfPolicy.shape,
  licenseStatus: z.nullable(licenseStatus),
  appointmentStatus: z.nullable(appointmentStatus),
});

/** The status of those who sold a policy last, on the days that do not move. */
export const statusesOnDays = z.object({
  atEffectiveDate: z.nullable(statusAtEffectiveDate),
  atSale: z.nullable(statusAtSale),
});

/** Whether an agency may service one of its policies. */
export const policyComplianceStatus = z.object({
  ...ofPolicy.shape,
  ...statusOfPolicy.shape,
  ...statusesOnDays.shape,
});

/** The status in v1: what is not known is not compliant. */
export const policyComplianceStatusV1 = z.object({
  ...ofPolicy.shape,
  complianceStatus,
  ...statusParts.shape,
});

export type PolicyComplianceStatus = z.output<typeof policyComplianceStatus>;
