import * as z from 'zod/mini';
import { described, describedShape } from '../../platform/contract/described.ts';
import { lazily } from '../../platform/contract/lazily.ts';
import { compiledObject } from '../../platform/contract/object.ts';
import { isoDate, objectId, recordTimes, stateCode, usd } from '../../platform/contract/primitives.ts';
import { storedItem } from '../../platform/data/stored.ts';

export const policyStatuses = ['bound', 'active', 'expired', 'cancelled', 'non renewed'] as const;
export const entityMatchStatuses = ['unmatched', 'auto matched', 'user confirmed', 'manual review'] as const;
export const productMatchStatuses = [
  'unmatched',
  'auto matched',
  'user confirmed',
  'needs clarification',
] as const;

const text = z.optional(z.string());
const date = z.optional(isoDate);
const amount = z.optional(usd);

/** Business fields that a policy and each of its transactions share. */
export const policyFields = lazily(() =>
  describedShape(
    {
      agencyName: text,
      agencyNpn: text,
      agencyFein: text,
      agencyLicenseNumber: text,
      agencyLicensedStateCode: text,
      agentName: text,
      agentNpn: text,
      agentLicenseNumber: text,
      agentLicensedState: text,
      insuredEntityName: text,
      carrierName: text,
      lineOfBusiness: text,
      producerName: text,
      producerCode: text,
      productName: text,
      productCode: text,
      filingNumber: text,
      slaNumber: text,
      externalBillingId: text,
      licenseNumber: text,
      npn: text,
      uploadSource: text,
      effectiveDate: date,
      expiryDate: date,
      premiumAmountInUSD: amount,
      aggregateCoverageInUSD: amount,
      coveragePerClaimInUSD: amount,
    },
    DOCUMENTED && {
      agencyName: {
        description: 'The agency that sold the policy, as received.',
        examples: ['Lone Star Brokerage'],
      },
      agencyNpn: {
        description: 'National Producer Number of that agency, as received.',
        examples: ['17654321'],
      },
      agencyFein: {
        description: 'Federal Employer Identification Number of that agency, as received.',
        examples: ['75-7654321'],
      },
      agencyLicenseNumber: {
        description: 'Number of a license that the agency holds, as received.',
        examples: ['1456789'],
      },
      agencyLicensedStateCode: {
        description: 'State that issued that license of the agency, as received.',
        examples: ['TX'],
      },
      agentName: { description: 'The agent who sold the policy, as received.', examples: ['Maria Delgado'] },
      agentNpn: {
        description: 'National Producer Number of that agent, as received.',
        examples: ['8123456'],
      },
      agentLicenseNumber: {
        description: 'Number of a license that the agent holds, as received.',
        examples: ['2210457'],
      },
      agentLicensedState: {
        description: 'State that issued that license of the agent, as received.',
        examples: ['TX'],
      },
      insuredEntityName: { description: 'Whom the policy insures.', examples: ['Acme Roofing LLC'] },
      carrierName: {
        description: 'The insurer that writes the policy, as received.',
        examples: ['Beacon Specialty Insurance Company'],
      },
      lineOfBusiness: {
        description: 'Kind of insurance, as the source names it.',
        examples: ['General Liability'],
      },
      producerName: {
        description:
          'The producer of record, where the source does not say whether it is an agency or an agent.',
        examples: ['Lone Star Brokerage'],
      },
      producerCode: {
        description: 'Code of the producer at the carrier, as the `producerCode` of an association.',
        examples: ['P-7731'],
      },
      productName: {
        description: 'The product, as received; a compliance config with this name applies to the policy.',
        examples: ['Contractors General Liability'],
      },
      productCode: {
        description: 'The carrier’s own code of the product, as the `productCode` of a compliance config.',
        examples: ['CGL'],
      },
      filingNumber: {
        description: 'Number of the surplus lines filing, as received.',
        examples: ['F-2026-00417'],
      },
      slaNumber: {
        description: 'Number that a surplus lines association assigned to the policy, as received.',
        examples: ['SLA-884120'],
      },
      externalBillingId: {
        description: 'Id of the policy in the source’s billing system.',
        examples: ['B-55120'],
      },
      licenseNumber: {
        description: 'Number of a license of the producer of record, as received.',
        examples: ['1456789'],
      },
      npn: {
        description: 'National Producer Number of the producer of record, as received.',
        examples: ['17654321'],
      },
      uploadSource: {
        description: 'Where the record came from, as the source names it.',
        examples: ['nightly export'],
      },
      effectiveDate: 'When coverage begins; of a policy, that of its newest `New` or `Renewal`.',
      expiryDate: 'When coverage ends unless the policy is renewed.',
      premiumAmountInUSD: 'Premium in US dollars.',
      aggregateCoverageInUSD: {
        description: 'Most that is paid in a term, in US dollars.',
        examples: [2_000_000],
      },
      coveragePerClaimInUSD: {
        description: 'Most that is paid for one claim, in US dollars.',
        examples: [1_000_000],
      },
    },
  ),
);

