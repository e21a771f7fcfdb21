import { recordTimesDocs } from '../../platform/contract/docs.ts';
import { as, documented, type FieldDocs } from '../../platform/contract/documented.ts';
import { registryDataSubscriptionIdDocs } from '../identifiers/docs.ts';
import { appointment, appointmentV1 } from './appointment.ts';
import {
  ceCompliance,
  exampleLicense,
  license,
  type licenseIdentity,
  licenseV1,
  type lineOfAuthority,
  type lineOfAuthorityV1,
} from './license.ts';
import { type countsByStatus, licenseCounts, stateLicenseOverview } from './license-overview.ts';
import { actionChange, appointmentChange, licenseChange, registryChange } from './registry-change.ts';
import { entityModel, registryDataSubscription } from './registry-data-subscription.ts';
import {
  type actionIdentity,
  type amendableFields,
  exampleRegulatoryAction,
  regulatoryAction,
} from './regulatory-action.ts';

const lineOfAuthorityV1Docs = {
  code: ['The registry’s code for the line, which compliance configs require.', '16'],
  name: ['Name of the line, as spelled by the registry.', 'Casualty'],
  status: [
    'Status as spelled by the registry. Words of many states are understood: see “How compliance is decided”.',
    'active',
  ],
} satisfies FieldDocs<typeof lineOfAuthorityV1>;

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
  ...lineOfAuthorityV1Docs,
  issueDate:
    'When the line was granted; null if it is not reported. The license’s own issue date may be earlier.',
  statusDate: 'Since when the line has its status; null if it is not reported.',
  statusReason: ['Why the line has its status; null if it is not reported.', 'Voluntary surrender'],
  ceCompliance: as(ceComplianceDocs, {
    description:
      'Whether the holder has the continuing education that the line requires; null if it is not reported. It never changes a compliance status.',
    examples: ['in compliance'],
  }),
  ceCreditsNeeded: ['Credits that the holder still needs; null if it is not reported.', 12],
  ceRenewalDate: 'By when the holder needs them; null if it is not reported.',
} satisfies FieldDocs<typeof lineOfAuthority>;

