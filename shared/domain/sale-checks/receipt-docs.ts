import * as z from 'zod/mini';
import { documented } from '#platform/contract/documented.ts';
import { codeOfDays } from '#platform/identity/organizations.ts';
import { agentAuthorityDocs } from '../agents/docs.ts';
import { classKindVersion, kindOfClass } from '../decision/classes.ts';
import { appointmentRowDocs, licenseRowDocs } from '../registry/docs.ts';
import { exampleAppointment, exampleLicense } from '../registry/resources.ts';
import { associationSource } from './answer.ts';
import * as receipt from './receipt.ts';

documented(receipt.statementSource, {
  id: 'ReceiptSource',
  description: 'Who said it.',
  values: { registry: 'The registry.', import: 'An import.' },
});

const recordedAt = 'When the service recorded it; `knownAt` is compared with it.';

const statedDocs = {
  id: ['The visit of the registry, or the import, that said so.', 'v-1'],
  at: 'The moment that it is about: when the registry was asked, or that of the import’s file.',
  recordedAt,
  isComplete: 'Whether what it did not name was not there.',
} as const;

const statedExample = {
  id: 'v-1',
  at: exampleLicense.updatedAt,
  recordedAt: exampleLicense.updatedAt,
  by: 'registry',
  isComplete: true,
};

documented(receipt.licenseSource, {
  id: 'ReceiptLicense',
  description: 'A license as a report or an import stated it.',
  examples: [z.parse(receipt.licenseSource, { ...exampleLicense, ...statedExample, kind: 'license' })],
  fields: { ...statedDocs, ...licenseRowDocs },
});

const { appointerStateCoId: _number, ...appointmentFields } = appointmentRowDocs;

documented(receipt.appointmentSource, {
  id: 'ReceiptAppointment',
  description: 'A status change of an appointment as a report or an import stated it.',
  examples: [
    z.parse(receipt.appointmentSource, { ...exampleAppointment, ...statedExample, kind: 'appointment' }),
  ],
  fields: { ...statedDocs, ...appointmentFields },
});

documented(receipt.gapOf, {
  description: 'What is not known.',
  values: {
    license: 'A license of the state: its row could not be read.',
    appointment: 'An appointment of the state, likewise.',
    'regulatory action': 'A regulatory action of the state, likewise.',
    'home license': 'A license of any state, likewise: it may be that of the home state.',
    npn: 'Anything: the registry does not find the NPN.',
  },
});

documented(receipt.gapSource, { id: 'ReceiptGap', description: 'What is not known of the party.' });

documented(receipt.daysAre, {
  id: 'ReceiptMark',
  description: 'What it was on these days.',
  values: {
    'in force': 'In force.',
    ended: 'Ended.',
    'left out': 'Left out by a complete report or file.',
    'not known': 'Not known.',
    'not in force': 'Nothing says anything of these days.',
  },
});

const from = [
  'First of the days, which last until those of the next entry; null if it has no beginning.',
  '2024-04-01',
] as const;

documented(receipt.lineSpan, { id: 'ReceiptLineSpan', description: 'Days of a line.', fields: { from } });

documented(receipt.span, {
  id: 'ReceiptSpan',
  description: 'Days of a license or an appointment.',
  fields: {
    from,
    row: ['Place in `rows` of the row that says so; null if none does.', 0],
    statedAt: 'The moment `at` of what says so; null if nothing does.',
  },
});

documented(receipt.lineDays, {
  id: 'ReceiptLine',
  description: 'A line of authority that the license ever had.',
  fields: { names: ['Its codes and names, by letters and digits alone.', ['16', 'casualty']] },
});

documented(receipt.heldSource, {
  id: 'ReceiptDays',
  description:
    'The days of a license or an appointment: from what was said of it, by the rules “When something is in force”.',
  fields: {
    kind: { description: 'What it is.', values: { license: 'A license.', appointment: 'An appointment.' } },
    rows: ['Places in `rows`, from 0, of what was said of it.', [0]],
    days: 'Spans of days, the earliest first.',
  },
});

documented(receipt.actionSource, {
  id: 'ReceiptOrder',
  description: 'Days on which a regulatory action forbids to sell, or may.',
  fields: {
    actionId: ['Number that the state’s department gave the action.', '1'],
    is: {
      description: 'Whether that is known.',
      values: { 'in force': 'The order is in force.', 'not known': 'It may be.' },
    },
    from: ['First of the days.', '2026-02-01'],
    until: ['Last of the days.', '2026-03-02'],
  },
});

documented(receipt.soldSource, {
  id: 'ReceiptSale',
  description: 'A sale of the party where the carrier appoints on binding (“Sales”).',
  fields: {
    linesOfAuthority: ['What the product asked of the party’s appointments on that day.', ['16']],
    carrierNaicCode: 'Null if it was not clear who wrote it.',
  },
});

documented(associationSource, {
  id: 'ReceiptAssociation',
  description: 'An association of the party. Of a producer’s, only its id is there.',
});

documented(receipt.partySource, {
  id: 'ReceiptParty',
  description: 'What was read of a producer or an agency in the state of the sale, and in its home states.',
  fields: {
    npn: 'Null for an agency without one.',
    rows: 'What reports and imports said of its licenses and appointments there, and of its licenses in its home states, without repetitions; and what is not known.',
    actions: 'Orders against it there and in its home states.',
    verifiedAt:
      'When the registry, or complete imports, last confirmed its licenses and appointments there; null if never.',
    sales: 'Its sales there after which an appointment may be due.',
    authority: {
      description: 'Products that the producer may sell, by the carrier’s own word; null for an agency.',
      fields: agentAuthorityDocs,
    },
    isArchived: 'Null for an agency.',
  },
});

documented(receipt.configSource, {
  id: 'ReceiptConfig',
  description: 'A version of a product’s compliance config.',
  fields: { recordedAt },
});

documented(kindOfClass, {
  id: 'ClassKind',
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

documented(classKindVersion, {
  id: 'ReceiptClassKind',
  description: 'What was said of a class of licenses.',
  fields: {
    classCode: ['Null if the class was named by its name alone.', 'PRO'],
    className: ['Null if the class was named by its code alone.', 'Insurance Producer'],
    kind: 'Null if what was said of it is taken back.',
    isOwn: 'Whether the organization itself said so: then that counts.',
    recordedAt,
  },
});

documented(codeOfDays, {
  id: 'CodeOfDays',
  description: 'A NAIC company code that counts on some days alone.',
  fields: {
    code: ['The NAIC company code.', '22314'],
    from: ['First day on which it counts; absent if it always did.', '2020-01-01'],
    until: ['Last day on which it counts; absent if it still does.', '2025-12-31'],
  },
});

documented(receipt.carrierSource, {
  id: 'ReceiptCarrier',
  description: 'Whose appointments count, and how old what is known may be.',
  fields: {
    name: 'By which appointments count if the organization has neither codes nor EINs; absent if it has.',
    naicCodes: ['One that counts on some days alone has `code`, `from`, and `until`.', ['19437']],
    eins: ['Its Employer Identification Numbers.', ['75-1234567']],
    verifiedWithinDays: ['Days after which what was confirmed is too old; null if it never is.', 30],
  },
});

documented(receipt.receiptSources, {
  id: 'ReceiptSources',
  description: 'Everything that checks were answered from, in the form that is hashed.',
  fields: {
    parties: 'Each producer and agency, in each state that was asked about.',
    configs: 'The versions of compliance configs that applied.',
    classKinds: 'What had been said of classes of licenses in these states.',
  },
});
