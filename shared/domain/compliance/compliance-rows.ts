import * as z from 'zod/mini';
import { described, describedShape } from '../../platform/contract/described.ts';
import { lazily } from '../../platform/contract/lazily.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { compiledObject, without } from '../../platform/contract/object.ts';
import { isoDate, objectId, stateCode } from '../../platform/contract/primitives.ts';
import { agentId, productId } from '../identifiers/ids.ts';
import { complianceBasis, complianceStatus, configBasis, statusParts } from './compliance-statuses.ts';
import { productName } from './resource.ts';

const statusOfSeller = lazily(() => ({ complianceStatus, ...statusParts(false), basis: complianceBasis }));

const status = lazily(() => ({ ...statusOfSeller(), configBasis }));

const agents = described(
  z.array(lazyObject(() => ({ agentId, ...statusOfSeller() }))),
  DOCUMENTED && {
    description:
      'The agents who sold the policy and were found, each with an own status; the policy’s is the strictest of them and the agency’s. Beside the present status, those who still work under the association.',
  },
);

const ofProduct = lazily(() =>
  describedShape(
    { npn: z.nullable(z.string()), productId, productName, stateCode },
    DOCUMENTED && {
      npn: {
        description: 'NPN whose licenses and appointments were checked; null for an agency without one.',
        examples: ['17654321'],
      },
      stateCode: 'State whose licenses and appointments were checked.',
    },
  ),
);

const exampleOfProduct = {
  npn: '17654321',
  productId: '65f0c1d2e3a4b5c6d7e8f905',
  productName: 'Contractors General Liability',
  stateCode: 'TX',
  complianceStatus: 'NOT_COMPLIANT',
  licenseStatus: { statusName: 'Licensed' },
  appointmentStatus: { statusName: 'Not Appointed', statusMessages: ['No active appointment in TX.'] },
} as const;

const descriptionOfProduct = 'Whether a producer or an agency may sell a product in a state.';

/** Whether a producer or an agency may sell a product in a state. */
export const licenseComplianceStatus = described(
  compiledObject(() => ({ ...ofProduct(), ...status() })),
  DOCUMENTED && {
    id: 'LicenseComplianceStatus',
    description: descriptionOfProduct,
    examples: [{ ...exampleOfProduct, basis: 'current', configBasis: 'version' }],
  },
);

export const licenseComplianceStatusV1 = described(
  without(licenseComplianceStatus, 'basis', 'configBasis'),
  DOCUMENTED && {
    id: 'LicenseComplianceStatusV1',
    description: descriptionOfProduct,
    examples: [exampleOfProduct],
  },
);

export type LicenseComplianceStatus = z.output<typeof licenseComplianceStatus>;

const ofPolicy = lazily(() =>
  describedShape(
    {
      policyId: objectId,
      policyNumber: z.string(),
      stateCode,
      productId: z.nullable(objectId),
      productName: z.nullable(productName),
    },
    DOCUMENTED && {
      policyId: 'Id of the policy that the agency may or may not service.',
      policyNumber: {
        description: 'Number that the carrier gave that policy.',
        examples: ['GL-2026-000123'],
      },
      stateCode: 'State of the policy’s risk, whose licenses and appointments count.',
      productId:
        'The product whose requirements were applied; null when none is known for the policy, and where several share its name: then the strictest decides.',
      productName: 'Name of that product in its compliance config; null when none is known for the policy.',
    },
  ),
);

const atEffectiveDate = described(
  z.nullable(
    lazyObject(() => ({
      ...describedShape(
        { effectiveDate: isoDate },
        DOCUMENTED && {
          effectiveDate: 'The policy’s effective date; the status is that at the end of the day in New York.',
        },
      ),
      ...status(),
      agents,
    })),
  ),
  DOCUMENTED && {
    description:
      'The status on the day when the policy takes effect; null for a policy without an `effectiveDate`. A day in the future is judged by the dates that are known now.',
  },
);

const exampleOfSeller = {
  agentId: '65f0c1d2e3a4b5c6d7e8f903',
  complianceStatus: 'COMPLIANT',
  licenseStatus: { statusName: 'Licensed' },
  appointmentStatus: { statusName: 'Appointed' },
  basis: 'current',
} as const;

const exampleOfPolicy = {
  policyId: '65f0c1d2e3a4b5c6d7e8f901',
  policyNumber: 'GL-2026-000123',
  stateCode: 'TX',
  productId: '65f0c1d2e3a4b5c6d7e8f905',
  productName: 'Contractors General Liability',
  complianceStatus: 'COMPLIANT',
  licenseStatus: { statusName: 'Licensed' },
  appointmentStatus: { statusName: 'Appointed' },
} as const;

const descriptionOfPolicy = 'Whether an agency, and the agents who sold it, may service a policy.';

/** Whether an agency may service one of its policies. */
export const policyComplianceStatus = described(
  compiledObject(() => ({ ...ofPolicy(), ...status(), agents, atEffectiveDate })),
  DOCUMENTED && {
    id: 'PolicyComplianceStatus',
    description: descriptionOfPolicy,
    examples: [
      {
        ...exampleOfPolicy,
        basis: 'current',
        configBasis: 'version',
        agents: [exampleOfSeller],
        atEffectiveDate: {
          effectiveDate: '2026-04-15',
          complianceStatus: 'NOT_COMPLIANT',
          licenseStatus: {
            statusName: 'Expired License',
            statusMessages: ['The license in TX expired on 2026-03-31.'],
          },
          appointmentStatus: { statusName: 'Appointed' },
          basis: 'history',
          configBasis: 'version',
          agents: [{ ...exampleOfSeller, basis: 'history' }],
        },
      },
    ],
  },
);

export const policyComplianceStatusV1 = described(
  without(policyComplianceStatus, 'basis', 'configBasis', 'agents', 'atEffectiveDate'),
  DOCUMENTED && {
    id: 'PolicyComplianceStatusV1',
    description: descriptionOfPolicy,
    examples: [exampleOfPolicy],
  },
);

export type PolicyComplianceStatus = z.output<typeof policyComplianceStatus>;
