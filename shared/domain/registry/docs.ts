import { recordTimesDocs } from '#platform/contract/docs.ts';
import { as, documented, type FieldDocs } from '#platform/contract/documented.ts';
import { registryDataSubscriptionIdDocs } from '../identifiers/docs.ts';
import {
  type actionIdentity,
  type amendableFields,
  appointment,
  ceCompliance,
  exampleAppointment,
  exampleLicense,
  exampleRegulatoryAction,
  heldAppointment,
  heldLicense,
  license,
  type lineOfAuthority,
  npnLookup,
  type registryFilters,
  regulatoryAction,
} from './resources.ts';

documented(npnLookup, {
  id: 'NpnLookup',
  description: 'What the registry reports for an NPN.',
  examples: [{ npn: '17654321', result: 'firm', name: 'Lone Star Brokerage' }],
  fields: {
    result: {
      description: 'What the registry has under the NPN.',
      values: {
        firm: 'An agency or another business.',
        individual: 'A person.',
        'not found': 'The registry does not recognize the NPN.',
      },
    },
    name: 'Null when the NPN is not found.',
  },
});

const statusWords =
  'As spelled by the registry; “How compliance is decided” has the words that are understood.';

const ceComplianceDocs = documented(ceCompliance, {
  description: 'Whether the holder of a license has the continuing education that a line requires.',
  values: {
    exempt: 'The holder does not need any.',
    'in compliance': 'The holder has it.',
    'not in compliance': 'The holder lacks credits.',
    'not applicable': 'The line requires none.',
  },
});

export const lineOfAuthorityDocs = {
  code: ['What compliance configs require; empty where only the name is known.', '16'],
  status: [statusWords, 'active'],
  issueDate: 'The license’s own may be earlier.',
  ceCompliance: as(
    ceComplianceDocs,
    'Whether the holder has the continuing education; it never changes a compliance status.',
  ),
} satisfies FieldDocs<typeof lineOfAuthority>;

export const linesOfAuthorityWords =
  'Kinds of insurance that the license allows its holder to sell; may be empty.';

const licenseIdentityRowDocs = {
  licenseNumber: ['As the state writes it.', '1456789'],
  licenseClassName: [
    'It decides whether the license allows to sell: an adjuster’s does not.',
    'Property and Casualty Agency',
  ],
  status: [`${statusWords} An expired license is usually still \`active\`: use the renewal date.`, 'active'],
  residencyStatus: {
    description:
      'A non-resident license counts only while its holder is licensed at home, as far as that is known.',
    values: { resident: 'Issued by the holder’s home state.', 'non-resident': 'Issued by another state.' },
  },
} satisfies FieldDocs<typeof license>;

export const licenseIdentityDocs = {
  registryDataSubscriptionId: registryDataSubscriptionIdDocs,
  ...licenseIdentityRowDocs,
};

/** A license without its holder and the time of its change. */
export const licenseRowDocs = {
  ...licenseIdentityRowDocs,
  nextRenewalDate: [
    'Last day on which the license is valid unless it is renewed; of a time, the calendar date as written counts. Null for a license that does not expire.',
    '2027-03-31',
  ],
  expirationDate: 'Compliance goes by the earlier of this date and `nextRenewalDate`.',
  statusDate: 'Since when the license has its status.',
  linesOfAuthority: { description: linesOfAuthorityWords, fields: lineOfAuthorityDocs },
} satisfies FieldDocs<typeof license>;

/** Fields of a record beside the row of the registry. */
const ownDocs = {
  registryDataSubscriptionId: registryDataSubscriptionIdDocs,
  updatedAt: 'When the record last changed here, not at the registry.',
};

export const licenseDocs = documented(license, { fields: { ...ownDocs, ...licenseRowDocs } });

const isInForceWords = 'On the day that is asked about, today by default, by “How compliance is decided”.';

documented(heldLicense, {
  id: 'License',
  description: 'A license, by the row of its sources that says what it is.',
  examples: [{ ...exampleLicense, isInForce: true }],
  fields: { ...licenseDocs.fields, isInForce: isInForceWords },
});

export const actionIdentityDocs = {
  _id: 'Id of the record; the registry identifies the action by `actionId`, `npn`, and `stateCode`.',
  registryDataSubscriptionId: registryDataSubscriptionIdDocs,
  actionId: ['Unique for the NPN and the state.', '4471'],
} satisfies FieldDocs<typeof actionIdentity>;

export const amendableFieldsDocs = {
  disposition: [
    'Its outcome: with one such as `License, suspended` or `Revocation`, the holder may not sell in the state while it is in force.',
    'Monetary penalty',
  ],
  enterDate: 'When the state entered it in the registry.',
  lengthOfOrderInDays: ['Null if the order has no end or none is reported.', 90],
} satisfies FieldDocs<typeof amendableFields>;

export const regulatoryActionDocs = documented(regulatoryAction, {
  id: 'RegulatoryAction',
  description: 'A state’s action against a license holder.',
  examples: [exampleRegulatoryAction],
  fields: { ...actionIdentityDocs, ...amendableFieldsDocs, ...recordTimesDocs },
});

/** An appointment without its holder and the time of its change. */
export const appointmentRowDocs = {
  ein: ['With or without the hyphen.', '75-1234567'],
  lineOfAuthorityName: 'Null if the appointment is for all lines.',
  lineOfAuthorityCode: 'As in `linesOfAuthority` of licenses; null if the appointment is for all lines.',
  status: [statusWords, 'active'],
  terminationReason: [
    'Words such as `Terminated` or `For cause` end the appointment, whatever its status.',
    'Terminated',
  ],
  renewalDate: 'The appointment does not end by it: later answers have the warning `renewal_date_passed`.',
  appointerStateCoId: 'The state’s own number for the carrier.',
} satisfies FieldDocs<typeof appointment>;

export const appointmentDocs = documented(appointment, { fields: { ...ownDocs, ...appointmentRowDocs } });

documented(heldAppointment, {
  id: 'Appointment',
  description:
    'A carrier’s appointment of a producer or an agency, by the row of its sources that says what it is: of one that ended, the end, which may name neither line nor county.',
  examples: [{ ...exampleAppointment, isInForce: true }],
  fields: { ...appointmentDocs.fields, isInForce: isInForceWords },
});

export const registryFiltersDocs = {
  stateCode: 'State of the records to return.',
  status: ['Exact status, as spelled by the registry.', 'active'],
} satisfies FieldDocs<typeof registryFilters>;
