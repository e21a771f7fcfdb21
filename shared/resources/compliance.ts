import * as z from 'zod/mini';
import { described } from '../contract/described.ts';
import { compiledObject } from '../contract/object.ts';
import { objectId, stateCode, timestamp } from '../contract/primitives.ts';
import { naicCode } from './naic-code.ts';

export const appointmentRequirements = ['required', 'not required', 'on binding'] as const;

/** What a product requires of its producers in one state. */
export const stateRequirement = z.object({
  stateCode,
  linesOfAuthority: described(
    z.array(z.string().check(z.minLength(1), z.maxLength(50))).check(z.maxLength(100)),
    DOCUMENTED && {
      description: 'Codes of the lines of authority that a license must have.',
      examples: [['16']],
    },
  ),
  appointment: z.enum(appointmentRequirements),
});

export const productName = described(
  z.string().check(z.minLength(1), z.maxLength(300)),
  DOCUMENTED && { examples: ['Contractors General Liability'] },
);

/** NAIC company codes of the insurers that write a product. */
export const carrierNaicCodes = described(
  z.optional(z.array(naicCode).check(z.minLength(1), z.maxLength(100))),
  DOCUMENTED && {
    description:
      'NAIC company codes of the insurers that write the product. Only their appointments count for it, instead of the organization’s own.',
    examples: [['19437']],
  },
);

/** What a product requires of its producers, by state. */
export const complianceConfig = described(
  compiledObject({
    productId: objectId,
    productName,
    carrierNaicCodes,
    states: z.array(stateRequirement),
  }),
  DOCUMENTED && {
    id: 'ComplianceConfig',
    description: 'What a product requires of its producers, by state.',
    examples: [
      {
        productId: '65f0c1d2e3a4b5c6d7e8f905',
        productName: 'Contractors General Liability',
        states: [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' }],
      },
    ],
  },
);

export type ComplianceConfig = z.output<typeof complianceConfig>;

export const complianceStatuses = ['COMPLIANT', 'NOT_COMPLIANT'] as const;
export const licenseStatusNames = [
  'Licensed',
  'Missing License',
  'Missing Line of Authority',
  'Expired License',
] as const;
export const appointmentStatusNames = [
  'Appointed',
  'Not Appointed',
  'Not Required',
  'Appointment on Binding',
] as const;

/** A status with what there is to say about it; names may be added, so clients must accept unknown ones. */
const status = (names: readonly [string, ...string[]], what: string) =>
  described(
    z.object({ statusName: z.string(), statusMessages: z.optional(z.array(z.string())) }),
    DOCUMENTED && {
      description: `${what}: ${names.map((name) => `\`${name}\``).join(', ')}; more may be added.`,
      examples: [{ statusName: names[0] }],
    },
  );

const statusFields = {
  complianceStatus: z.enum(complianceStatuses),
  licenseStatus: status(licenseStatusNames, 'Status of the license'),
  appointmentStatus: status(appointmentStatusNames, 'Status of the appointment'),
};

/** Whether a producer or an agency may sell a product in a state. */
export const licenseComplianceStatus = described(
  compiledObject({
    npn: z.nullable(z.string()),
    productId: objectId,
    productName,
    stateCode,
    ...statusFields,
  }),
  DOCUMENTED && {
    id: 'LicenseComplianceStatus',
    description: 'Whether a producer or an agency may sell a product in a state.',
    examples: [
      {
        npn: '17654321',
        productId: '65f0c1d2e3a4b5c6d7e8f905',
        productName: 'Contractors General Liability',
        stateCode: 'TX',
        complianceStatus: 'NOT_COMPLIANT',
        licenseStatus: { statusName: 'Licensed' },
        appointmentStatus: { statusName: 'Not Appointed', statusMessages: ['No active appointment in TX.'] },
      },
    ],
  },
);

export type LicenseComplianceStatus = z.output<typeof licenseComplianceStatus>;

/** Whether an agency may service one of its policies. */
export const policyComplianceStatus = described(
  compiledObject({
    policyId: objectId,
    policyNumber: described(z.string(), DOCUMENTED && { examples: ['GL-2026-000123'] }),
    stateCode,
    productId: described(
      z.nullable(objectId),
      DOCUMENTED && {
        description: 'The product whose requirements were applied; null when none is known for the policy.',
      },
    ),
    productName: z.nullable(productName),
    ...statusFields,
  }),
  DOCUMENTED && {
    id: 'PolicyComplianceStatus',
    description: 'Whether an agency may service one of its policies.',
    examples: [
      {
        policyId: '65f0c1d2e3a4b5c6d7e8f901',
        policyNumber: 'GL-2026-000123',
        stateCode: 'TX',
        productId: '65f0c1d2e3a4b5c6d7e8f905',
        productName: 'Contractors General Liability',
        complianceStatus: 'COMPLIANT',
        licenseStatus: { statusName: 'Licensed' },
        appointmentStatus: { statusName: 'Appointed' },
      },
    ],
  },
);

export type PolicyComplianceStatus = z.output<typeof policyComplianceStatus>;

/** When a config was last written; stored with it, not shown. */
export const configTimes = { createdAt: timestamp, updatedAt: timestamp };
