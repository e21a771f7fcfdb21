import * as z from 'zod/mini';
import { fields, object, without } from '../../platform/contract/object.ts';
import { isoDate, objectId, stateCode } from '../../platform/contract/primitives.ts';
import { complianceBasis, complianceStatus, configBasis, statusParts } from './compliance-statuses.ts';
import { productName } from './resource.ts';

const statusOfSeller = fields(() => ({ complianceStatus, ...statusParts.shape, basis: complianceBasis }));

/** Whether a party may sell, why, and what the answer goes by. */
export const statusOfParty = fields(() => ({ ...statusOfSeller.shape, configBasis }));

export const agents = z.array(object(() => ({ agentId: objectId, ...statusOfSeller.shape })));

const ofProduct = fields(() => ({
  npn: z.nullable(z.string()),
  productId: objectId,
  productName,
  stateCode,
}));

/** Whether a producer or an agency may sell a product in a state. */
export const licenseComplianceStatus = object(() => ({ ...ofProduct.shape, ...statusOfParty.shape }));

export const licenseComplianceStatusV1 = without(licenseComplianceStatus, 'basis', 'configBasis');

export type LicenseComplianceStatus = z.output<typeof licenseComplianceStatus>;

/** A policy whose compliance is shown, and its product. */
export const ofPolicy = fields(() => ({
  policyId: objectId,
  policyNumber: z.string(),
  stateCode,
  productId: z.nullable(objectId),
  productName: z.nullable(productName),
}));

export const atEffectiveDate = z.nullable(
  object(() => ({ effectiveDate: isoDate, ...statusOfParty.shape, agents })),
);

/** Whether an agency may service one of its policies. */
export const policyComplianceStatus = object(() => ({
  ...ofPolicy.shape,
  ...statusOfParty.shape,
  agents,
  atEffectiveDate,
}));

export const policyComplianceStatusV1 = without(
  policyComplianceStatus,
  'basis',
  'configBasis',
  'agents',
  'atEffectiveDate',
);

export type PolicyComplianceStatus = z.output<typeof policyComplianceStatus>;
