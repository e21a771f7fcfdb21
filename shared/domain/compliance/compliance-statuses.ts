import * as z from 'zod/mini';
import { described, describedShape } from '../../platform/contract/described.ts';
import { configBases } from '../decision/configs.ts';

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

/** The names of a status; names may be added, so clients must accept unknown ones. */
const licenseStatusMeanings: false | Record<(typeof licenseStatusNames)[number], string> = DOCUMENTED && {
  Licensed: 'Valid licenses of the state have every line of authority that the product requires.',
  'Missing License': 'There is no valid license of the state.',
  'Missing Line of Authority': 'There is a valid license, but a required line of authority is missing.',
  'Expired License': 'There is no valid license, and the renewal date of one has passed.',
};
const appointmentStatusMeanings: false | Record<(typeof appointmentStatusNames)[number], string> =
  DOCUMENTED && {
    Appointed: 'The appointments that the product requires are in force.',
    'Not Appointed': 'A required appointment is missing or has ended.',
    'Not Required': 'The product requires no appointment in the state.',
    'Appointment on Binding':
      'The carrier appoints when it binds the first policy; this counts as compliant.',
  };

type NameMeanings = false | Readonly<Record<string, string>>;

/** A status with what there is to say about it. */
const status = (meanings: NameMeanings, example: string) =>
  z.object(
    describedShape(
      { statusName: z.string(), statusMessages: z.optional(z.array(z.string())) },
      DOCUMENTED && {
        statusName: {
          description: 'Name of the status; more names may be added.',
          values: meanings || {},
        },
        statusMessages: {
          description: 'What is missing, in sentences for people; absent if nothing is.',
          examples: [[example]],
        },
      },
    ),
  );

export const complianceStatus = described(
  z.enum(complianceStatuses),
  DOCUMENTED && {
    description: 'Overall result of the license status and the appointment status.',
    values: {
      COMPLIANT: 'The license status is `Licensed`, and the appointment status is not `Not Appointed`.',
      NOT_COMPLIANT: 'Otherwise: a license, a line of authority, or an appointment is missing.',
    },
  },
);

/** The two statuses behind a `complianceStatus`; `more` are names that only events have. */
export const statusParts = (more: NameMeanings) =>
  describedShape(
    {
      licenseStatus: status(DOCUMENTED && { ...licenseStatusMeanings, ...more }, 'No active license in TX.'),
      appointmentStatus: status(
        DOCUMENTED && { ...appointmentStatusMeanings, ...more },
        'No active appointment in TX.',
      ),
    },
    DOCUMENTED && {
      licenseStatus: 'Whether licenses of the state cover what the product requires.',
      appointmentStatus: 'Whether the appointments that the product requires in the state are in force.',
    },
  );

/** What a status goes by. */
export const complianceBases = ['history', 'registry dates', 'current'] as const;

export type ComplianceBasis = (typeof complianceBases)[number];

export const complianceBasis = described(
  z.enum(complianceBases),
  DOCUMENTED && {
    description: 'What the status goes by. The carrier’s identity is always that of now.',
    values: {
      history:
        'Records that were recorded by the end of that day, and what was learned of them by `knownAt`.',
      'registry dates':
        'Only the dates in records that were recorded later: for at least one, no version is that old, or there is no record at all.',
      current: 'The records as they are now.',
    },
  },
);

export const configBasis = described(
  z.enum(configBases),
  DOCUMENTED && {
    description: 'Which version of the product’s compliance config applied.',
    values: {
      version: 'The version in force on that day, as it was known.',
      'first version': 'The first version ever: none was in force on that day, or none was known then.',
    },
  },
);
