import { documented } from '#platform/contract/documented.ts';
import {
  appointmentStatus,
  complianceBasis,
  complianceStatus,
  configBasis,
  licenseStatus,
} from './compliance-config.ts';
import type { StatusName } from './reasons.ts';

documented(complianceStatus, {
  id: 'ComplianceStatus',
  description: 'Overall result of the license status and the appointment status.',
  values: {
    COMPLIANT: 'Everything that the product requires was found in force.',
    NOT_COMPLIANT:
      'Otherwise: something is missing, or, where this is the only other value, something is not known.',
  },
});

const licenseStatusMeanings: Record<StatusName<'license'>, string> = {
  'State Not Configured': 'The product does not list the state, and says nothing of other states.',
  'Regulatory Action': 'A regulatory action of the state is in force.',
  'Missing License': 'There is no valid license of the state, or a further license is missing.',
  'Expired License': 'There is no valid license, and the renewal date of one has passed.',
  'Home State License Not Active': 'There is a non-resident license, but no valid license of a home state.',
  'Wrong License Class': 'There are valid licenses, but only of classes that do not count.',
  'Missing Line of Authority': 'There is a valid license, but a required line of authority is missing.',
  'License Not Known': 'Whether licenses that the product requires are in force is not known.',
  Licensed: 'Valid licenses of the state have every line of authority that the product requires.',
  'Not Required': 'The product requires no license of this party.',
};
const appointmentStatusMeanings: Record<StatusName<'appointment'>, string> = {
  'State Not Configured': 'The product does not list the state, and says nothing of other states.',
  'Not Appointed':
    'A required appointment is missing, has ended, or is overdue, or the last one ended for cause.',
  'Appointment Not Known': 'Whether the appointments that the product requires are in force is not known.',
  'Appointment on Binding': 'The carrier appoints when it binds the first policy, and is in time.',
  Appointed: 'The appointments that the product requires are in force.',
  'Not Required': 'The product requires no appointment of this party in the state.',
};

const statusFields = (values: Readonly<Record<string, string>>) =>
  ({
    statusName: {
      description: 'Name of the status; more names may be added.',
      values: { ...values, STATE_REMOVED: 'In events: the product no longer lists the state.' },
    },
    statusMessages: 'What is missing, in sentences for people; absent if nothing is.',
  }) as const;

documented(licenseStatus, {
  id: 'LicenseStatus',
  description: 'Whether the licenses that the product requires in the state are in force.',
  examples: [{ statusName: 'Licensed' }],
  fields: statusFields(licenseStatusMeanings),
});

documented(appointmentStatus, {
  id: 'AppointmentStatus',
  description: 'Whether the appointments that the product requires in the state are in force.',
  examples: [{ statusName: 'Appointed' }],
  fields: statusFields(appointmentStatusMeanings),
});

documented(complianceBasis, {
  id: 'ComplianceBasis',
  description: 'What a status is based on. The carrier’s identity is always the current one.',
  values: {
    history: 'Only what was recorded by the end of that day.',
    'registry dates': 'Also what was recorded later, by the dates in it; or nothing is recorded.',
    current: 'What is known now.',
  },
});

documented(configBasis, {
  id: 'ConfigBasis',
  description: 'Which version of the product’s compliance config applied.',
  values: {
    version: 'The version in force on that day, as it was known.',
    'first version': 'The first version ever: none was in force on that day, or none was known then.',
  },
});
