import { as, documented } from '../../platform/contract/documented.ts';
import { codeOfDays } from '../../platform/identity/company-codes.ts';
import { agentAuthorityDocs } from '../agents/docs.ts';
import { complianceConfigDocs } from '../compliance/docs.ts';
import { associationStatusDocs } from '../downstream-entities/docs.ts';
import { downstreamEntityAssociationIdDocs } from '../identifiers/docs.ts';
import {
  actionIdentityDocs,
  amendableFieldsDocs,
  appointmentRowDocs,
  licenseRowDocs,
} from '../registry/docs.ts';
import { associationSource } from './own-word.ts';
import {
  actionSource,
  actionStatement,
  appointmentDays,
  appointmentSource,
  appointmentSpan,
  appointmentStatement,
  carrierSource,
  classKindSource,
  configSource,
  daysAre,
  kindOfClass,
  licenseDays,
  licenseSource,
  licenseSpan,
  licenseStatement,
  lineDays,
  lineSpan,
  partySource,
  receiptSources,
  recordKind,
  repetition,
  reportSource,
  soldSource,
  unreadSource,
} from './receipt.ts';

const isDeletedDocs = 'Whether an import says that it never was; absent otherwise.';

const licenseSourceDocs = documented(licenseSource, {
  id: 'ReceiptLicense',
  description: 'A license as it was stated.',
  fields: { ...licenseRowDocs, isDeleted: isDeletedDocs },
});

const { appointerStateCoId: _number, ...appointmentFields } = appointmentRowDocs;

const appointmentSourceDocs = documented(appointmentSource, {
  id: 'ReceiptAppointment',
  description: 'A status change of an appointment as it was stated.',
  fields: { ...appointmentFields, isDeleted: isDeletedDocs },
});

const { stateCode, actionId } = actionIdentityDocs;
const { disposition, dateOfAction, effectiveDate, enterDate, lengthOfOrderInDays } = amendableFieldsDocs;

const actionSourceDocs = documented(actionSource, {
  id: 'ReceiptRegulatoryAction',
  description: 'A regulatory action as it was stated, as far as an answer depends on it.',
  fields: {
    stateCode,
    actionId,
    disposition,
    dateOfAction,
    effectiveDate,
    enterDate,
    lengthOfOrderInDays,
    isDeleted: isDeletedDocs,
  },
});

const momentDocs = {
  id: [
    'The visit of the registry, or the import; what it said of each state and kind has the same id.',
    'v-1',
  ],
  at: 'The moment that it is about: when the registry was asked, or that of the import’s file.',
  recordedAt: 'When the service recorded it; `knownAt` is compared with it.',
} as const;

const repetitionDocs = documented(repetition, {
  description: 'A later import that said the same.',
  fields: momentDocs,
});

const statementDocs = {
  ...momentDocs,
  by: { description: 'Who said it.', values: { registry: 'The registry.', import: 'An import.' } },
  stateCode: 'State of the licenses, appointments, or regulatory actions that it names.',
  isComplete: 'Whether what it does not name was not there.',
  isPartlyUnread: 'Whether a row of it could not be read.',
  repetitions: as(repetitionDocs, {
    description: 'Later imports that said the same; absent if there are none.',
  }),
} as const;

const rowsWords = 'What it said, row by row; none if there was nothing.';

documented(licenseStatement, {
  id: 'ReceiptLicenses',
  description: 'What a report or an import said of the licenses of the party in a state.',
  fields: {
    kind: 'Always `license`.',
    ...statementDocs,
    rows: as(licenseSourceDocs, { description: rowsWords }),
  },
});

documented(appointmentStatement, {
  id: 'ReceiptAppointments',
  description: 'What a report or an import said of the appointments of the party in a state.',
  fields: {
    kind: 'Always `appointment`.',
    ...statementDocs,
    rows: as(appointmentSourceDocs, { description: rowsWords }),
  },
});

const actionStatementDocs = documented(actionStatement, {
  id: 'ReceiptRegulatoryActions',
  description: 'What a report or an import said of the regulatory actions against the party in a state.',
  fields: { ...statementDocs, rows: as(actionSourceDocs, { description: rowsWords }) },
});