export const licenseIdentityDocs = {
  registryDataSubscriptionId: registryDataSubscriptionIdDocs,
  npn: 'NPN of the holder of the license, a person or an agency.',
  stateCode: 'State that issued the license.',
  licenseNumber: ['Number that the state assigned to the license.', '1456789'],
  licenseClassCode: ['The registry’s code for the class of license; null if it is not reported.', '1'],
  licenseClassName: [
    'Class of the license, as spelled by the registry; null if it is not reported. It decides whether the license allows to sell: an adjuster’s does not.',
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

const licenseWords = 'A license as the registry reports it.';
export const linesOfAuthorityWords =
  'Kinds of insurance that the license allows its holder to sell; may be empty.';
const updatedAtWords = 'When the record last changed here, not at the registry.';

export const licenseDocs = documented(license, {
  id: 'License',
  description: licenseWords,
  examples: [exampleLicense],
  fields: {
    ...licenseIdentityDocs,
    issueDate: 'When the state issued the license; null if it is not reported.',
    nextRenewalDate: [
      'Last day on which the license is valid unless it is renewed; of a time, the calendar date as written counts. Null for a license that does not expire.',
      '2027-03-31',
    ],
    expirationDate:
      'Date on which the license expires, according to the registry; null if it is not reported. Compliance goes by the earlier of this date and `nextRenewalDate`.',
    statusReason: [
      'Why the license has its status, as spelled by the registry; null if it is not reported.',
      'Failed to renew',
    ],
    statusDate: 'Since when the license has its status; null if it is not reported.',
    linesOfAuthority: {
      description: linesOfAuthorityWords,
      fields: lineOfAuthorityDocs,
    },
    updatedAt: updatedAtWords,
  },
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

const entityModelDocs = documented(entityModel, {
  description: 'Whose NPN it is.',
  values: { agent: 'The NPN of a person.', downstreamEntity: 'The NPN of an agency or branch.' },
});

export const registryDataSubscriptionDocs = documented(registryDataSubscription, {
  id: 'RegistryDataSubscription',
  description:
    'The organization’s subscription to the registry records of one NPN, with the state of its synchronization.',
  examples: [
    {
      _id: '65f0c1d2e3a4b5c6d7e8f910',
      dataOwnerId: '65f0c1d2e3a4b5c6d7e8f900',
      dataOwnerModel: 'upstreamEntity',
      entityModel: 'downstreamEntity',
      entityInfo: {
        status: 'success',
        jobId: '3f1c9ad4-6f0e-4a53-9d0b-0f6a2d9a7c11',
        message: null,
        rawEntityInfoId: null,
      },
      npn: '17654321',
      lastSynchronizationDate: '2026-06-01T09:00:00.000Z',
      pdbAlertsSubscriptionStatus: 'active',
      pdbAlertsPausedAt: null,
    },
  ],
  fields: {
    _id: 'Id of the subscription, `registryDataSubscriptionId` elsewhere.',
    dataOwnerId: 'Id of the organization that the subscription belongs to.',
    dataOwnerModel: {
      description: 'Category of that organization.',
      values: {
        upstreamEntity: 'A carrier, MGA, or wholesaler.',
        downstreamEntity: 'An agency or brokerage.',
      },
    },
    entityModel: as(entityModelDocs, {
      description:
        'Whether the NPN belongs to an agent or an agency; null until an agent or association of the organization refers to it. Of an NPN that belongs to both, which of them came first.',
      examples: ['downstreamEntity'],
    }),
    entityInfo: {
      description: 'State of the last synchronization with the registry, to poll after requesting one.',
      fields: {
        status: {
          description: 'State of the last synchronization.',
          values: {
            'not started': 'The registry was never asked about the NPN.',
            queued: 'A synchronization was requested and waits for its slot.',
            'in progress': 'A synchronization is reading the registry.',
            success: 'The registry was last read at `lastSynchronizationDate`.',
            failed: 'The last synchronization failed; `message` says why.',
          },
        },
        jobId: [
          'The last requested synchronization; null if none was requested.',
          '3f1c9ad4-6f0e-4a53-9d0b-0f6a2d9a7c11',
        ],
        message: [
          'Why the last synchronization failed; null unless it did.',
          'The registry does not recognize this NPN.',
        ],
        rawEntityInfoId: 'Reserved for the registry’s original record; always null.',
      },
    },
    npn: 'NPN whose registry records the subscription covers.',
    lastSynchronizationDate:
      'When the records were last brought up to date, on request or in the nightly poll; null if never.',
    pdbAlertsSubscriptionStatus: [
      'Whether the registry reports changes of this NPN: `active` from the first synchronization on, null before.',
      'active',
    ],
    pdbAlertsPausedAt: 'When the registry’s alerts were paused; null while they are not.',
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
  originOfAction: ['Who took the action; null if it is not reported.', 'Department of Insurance'],
  reasonForAction: ['Why it was taken; null if it is not reported.', 'Late filing'],
  disposition: [
    'Its outcome; null if it is not reported. With one such as `License, suspended` or `Revocation`, the holder may not sell in the state while it is in force.',
    'Monetary penalty',
  ],
  dateOfAction: 'When it was taken; null if it is not reported.',
  effectiveDate: 'When it takes effect; null if it is not reported.',
  enterDate: 'When the state entered it in the registry; null if it is not reported.',
  fileRef: ['The state’s reference; null if it is not reported.', 'TX-2025-4471'],
  penaltyFineForfeitureInUSD: 'Penalty, fine, or forfeiture in US dollars; null if there is none.',
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

const appointmentWords = 'A carrier’s appointment of a producer or an agency, as the registry reports it.';

export const appointmentDocs = documented(appointment, {
  id: 'Appointment',
  description: appointmentWords,
  examples: [
    {
      registryDataSubscriptionId: '65f0c1d2e3a4b5c6d7e8f910',
      stateCode: 'TX',
      carrierName: 'Beacon Specialty Insurance Company',
      ein: '75-1234567',
      companyCode: '19437',
      lineOfAuthorityName: 'Casualty',
      lineOfAuthorityCode: '16',
      status: 'active',
      npn: '17654321',
      terminationReason: null,
      statusChangeDate: '2024-04-01',
      renewalDate: '2027-03-31',
      appointerStateCoId: '94370',
      countyName: null,
      effectiveDate: '2024-04-01',
      countyCode: null,
      updatedAt: '2026-06-01T09:00:00.000Z',
    },
  ],
  fields: {
    registryDataSubscriptionId: registryDataSubscriptionIdDocs,
    stateCode: 'State in which the holder may sell for the carrier.',
    carrierName: [
      'The carrier that appoints, as spelled by the registry; null if it is not reported.',
      'Beacon Specialty Insurance Company',
    ],
    ein: [
      'Employer Identification Number of the carrier, with or without the hyphen; null if it is not reported.',
      '75-1234567',
    ],
    companyCode: ['NAIC company code of the carrier; null if it is not reported.', '19437'],
    lineOfAuthorityName: [
      'Line of authority that the appointment covers; null if it covers all lines.',
      'Casualty',
    ],
    lineOfAuthorityCode: [
      'Code of that line, as in `linesOfAuthority` of licenses and compliance configs; null if the appointment covers all lines.',
      '16',
    ],
    status: [
      'Status as spelled by the registry; words of many states are understood: see “How compliance is decided”. An appointment that is in force ends by another field, too.',
      'active',
    ],
    npn: 'NPN of the producer or agency that is appointed.',
    terminationReason: [
      'Why the appointment ended; null while it has not. A reason ends it, whatever its status.',
      'Terminated by carrier',
    ],
    statusChangeDate: 'When the status last changed, according to the registry; null if it is not reported.',
    renewalDate:
      'Last day on which the appointment is in force unless it is renewed, in New York; null if it does not end.',
    appointerStateCoId: ['The state’s own number for the carrier; null if it is not reported.', '94370'],
    countyName: ['County of the appointment in a state that appoints by county; null otherwise.', 'Travis'],
    effectiveDate: 'First day on which the appointment is in force; null if it is not reported.',
    countyCode: ['Code of that county; null if it is not reported.', '227'],
    updatedAt: updatedAtWords,
  },
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

const countsByStatusDocs = {
  active: ['Licenses in force that end in more than 60 days, or never.', 3],
  expiring: ['Licenses in force that end today or within 60 days.', 1],
  expired: [
    'Licenses whose end has passed, however the registry reports them, and whose next term, if one was issued, has not begun.',
    0,
  ],
  inactive: ['Other licenses: those that the registry does not report as active, or that have not begun.', 0],
} satisfies FieldDocs<typeof countsByStatus>;

export const licenseCountsDocs = documented(licenseCounts, {
  id: 'LicenseCounts',
  description: 'Number of licenses by status across all states; the four add up to the total.',
  examples: [{ total: 9, active: 6, expiring: 1, expired: 1, inactive: 1 }],
  fields: { total: ['Number of licenses in all states, whatever their status.', 4], ...countsByStatusDocs },
});

documented(stateLicenseOverview, {
  id: 'StateLicenseOverview',
  description: 'The licenses of the organization’s entities and producers in one state.',
  examples: [
    {
      stateCode: 'TX',
      status: 'expiring',
      licenses: 4,
      active: 3,
      expiring: 1,
      expired: 0,
      inactive: 0,
      nextRenewalDate: '2027-03-31',
      daysLeft: 41,
      entities: 1,
      producers: 3,
    },
  ],
  fields: {
    stateCode: 'State that issued the licenses.',
    status: {
      description: 'The most urgent status of the state’s licenses, from most to least urgent:',
      values: {
        expired: 'The end of a license has passed.',
        expiring: 'A license must be renewed today or within 60 days.',
        active: 'All licenses in force are valid for longer.',
        inactive: 'No license is in force, and none has expired.',
      },
      examples: ['expiring'],
    },
    licenses: ['Number of licenses in the state, whatever their status.', 4],
    ...countsByStatusDocs,
    nextRenewalDate: [
      'The earliest end of a license that is not inactive; null if none has one.',
      '2027-03-31',
    ],
    daysLeft: [
      'Days until `nextRenewalDate`, in New York; negative once it has passed, null if there is none.',
      41,
    ],
    entities: ['Number of the organization’s entities with a current license in the state.', 1],
    producers: ['Number of the organization’s producers with a current license in the state.', 3],
  },
});

const before = 'The version that was recorded before; null if `added`.';
const after = 'The version that was recorded; null if `removed`.';

const changeDocs = (record: string) =>
  ({
    npn: 'NPN of the holder, a person or an agency.',
    kind: 'What changed; it determines what `before` and `after` are.',
    change: {
      description: 'What was recorded.',
      values: {
        added: `A ${record} that was not held.`,
        changed: `Another version of a ${record} that was held.`,
        removed: `The registry no longer lists a ${record}, or an import said that it never existed.`,
      },
    },
    changedFields: [
      'Names of the fields that differ, except `updatedAt`; null unless `changed`. Empty if only another `validFrom` was recorded.',
      ['nextRenewalDate', 'expirationDate'],
    ],
    validFrom:
      'First day for which the version counts, by the registry’s dates or by the import: for a license, that of the version before or, for the first version, its `issueDate`; for an appointment, its `statusChangeDate`; for a regulatory action, its `effectiveDate`; for what the registry no longer lists, the day on which that became known. Null if nothing says.',
    recordedAt: 'When the service recorded it.',
    recordedBy: {
      description: 'What recorded it.',
      values: {
        synchronization: 'A synchronization that was requested.',
        reconciliation: 'The nightly poll of the registry, or the first poll of an NPN.',
        import: 'An import.',
      },
    },
  }) as const;

const exampleChange = {
  npn: exampleLicense.npn,
  change: 'changed',
  recordedAt: '2026-06-01T09:00:00.000Z',
  recordedBy: 'reconciliation',
} as const;

documented(licenseChange, {
  id: 'LicenseChange',
  description: 'A recorded version of a license.',
  examples: [
    {
      ...exampleChange,
      kind: 'license',
      changedFields: ['nextRenewalDate', 'expirationDate'],
      before: {
        ...exampleLicense,
        nextRenewalDate: '2025-03-31',
        expirationDate: '2025-03-31',
        updatedAt: '2025-01-04T03:12:44.031Z',
      },
      after: exampleLicense,
      validFrom: '2019-04-01',
    },
  ],
  fields: { ...changeDocs('license'), before: as(licenseDocs, before), after: as(licenseDocs, after) },
});

documented(appointmentChange, {
  id: 'AppointmentChange',
  description: 'A recorded version of an appointment.',
  fields: {
    ...changeDocs('appointment'),
    before: as(appointmentDocs, before),
    after: as(appointmentDocs, after),
  },
});

documented(actionChange, {
  id: 'RegulatoryActionChange',
  description: 'A recorded version of a regulatory action.',
  examples: [
    {
      ...exampleChange,
      kind: 'regulatory action',
      change: 'added',
      changedFields: null,
      before: null,
      after: exampleRegulatoryAction,
      validFrom: exampleRegulatoryAction.effectiveDate,
    },
  ],
  fields: {
    ...changeDocs('regulatory action'),
    before: as(regulatoryActionDocs, before),
    after: as(regulatoryActionDocs, after),
  },
});

documented(registryChange, {
  id: 'RegistryChange',
  description: 'A recorded version of what the registry reports, with the one before it.',
});
