import { recordTimesDocs } from '../../platform/contract/docs.ts';
import { as, documented, type FieldDocs } from '../../platform/contract/documented.ts';
import { registryDataSubscriptionIdDocs } from '../identifiers/docs.ts';
import {
  type actionIdentity,
  type amendableFields,
  appointment,
  appointmentV1,
  ceCompliance,
  exampleAppointment,
  exampleLicense,
  exampleRegulatoryAction,
  heldAppointment,
  heldLicense,
  license,
  type licenseIdentity,
  licenseV1,
  type lineOfAuthority,
  type lineOfAuthorityV1,
  npnLookup,
  regulatoryAction,
} from './resources.ts';

documented(npnLookup, {
  id: 'NpnLookup',
  description: 'What the registry reports for an NPN.',
  examples: [{ npn: '17654321', result: 'firm', name: 'Lone Star Brokerage' }],
  fields: {
    npn: ['The NPN that was looked up, as sent.', '17654321'],
    result: {
      description: 'What the registry has under the NPN.',
      values: {
        firm: 'An agency or another business.',
        individual: 'A person.',
        'not found': 'The registry does not recognize the NPN.',
      },
    },
    name: ['Name as spelled by the registry; null when the NPN is not found.', 'Lone Star Brokerage'],
  },
});

const lineOfAuthorityV1Docs = {
  code: ['The registry’s code for the line, which compliance configs require.', '16'],
  name: ['Name of the line, as spelled by the registry.', 'Casualty'],
  status: [
    'Status as spelled by the registry. Words of many states are understood: see “How compliance is decided”.',
    'active',
  ],
} satisfies FieldDocs<typeof lineOfAuthorityV1>;

const ceComplianceDocs = documented(ceCompliance, {
  id: 'CeCompliance',
  description: 'Whether the holder of a license has the continuing education that a line requires.',
  values: {
    exempt: 'The holder does not need any.',
    'in compliance': 'The holder has it.',
    'not in compliance': 'The holder lacks credits.',
    'not applicable': 'The line requires none.',
  },
});

export const lineOfAuthorityDocs = {
  ...lineOfAuthorityV1Docs,
  issueDate: 'When the line was granted. The license’s own issue date may be earlier.',
  statusDate: 'Since when the line has its status.',
  statusReason: ['Why the line has its status.', 'Voluntary surrender'],
  ceCompliance: as(ceComplianceDocs, {
    description:
      'Whether the holder has the continuing education that the line requires. It never changes a compliance status.',
    examples: ['in compliance'],
  }),
  ceCreditsNeeded: ['Credits that the holder still needs.', 12],
  ceRenewalDate: 'By when the holder needs them.',
} satisfies FieldDocs<typeof lineOfAuthority>;

export const licenseIdentityDocs = {
  registryDataSubscriptionId: registryDataSubscriptionIdDocs,
  npn: 'NPN of the holder of the license, a person or an agency.',
  stateCode: 'State that issued the license.',
  licenseNumber: ['Number that the state assigned to the license.', '1456789'],
  licenseClassCode: ['The registry’s code for the class of license.', '1'],
  licenseClassName: [
    'Class of the license, as spelled by the registry. It decides whether the license allows to sell: an adjuster’s does not.',
    'Property and Casualty Agency',
  ],
  status: [
    'Status as spelled by the registry; words of many states are understood: see “How compliance is decided”. An expired license is usually still `active`: use the renewal date.',
    'active',
  ],
  residencyStatus: {
    description:
      'Whether the state is the holder’s home state. A non-resident license counts only while its holder is licensed at home, as far as that is known.',
    values: { resident: 'Issued by the holder’s home state.', 'non-resident': 'Issued by another state.' },
  },
} satisfies FieldDocs<typeof licenseIdentity>;

const licenseWords = 'A license, by the row of its sources that says what it is.';
export const linesOfAuthorityWords =
  'Kinds of insurance that the license allows its holder to sell; may be empty.';
const updatedAtWords = 'When the record last changed here, not at the registry.';

export const licenseDocs = documented(license, {
  fields: {
    ...licenseIdentityDocs,
    issueDate: 'When the state issued the license.',
    nextRenewalDate: [
      'Last day on which the license is valid unless it is renewed; of a time, the calendar date as written counts. Null for a license that does not expire.',
      '2027-03-31',
    ],
    expirationDate:
      'Date on which the license expires, according to the registry. Compliance goes by the earlier of this date and `nextRenewalDate`.',
    statusReason: ['Why the license has its status, as spelled by the registry.', 'Failed to renew'],
    statusDate: 'Since when the license has its status.',
    linesOfAuthority: {
      description: linesOfAuthorityWords,
      fields: lineOfAuthorityDocs,
    },
    updatedAt: updatedAtWords,
  },
});

const isInForceWords = 'on the day that is asked about, today by default, by “How compliance is decided”.';

documented(heldLicense, {
  id: 'License',
  description: licenseWords,
  examples: [{ ...exampleLicense, isInForce: true }],
  fields: { ...licenseDocs.fields, isInForce: [`Whether it is in force ${isInForceWords}`, true] },
});