const recordKindDocs = documented(recordKind, {
  description: 'What something was about.',
  values: {
    license: 'A license.',
    appointment: 'An appointment.',
    'regulatory action': 'A regulatory action.',
  },
});

const unreadSourceDocs = documented(unreadSource, {
  id: 'ReceiptUnreadRow',
  description: 'A row of a report that could not be read.',
  fields: {
    kind: as(recordKindDocs, { description: 'What the row was about.', examples: ['license'] }),
    stateCode: ['Its state; null where even that could not be read: it may be of any.', 'TX'],
  },
});

documented(reportSource, {
  id: 'ReceiptReport',
  description:
    'A report of the registry. Of each kind and state of which nothing has its `id`, it said the same as the report before it.',
  fields: {
    kind: 'Always `report`.',
    ...momentDocs,
    by: 'Always `registry`.',
    isFound: 'Whether the registry found the NPN.',
    kinds: as(recordKindDocs, { description: 'What it was asked for.', examples: [['license']] }),
    unread: as(unreadSourceDocs, { description: 'Its rows that could not be read.' }),
  },
});

const daysAreDocs = documented(daysAre, {
  description: 'What it was on these days.',
  values: {
    'in force': 'In force.',
    ended: 'Ended.',
    'left out': 'Left out by a complete report or file.',
    'not known': 'Not known.',
    'not in force': 'Nothing says anything of these days.',
  },
});

const spanDocs = {
  from: [
    'First of the days, which last until those of the next entry; null if it has no beginning.',
    '2024-04-01',
  ],
  is: daysAreDocs,
  statedAt: 'The moment `at` of what says so; null if nothing does.',
} as const;

const rowWords = 'The row that says so; null if none does.';

const lineDaysDocs = documented(lineDays, {
  description: 'The days of a line of authority.',
  fields: {
    line: ['Code of the line, else its name, by letters and digits alone.', '16'],
    days: as(documented(lineSpan, { description: 'Days of a line.', fields: spanDocs }), {
      description: 'Spans of days, the earliest first.',
    }),
  },
});

documented(licenseDays, {
  id: 'ReceiptLicenseDays',
  description: 'The days of a license: from what was said of it, by the rules “When something is in force”.',
  fields: {
    kind: 'Always `license`.',
    stateCode: 'State that issued the license.',
    days: as(
      documented(licenseSpan, {
        description: 'Days of a license.',
        fields: { ...spanDocs, row: as(licenseSourceDocs, { description: rowWords }) },
      }),
      { description: 'Spans of days, the earliest first.' },
    ),
    lines: as(lineDaysDocs, { description: 'Lines of authority that it ever had.' }),
  },
});

documented(appointmentDays, {
  id: 'ReceiptAppointmentDays',
  description: 'The days of an appointment, likewise.',
  fields: {
    kind: 'Always `appointment`.',
    stateCode: 'State in which the party was appointed.',
    days: as(
      documented(appointmentSpan, {
        description: 'Days of an appointment.',
        fields: { ...spanDocs, row: as(appointmentSourceDocs, { description: rowWords }) },
      }),
      { description: 'Spans of days, the earliest first.' },
    ),
  },
});

const soldSourceDocs = documented(soldSource, {
  id: 'ReceiptSale',
  description: 'A sale of the party where the carrier appoints on binding (“Sales”).',
  fields: {
    transactionId: 'Id of the policy’s `New` or `Renewal`.',
    stateCode: 'State in which it was sold.',
    soldOn: ['Day of the sale.', '2026-04-10'],
    linesOfAuthority: [
      'What the product asked of the party’s appointments in the state on that day.',
      ['16'],
    ],
    carrierNaicCode: 'NAIC code of the company that wrote it; null if that was not clear.',
  },
});

const associationSourceDocs = documented(associationSource, {
  description: 'An association of the party.',
  fields: {
    downstreamEntityAssociationId: downstreamEntityAssociationIdDocs,
    status: as(associationStatusDocs, {
      description: 'Its status; null for those of the producer, which say only where the producer works.',
    }),
    isNpnRequired: 'Whether the agency needs an NPN; null for those of the producer.',
  },
});

