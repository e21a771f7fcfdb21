import { recordTimesDocs } from '#platform/contract/docs.ts';
import { as, documented, type FieldDocs } from '#platform/contract/documented.ts';
import {
  corporateRegistration,
  type corporateRegistrationFields,
  licenseRequest,
  type licenseRequestFields,
  status,
} from './requests.ts';

const corporateRegistrationFieldsDocs = {
  downstreamEntityId: 'Id of the organization’s entity that is registered.',
  stateCode: 'State with which the entity is registered.',
  registrationType: {
    description: 'Whether the entity was formed in the state.',
    values: { domestic: 'The entity was formed in this state.', foreign: 'It was formed elsewhere.' },
    examples: ['foreign'],
  },
  registeredName: [
    'Name under which the entity is registered, if it differs from its legal name; null otherwise.',
    'Lone Star Brokerage of Texas',
  ],
  registrationNumber: ['File number assigned by the state.', 'F23000001234'],
  status: {
    description: 'Standing of the entity with the state.',
    values: {
      active: 'The entity may do business in the state.',
      pending: 'The registration has been applied for.',
      delinquent: 'A report or fee is overdue.',
      inactive: 'The registration has ended.',
    },
  },
  registrationDate: 'When the entity was registered.',
  nextReportDueDate: ['Day on which the next report or fee is due; null if none is.', '2027-05-01'],
  expirationDate: ['Last day of the registration; null if it does not expire.', '2028-03-01'],
} satisfies FieldDocs<typeof corporateRegistrationFields>;

documented(corporateRegistration, {
  id: 'CorporateRegistration',
  description: 'An entity’s registration with a state to do business there.',
  fields: {
    _id: 'Id of the registration in this list.',
    ...corporateRegistrationFieldsDocs,
    ...recordTimesDocs,
  },
});

export const statusDocs = documented(status, {
  description: 'Progress of the request.',
  values: {
    submitted: 'Received; the service has not begun to work on it.',
    'in review': 'The service is working on it.',
    approved: 'The license was obtained or renewed. Final.',
    rejected: 'The license was not obtained or renewed. Final.',
    canceled: 'Withdrawn before it was decided. Final.',
  },
});

export const licenseRequestFieldsDocs = {
  downstreamEntityId: 'Id of the organization’s entity that makes the request.',
  type: {
    description: 'What the service is to do.',
    values: { new: 'Obtain a license.', renewal: 'Renew the license in `licenseNumber`.' },
    examples: ['renewal'],
  },
  stateCode: 'State that is to issue or renew the license.',
  npn: 'NPN that the license is for: the entity’s, or that of one of its producers.',
  licenseNumber: ['Number of the license to renew; there is none for a new license.', '1456789'],
  linesOfAuthority: [
    'Codes of the lines of authority that the license should have, as the registry reports them.',
    ['16'],
  ],
  notes: [
    'What else the service should know, in one or more lines.',
    'Needed before the binding date of April 1.',
  ],
} satisfies FieldDocs<typeof licenseRequestFields>;

documented(licenseRequest, {
  id: 'LicenseRequest',
  description:
    'A request to obtain or renew a license: `submitted`, then `in review`, then `approved` or `rejected`. Until it is decided, it can be `canceled`.',
  fields: {
    ...licenseRequestFieldsDocs,
    _id: 'Id of the request, `licenseRequestId` elsewhere.',
    licenseNumber: [
      'Number of the license to renew; null for a new license.',
      licenseRequestFieldsDocs.licenseNumber[1],
    ],
    notes: ['What else the agency said; null if nothing.', licenseRequestFieldsDocs.notes[1]],
    status: statusDocs,
    statusHistory: {
      description: 'Every status of the request with its time, oldest first.',
      fields: {
        status: as(statusDocs, 'The status that it changed to.'),
        at: 'When it changed to the status.',
      },
    },
    ...recordTimesDocs,
  },
});