export const policyNumber = described(
  z.string().check(z.minLength(1), z.maxLength(200)),
  DOCUMENTED && {
    description: 'Number of the policy; transactions with the same number belong to one policy.',
    examples: ['GL-2026-000123'],
  },
);

export const entityMatchStatus = described(
  z.enum(entityMatchStatuses),
  DOCUMENTED && {
    description: 'Whether it is known to which downstream entity the policy belongs.',
    values: {
      unmatched: 'No agency fits. Needs attention.',
      'auto matched': 'The service found the agency.',
      'user confirmed': 'A person chose or confirmed the agency.',
      'manual review': 'An agency might fit, but a person must decide. Needs attention.',
    },
    examples: ['auto matched'],
  },
);

/** A policy. Dates ISO 8601, amounts US dollars. */
export const policy = storedItem(
  'policies/policy',
  described(
    compiledObject(() => ({
      ...describedShape(
        {
          _id: objectId,
          policyNumber,
          currentStatus: z.enum(policyStatuses),
          riskStateCode: stateCode,
          entityMatchStatus,
          productMatchStatus: z.enum(productMatchStatuses),
          transactionCount: z.int().check(z.gte(0)),
        },
        DOCUMENTED && {
          _id: 'Id of the policy, `policyId` elsewhere.',
          currentStatus: {
            description: 'State of the policy, as an import last set it; `bound` until one does.',
            values: {
              bound: 'Coverage is agreed; the policy is not yet in force.',
              active: 'The policy is in force.',
              expired: 'The term ended without a renewal.',
              cancelled: 'The policy was ended before its term.',
              'non renewed': 'The carrier or the insured declined to renew it.',
            },
          },
          riskStateCode: 'State of the insured risk, whose licenses the agency needs.',
          productMatchStatus: {
            description: 'Whether it is known which of the organization’s products the policy is.',
            values: {
              unmatched: 'No product is known.',
              'auto matched': 'The product was found without a person.',
              'user confirmed': 'A person chose or confirmed the product.',
              'needs clarification': 'Several products fit.',
            },
          },
          transactionCount: 'Number of transactions received for this policy that are not deleted.',
        },
      ),
      ...policyFields(),
      ...recordTimes(),
    })),
    DOCUMENTED && {
      id: 'Policy',
      description:
        'A policy, with the business fields of its newest transaction that is not deleted. A field that was not received is absent.',
      examples: [
        {
          _id: '65f0c1d2e3a4b5c6d7e8f901',
          policyNumber: 'GL-2026-000123',
          currentStatus: 'active',
          riskStateCode: 'TX',
          entityMatchStatus: 'auto matched',
          productMatchStatus: 'user confirmed',
          transactionCount: 2,
          agencyName: 'Lone Star Brokerage',
          agencyNpn: '17654321',
          insuredEntityName: 'Acme Roofing LLC',
          lineOfBusiness: 'General Liability',
          effectiveDate: '2026-03-01',
          expiryDate: '2027-03-01',
          premiumAmountInUSD: 12500.5,
          createdAt: '2026-03-01T14:05:09.123Z',
          updatedAt: '2026-06-01T09:00:00.000Z',
        },
      ],
    },
  ),
);

export type Policy = z.output<typeof policy>;
