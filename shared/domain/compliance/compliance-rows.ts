import * as z from 'zod/mini';
import { fields, object, without } from '../../platform/contract/object.ts';
import { isoDate, objectId, stateCode } from '../../platform/contract/primitives.ts';
import { productName } from '../decision/compliance-config.ts';
import {
  complianceBasis,
  complianceStatus,
  configBasis,
  statusParts,
} from '../decision/compliance-statuses.ts';

/** What a status says of why, and what it goes by. */
const grounds = fields(() => ({ ...statusParts.shape, basis: complianceBasis, configBasis }));

/** Whether a party may sell, why, and what the answer goes by. */
export const statusOfParty = fields(() => ({ complianceStatus, ...grounds.shape }));

/** Null where nothing is against and something is not known. */
export const policyVerdict = z.nullable(complianceStatus);

export const agents = z.array(
  object(() => ({
    agentId: objectId,
    complianceStatus: policyVerdict,
    ...statusParts.shape,
    basis: complianceBasis,
  })),
);

/** Whether the parties to a policy may sell what it is of, why, and what the answer goes by. */
const statusOfPolicy = fields(() => ({ complianceStatus: policyVerdict, ...grounds.shape, agents }));

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
  object(() => ({ effectiveDate: isoDate, ...statusOfPolicy.shape })),
);

/** The statuses are null where nobody could be judged. */
export const atSale = z.nullable(
  object(() => ({
    soldOn: z.iso.date(),
    ...statusOfPolicy.shape,
    licenseStatus: z.nullable(statusParts.shape.licenseStatus),
    appointmentStatus: z.nullable(statusParts.shape.appointmentStatus),
  })),
);

/** Whether an agency may service one of its policies. */
export const policyComplianceStatus = object(() => ({
  ...ofPolicy.shape,
  ...statusOfPolicy.shape,
  atEffectiveDate,
  atSale,
}));

/** Where something is not known, it is not compliant. */
export const policyComplianceStatusV1 = object(() => ({
  ...ofPolicy.shape,
  complianceStatus,
  ...statusParts.shape,
}));

export type PolicyComplianceStatus = z.output<typeof policyComplianceStatus>;
