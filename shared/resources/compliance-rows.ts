import * as z from 'zod/mini';
import { described, describedShape } from '../contract/described.ts';
import { compiledObject } from '../contract/object.ts';
import { isoDate, objectId, stateCode } from '../contract/primitives.ts';
import { productName } from './compliance.ts';
import { complianceBasis, complianceStatus, statusParts } from './compliance-statuses.ts';
import { productId } from './ids.ts';

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