const partySourceDocs = documented(partySource, {
  id: 'ReceiptParty',
  description: 'What was read of a producer or an agency in the state of the sale, and in its home states.',
  fields: {
    npn: 'NPN of the producer or agency; null for an agency without one.',
    stateCode: 'State of the sale that was asked about.',
    rows: 'Everything that was said by `knownAt` of its licenses and appointments there, and of its licenses in its home states, with the reports of the registry.',
    days: 'The days on which its licenses and appointments there, and its home states’ licenses, were in force.',
    actions: as(actionStatementDocs, {
      description: 'Everything that was said by then of regulatory actions there and in its home states.',
    }),
    verifiedAt:
      'When the registry, or complete imports, last confirmed its licenses and appointments there; null if never.',
    sales: as(soldSourceDocs, { description: 'Its sales there after which an appointment may be due.' }),
    authority: {
      description: 'Products that the producer may sell, by the carrier’s own word; null for an agency.',
      fields: agentAuthorityDocs,
    },
    isArchived: 'Whether the carrier had archived the producer; null for an agency.',
    associations: as(associationSourceDocs, {
      description: 'The associations under which the producer works, or the agency’s own.',
    }),
  },
});

const configSourceDocs = documented(configSource, {
  id: 'ReceiptConfig',
  description: 'A version of a product’s compliance config.',
  fields: { ...complianceConfigDocs.fields, recordedAt: momentDocs.recordedAt },
});

const kindOfClassDocs = documented(kindOfClass, {
  description: 'What licenses of a class allow.',
  values: {
    producer: 'A producer’s license, which allows to sell.',
    'surplus lines': 'A surplus lines license.',
    adjuster: 'An adjuster’s license.',
    consultant: 'A consultant’s license.',
    other: 'Any other license.',
    unrecognized: 'It is not known what it allows.',
  },
});

const classKindSourceDocs = documented(classKindSource, {
  id: 'ReceiptClassKind',
  description: 'What was said of a class of licenses.',
  fields: {
    stateCode: 'State that issues the licenses.',
    classCode: ['Code of the class; null if it was named by its name alone.', 'PRO'],
    className: ['Name of the class; null if it was named by its code alone.', 'Insurance Producer'],
    kind: as(kindOfClassDocs, {
      description: 'The kind that the class has; null if what was said of it is taken back.',
      examples: ['producer'],
    }),
    isOwn: 'Whether the organization itself said so: then that counts.',
    recordedAt: momentDocs.recordedAt,
  },
});

documented(codeOfDays, {
  description: 'A NAIC company code that counts on some days alone.',
  fields: {
    code: ['The NAIC company code.', '22314'],
    from: ['First day on which it counts; absent if it always did.', '2020-01-01'],
    until: ['Last day on which it counts; absent if it still does.', '2025-12-31'],
  },
});

const carrierSourceDocs = documented(carrierSource, {
  id: 'ReceiptCarrier',
  description: 'Whose appointments count, and how old what is known may be.',
  fields: {
    name: 'Name of the organization, by which appointments count if it has neither codes nor EINs; absent if it has.',
    naicCodes: [
      'NAIC company codes of the organization; one that counts on some days alone has `code`, `from`, and `until`.',
      ['19437'],
    ],
    eins: ['Its Employer Identification Numbers.', ['75-1234567']],
    verifiedWithinDays: 'Days after which what was confirmed is too old; null if it never is.',
  },
});

export const receiptSourcesDocs = documented(receiptSources, {
  id: 'ReceiptSources',
  description: 'Everything that checks were answered from, in the form that is hashed.',
  fields: {
    parties: as(partySourceDocs, {
      description: 'Each producer and agency, in each state that was asked about.',
    }),
    configs: as(configSourceDocs, { description: 'The versions of compliance configs that applied.' }),
    classKinds: as(classKindSourceDocs, {
      description: 'What had been said of classes of licenses in these states.',
    }),
    carrier: as(
      carrierSourceDocs,
      'What the organization’s appointments are recognized by, and its settings.',
    ),
  },
});

export const exampleOfSources = {
  parties: [],
  configs: [],
  classKinds: [],
  carrier: { naicCodes: ['19437'], eins: [], verifiedWithinDays: null },
} as const;
