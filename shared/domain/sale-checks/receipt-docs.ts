import { as, documented } from '../../platform/contract/documented.ts';
import { codeOfDays } from '../../platform/identity/company-codes.ts';
import { agentAuthorityDocs } from '../agents/docs.ts';
import { complianceConfigDocs } from '../compliance/docs.ts';
import { associationStatusDocs } from '../downstream-entities/docs.ts';
import { downstreamEntityAssociationIdDocs } from '../identifiers/docs.ts';
import { actionIdentityDocs, appointmentRowDocs, licenseRowDocs } from '../registry/docs.ts';
import {
  actionSource,
  appointmentSource,
  carrierSource,
  classKindSource,
  configSource,
  daysAre,
  gapOf,
  gapSource,
  heldSource,
  kindOfClass,
  licenseSource,
  lineDays,
  lineSpan,
  partySource,
  receiptSources,
  soldSource,
  span,
} from './receipt.ts';
import { associationSource } from './sources.ts';

const momentDocs = {
  id: ['The visit of the registry, or the import, that said so.', 'v-1'],
  at: 'The moment that it is about: when the registry was asked, or that of the import’s file.',
  recordedAt: 'When the service recorded it; `knownAt` is compared with it.',
} as const;

const statedDocs = {
  ...momentDocs,
  by: { description: 'Who said it.', values: { registry: 'The registry.', import: 'An import.' } },
  isComplete: 'Whether what it did not name was not there.',
} as const;

documented(licenseSource, {
  id: 'ReceiptLicense',
  description: 'A license as a report or an import stated it.',
  fields: { kind: 'Always `license`.', ...statedDocs, ...licenseRowDocs },
});

const { appointerStateCoId: _number, ...appointmentFields } = appointmentRowDocs;

documented(appointmentSource, {
  id: 'ReceiptAppointment',
  description: 'A status change of an appointment as a report or an import stated it.',
  fields: { kind: 'Always `appointment`.', ...statedDocs, ...appointmentFields },
});

const gapOfDocs = documented(gapOf, {
  description: 'What is not known.',
  values: {
    license: 'A license of the state: its row could not be read.',
    appointment: 'An appointment of the state, likewise.',
    'regulatory action': 'A regulatory action of the state, likewise.',
    npn: 'Anything: the registry no longer finds the NPN.',
  },
});

documented(gapSource, {
  id: 'ReceiptGap',
  description: 'What is not known of the party.',
  fields: { kind: 'Always `not known`.', of: as(gapOfDocs, { examples: ['license'] }) },
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
} as const;

const daysWords = 'Spans of days, the earliest first.';

const lineDaysDocs = documented(lineDays, {
  description: 'The days of a line of authority.',
  fields: {
    names: ['Its codes and names, by letters and digits alone.', ['16', 'casualty']],
    days: as(documented(lineSpan, { description: 'Days of a line.', fields: spanDocs }), {
      description: daysWords,
    }),
  },
});

const heldSourceDocs = documented(heldSource, {
  id: 'ReceiptDays',
  description:
    'The days of a license or an appointment: from what was said of it, by the rules “When something is in force”.',
  fields: {
    kind: {
      description: 'What it is.',
      values: { license: 'A license.', appointment: 'An appointment.' },
    },
    stateCode: 'State that issued the license, or in which the party was appointed.',
    rows: ['Places in `rows`, from 0, of what was said of it.', [0]],
    days: as(
      documented(span, {
        description: 'Days of a license or an appointment.',
        fields: {
          ...spanDocs,
          row: ['Place in `rows` of the row that says so; null if none does.', 0],
          statedAt: 'The moment `at` of what says so; null if nothing does.',
        },
      }),
      { description: daysWords },
    ),
    lines: as(lineDaysDocs, { description: 'Lines of authority that the license ever had.' }),
  },
});

const actionSourceDocs = documented(actionSource, {
  id: 'ReceiptOrder',
  description: 'Days on which a regulatory action forbids to sell, or may.',
  fields: {
    stateCode: 'State whose department took the action.',
    actionId: actionIdentityDocs.actionId,
    is: {
      description: 'Whether that is known.',
      values: { 'in force': 'The order is in force.', 'not known': 'It may be.' },
    },
    from: ['First of the days.', '2026-02-01'],
    until: ['Last of the days.', '2026-03-02'],
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
    rows: 'What reports and imports said of its licenses and appointments there, and of its licenses in its home states, without repetitions; and what is not known.',
    days: as(heldSourceDocs, {
      description: 'Each of these licenses and appointments, with the days on which it was in force.',
    }),
    actions: as(actionSourceDocs, { description: 'Orders against it there and in its home states.' }),
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