/** The fields of what says whose it is and when it was written elsewhere. */
function ofRowAlone<
  Fields extends {
    readonly registryDataSubscriptionId: unknown;
    readonly npn: unknown;
    readonly updatedAt: unknown;
  },
>({ registryDataSubscriptionId: _subscription, npn: _npn, updatedAt: _updatedAt, ...fields }: Fields) {
  return fields;
}

/** A license without its holder and the time of its change. */
export const licenseRowDocs = ofRowAlone(licenseDocs.fields);

const { statusReason: _statusReason, statusDate: _statusDate, ...licenseV1Fields } = licenseDocs.fields;

documented(licenseV1, {
  id: 'LicenseV1',
  description: licenseWords,
  fields: {
    ...licenseV1Fields,
    linesOfAuthority: { description: linesOfAuthorityWords, fields: lineOfAuthorityV1Docs },
  },
});

export const actionIdentityDocs = {
  _id: 'Id of the record; the registry identifies the action by `actionId`, `npn`, and `stateCode`.',
  registryDataSubscriptionId: registryDataSubscriptionIdDocs,
  npn: 'NPN of the license holder that the action is against.',
  stateCode: 'State that took the action.',
  actionId: ['The registry’s id for the action, unique for the NPN and state.', '4471'],
} satisfies FieldDocs<typeof actionIdentity>;

export const amendableFieldsDocs = {
  originOfAction: ['Who took the action.', 'Department of Insurance'],
  reasonForAction: ['Why it was taken.', 'Late filing'],
  disposition: [
    'Its outcome. With one such as `License, suspended` or `Revocation`, the holder may not sell in the state while it is in force.',
    'Monetary penalty',
  ],
  dateOfAction: 'When it was taken.',
  effectiveDate: 'When it takes effect.',
  enterDate: 'When the state entered it in the registry.',
  fileRef: ['The state’s reference.', 'TX-2025-4471'],
  penaltyFineForfeitureInUSD: 'Penalty, fine, or forfeiture in US dollars.',
  lengthOfOrderInDays: [
    'For how many days the order applies; null if it has no end or none is reported.',
    90,
  ],
} satisfies FieldDocs<typeof amendableFields>;

export const regulatoryActionDocs = documented(regulatoryAction, {
  id: 'RegulatoryAction',
  description: 'A state’s action against a license holder, identified by `actionId`, `npn`, and `stateCode`.',
  examples: [exampleRegulatoryAction],
  fields: { ...actionIdentityDocs, ...amendableFieldsDocs, ...recordTimesDocs },
});

const appointmentWords =
  'A carrier’s appointment of a producer or an agency, by the row of its sources that says what it is: of one that ended, the end, which may name neither line nor county.';

export const appointmentDocs = documented(appointment, {
  fields: {
    registryDataSubscriptionId: registryDataSubscriptionIdDocs,
    stateCode: 'State in which the holder may sell for the carrier.',
    carrierName: [
      'The carrier that appoints, as spelled by the registry.',
      'Beacon Specialty Insurance Company',
    ],
    ein: ['Employer Identification Number of the carrier, with or without the hyphen.', '75-1234567'],
    companyCode: ['NAIC company code of the carrier.', '19437'],
    lineOfAuthorityName: [
      'Line of authority that the appointment is for; null if it is for all lines.',
      'Casualty',
    ],
    lineOfAuthorityCode: [
      'Code of that line, as in `linesOfAuthority` of licenses and compliance configs; null if the appointment is for all lines.',
      '16',
    ],
    status: [
      'Status as spelled by the registry; words of many states are understood: see “How compliance is decided”.',
      'active',
    ],
    npn: 'NPN of the producer or agency that is appointed.',
    terminationReason: [
      'Why the appointment ended; null while it has not. Words such as `Terminated` or `For cause` end it, whatever its status.',
      'Terminated',
    ],
    statusChangeDate: 'When the status last changed, according to the registry.',
    renewalDate:
      'Day by which the appointment is to be renewed. It does not end by it: once the day has passed, answers have the warning `renewal_date_passed`.',
    appointerStateCoId: ['The state’s own number for the carrier.', '94370'],
    countyName: ['County of the appointment in a state that appoints by county; null otherwise.', 'Travis'],
    effectiveDate: 'First day on which the appointment is in force.',
    countyCode: ['Of that county, as the state numbers it.', '227'],
    updatedAt: updatedAtWords,
  },
});

documented(heldAppointment, {
  id: 'Appointment',
  description: appointmentWords,
  examples: [{ ...exampleAppointment, isInForce: true }],
  fields: { ...appointmentDocs.fields, isInForce: [`Whether it is in force ${isInForceWords}`, true] },
});

/** Likewise an appointment. */
export const appointmentRowDocs = ofRowAlone(appointmentDocs.fields);

const {
  effectiveDate: _effectiveDate,
  countyCode: _countyCode,
  ...appointmentV1Fields
} = appointmentDocs.fields;

documented(appointmentV1, {
  id: 'AppointmentV1',
  description: appointmentWords,
  fields: appointmentV1Fields,
});
