import * as z from 'zod/mini';
import { described, describedShape } from '../contract/described.ts';
import { compiledObject } from '../contract/object.ts';
import { isoDate, objectId, stateCode, timestamp } from '../contract/primitives.ts';
import { complianceBasis, complianceStatus, statusParts } from './compliance-statuses.ts';
import { productId } from './ids.ts';
import { naicCode } from './naic-code.ts';

export const appointmentRequirements = ['required', 'not required', 'on binding'] as const;

/** What a product requires of its producers in one state. */
export const stateRequirement = z.object(
  describedShape(
    {
      stateCode,
      linesOfAuthority: z.array(z.string().check(z.minLength(1), z.maxLength(50))).check(z.maxLength(100)),
      appointment: z.enum(appointmentRequirements),
    },
    DOCUMENTED && {
      stateCode: 'State to which the requirements apply.',
      linesOfAuthority: {
        description:
          'Codes of the lines of authority that a license must have, as the registry reports them; empty if any license will do.',
        examples: [['16']],
      },
      appointment: {
        description: 'Whether the carrier must have appointed the producer.',
        values: {
          required: 'An appointment for every required line of authority must be in force.',
          'not required': 'No appointment is needed.',
          'on binding': 'The carrier appoints when it binds the first policy, so none is needed before.',
        },
      },
    },
  ),
);

export const productName = described(
  z.string().check(z.minLength(1), z.maxLength(300)),
  DOCUMENTED && {
    description: 'Name that the carrier gave the product in its compliance config.',
    examples: ['Contractors General Liability'],
  },
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
  compiledObject(
    describedShape(
      { productId, productName, carrierNaicCodes, states: z.array(stateRequirement) },
      DOCUMENTED && {
        states:
          'Requirements by state, each state once. In a state that is not listed, only a license is required.',
      },
    ),
  ),
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

const statusFields = { complianceStatus, ...statusParts(false) };

const dated = { ...statusFields, basis: complianceBasis };

const basisExample = { basis: 'current' } as const;

/** v1 answers as it always has: without what a status goes by. */
const versions = {
  v1: { suffix: 'V1', fields: statusFields, example: {} },
  v2: { suffix: '', fields: dated, example: basisExample },
} as const;

const statusOfProduct = <Extra extends z.core.$ZodShape>({
  suffix,
  fields,
  example,
}: {
  readonly suffix: string;
  readonly fields: Extra;
  readonly example: object;
}) =>
  described(
    compiledObject({
      ...describedShape(
        { npn: z.nullable(z.string()), productId, productName, stateCode },
        DOCUMENTED && {
          npn: {
            description: 'NPN whose licenses and appointments were checked; null for an agency without one.',
            examples: ['17654321'],
          },
          stateCode: 'State whose licenses and appointments were checked.',
        },
      ),
      ...fields,
    }),
    DOCUMENTED && {
      id: `LicenseComplianceStatus${suffix}`,
      description: 'Whether a producer or an agency may sell a product in a state.',
      examples: [
        {
          npn: '17654321',
          productId: '65f0c1d2e3a4b5c6d7e8f905',
          productName: 'Contractors General Liability',
          stateCode: 'TX',
          complianceStatus: 'NOT_COMPLIANT',
          licenseStatus: { statusName: 'Licensed' },
          appointmentStatus: {
            statusName: 'Not Appointed',
            statusMessages: ['No active appointment in TX.'],
          },
          ...example,
        } as never,
      ],
    },
  );

/** Whether a producer or an agency may sell a product in a state. */
export const licenseComplianceStatus = statusOfProduct(versions.v2);
export const licenseComplianceStatusV1 = statusOfProduct(versions.v1);

export type LicenseComplianceStatus = z.output<typeof licenseComplianceStatus>;

const atEffectiveDate = described(
  z.nullable(
    z.object({
      ...describedShape(
        { effectiveDate: isoDate },
        DOCUMENTED && {
          effectiveDate: 'The policy’s effective date; the status is that of its end in New York.',
        },
      ),
      ...dated,
    }),
  ),
  DOCUMENTED && {
    description:
      'The status on the day on which the policy took effect, or will; null for a policy without an `effectiveDate`. A day in the future is judged by the present records.',
  },
);

const statusOfPolicy = <Extra extends z.core.$ZodShape>({
  suffix,
  fields,
  example,
}: {
  readonly suffix: string;
  readonly fields: Extra;
  readonly example: object;
}) =>
  described(
    compiledObject({
      ...describedShape(
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
          productId: 'The product whose requirements were applied; null when none is known for the policy.',
          productName:
            'Name of that product in its compliance config; null when none is known for the policy.',
        },
      ),
      ...fields,
    }),
    DOCUMENTED && {
      id: `PolicyComplianceStatus${suffix}`,
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
          ...example,
        } as never,
      ],
    },
  );

/** Whether an agency may service one of its policies. */
export const policyComplianceStatus = statusOfPolicy({
  suffix: '',
  fields: { ...dated, atEffectiveDate },
  example: {
    ...basisExample,
    atEffectiveDate: {
      effectiveDate: '2026-04-15',
      complianceStatus: 'NOT_COMPLIANT',
      licenseStatus: {
        statusName: 'Expired License',
        statusMessages: ['The license in TX expired on 2026-03-31.'],
      },
      appointmentStatus: { statusName: 'Appointed' },
      basis: 'history',
    },
  },
});
export const policyComplianceStatusV1 = statusOfPolicy(versions.v1);

export type PolicyComplianceStatus = z.output<typeof policyComplianceStatus>;

/** When a config was last written; stored with it, not shown. */
export const configTimes = { createdAt: timestamp, updatedAt: timestamp };
