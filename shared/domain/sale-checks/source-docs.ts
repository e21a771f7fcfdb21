import { as, documented } from '../../platform/contract/documented.ts';
import { complianceConfigDocs } from '../compliance/docs.ts';
import { amendableFieldsDocs, appointmentRowDocs, licenseRowDocs } from '../registry/docs.ts';
import {
  actionSource,
  appointmentSource,
  classKindSource,
  configSource,
  factSource,
  kindOfClass,
  licenseSource,
  setAsideSource,
  soldSource,
} from './sources.ts';

const idDocs = 'Id under which the payload of the receipt has its hash.';
const recordedAtDocs = 'When the service recorded it; `knownAt` is compared with it.';

const { stateCode: _state, ...licenseFields } = licenseRowDocs;

const licenseSourceDocs = documented(licenseSource, {
  id: 'ReceiptLicense',
  description: 'A license as a fact states it, with exactly the fields that are hashed.',
  fields: licenseFields,
});

const { stateCode: _itsState, appointerStateCoId: _number, ...appointmentFields } = appointmentRowDocs;

const appointmentSourceDocs = documented(appointmentSource, {
  id: 'ReceiptAppointment',
  description:
    'A status change of an appointment as a fact states it, with exactly the fields that are hashed.',
  fields: appointmentFields,
});

const { disposition, dateOfAction, effectiveDate, enterDate, lengthOfOrderInDays } = amendableFieldsDocs;

const actionSourceDocs = documented(actionSource, {
  id: 'ReceiptRegulatoryAction',
  description: 'A regulatory action as a fact states it, with exactly the fields that are hashed.',
  fields: { disposition, dateOfAction, effectiveDate, enterDate, lengthOfOrderInDays },
});

const { licenseNumber, licenseClassCode, licenseClassName } = licenseFields;
const { companyCode, ein, carrierName } = appointmentFields;

const setAsideSourceDocs = documented(setAsideSource, {
  id: 'ReceiptSetAsideRow',
  description: 'What was understood of a row that cannot be read, with exactly the fields that are hashed.',
  fields: {
    licenseNumber,
    licenseClassCode,
    licenseClassName,
    isLive: 'Of a license, whether its status was read and is in force.',
    companyCode,
    ein,
    carrierName,
  },
});

const soldSourceDocs = documented(soldSource, {
  id: 'ReceiptSale',
  description: 'A sale as a fact of a party states it, with exactly the fields that are hashed.',
  fields: {
    soldOn: ['Day of the sale.', '2026-04-10'],
    linesOfAuthority: [
      'What the product asked of the party’s appointments in the state on that day.',
      ['16'],
    ],
    carrierNaicCode: 'NAIC code of the company that wrote it; null if the sale named none.',
  },
});

export const exampleOfFact = {
  id: '65f0c1d2e3a4b5c6d7e8f912',
  npn: '8123456',
  stateCode: 'TX',
  kind: 'appointment',
  what: 'left out',
  key: 'code 19437#code 16##2024-04-01',
  recordedBy: 'reconciliation',
  commandId: '3f1c9ad4-6f0e-4a53-9d0b-0f6a2d9a7c11',
  commandAt: '2026-04-10T06:00:00.000Z',
  recordedAt: '2026-04-10T06:00:01.250Z',
  validFrom: null,
} as const;

export const factSourceDocs = documented(factSource, {
  id: 'ReceiptFact',
  description:
    'Something that a poll of the registry or an import recorded of a producer or an agency, with exactly the fields that are hashed.',
  examples: [exampleOfFact],
  fields: {
    id: idDocs,
    npn: 'NPN of the producer or agency.',
    stateCode: 'State of the license, appointment, or action.',
    kind: {
      description: 'What it is about.',
      values: {
        license: 'A license.',
        appointment: 'An appointment.',
        'regulatory action': 'A regulatory action.',
        sale: 'A sale of the producer or agency, where the carrier appoints on binding (“Sales”).',
      },
    },
    what: {
      description: 'What was recorded.',
      values: {
        stated: 'That it is as `licenses`, `appointments`, `action`, or `sale` say.',
        'left out': 'That a complete list did not name it.',
        retracted: 'That it never existed.',
        'list complete': 'That the list of the command names all there are in the state.',
        'set aside': 'That a row could not be read; `setAside` has what was understood of it.',
      },
    },
    key: [
      'What it speaks of: a license by number, class, and `issueDate`, an appointment by company, line, county, and date, a regulatory action by its id, a sale by that of its transaction. Null for `list complete` and `set aside`.',
      '1456789#1#2019-04-01',
    ],
    recordedBy: {
      description: 'What recorded it.',
      values: {
        synchronization: 'A synchronization that was requested.',
        reconciliation: 'The nightly poll of the registry, or the first poll of an NPN.',
        import: 'An import.',
      },
    },
    commandId: [
      'Id of the poll or import; facts of one list have the same.',
      '3f1c9ad4-6f0e-4a53-9d0b-0f6a2d9a7c11',
    ],
    commandAt: 'When that began: the day on which what it states became known.',
    recordedAt: recordedAtDocs,
    validFrom: 'First day for which an import says so; null if it, or the registry, says none.',
    licenses: as(licenseSourceDocs, {
      description: 'The rows of the license that were stated; absent otherwise.',
    }),
    appointments: as(appointmentSourceDocs, {
      description: 'The rows of the appointment that were stated; absent otherwise.',
    }),
    action: as(actionSourceDocs, 'The regulatory action that was stated; absent otherwise.'),
    setAside: as(setAsideSourceDocs, 'What was understood of the row that was set aside; absent otherwise.'),
    sale: as(soldSourceDocs, {
      description: 'The sale that was stated; absent otherwise.',
    }),
  },
});

export const configSourceDocs = documented(configSource, {
  id: 'ReceiptConfig',
  description: 'A version of a product’s compliance config, with exactly the fields that are hashed.',
  fields: { ...complianceConfigDocs.fields, id: idDocs, recordedAt: recordedAtDocs },
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

export const classKindSourceDocs = documented(classKindSource, {
  id: 'ReceiptClassKind',
  description: 'What was said of a class of licenses, with exactly the fields that are hashed.',
  fields: {
    id: idDocs,
    stateCode: 'State that issues the licenses.',
    classCode: ['Code of the class; null if it was named by its name alone.', 'PRO'],
    className: ['Name of the class; null if it was named by its code alone.', 'Insurance Producer'],
    kind: as(kindOfClassDocs, {
      description: 'The kind that the class has; null if what was said of it is taken back.',
      examples: ['producer'],
    }),
    isOwn: 'Whether the organization itself said so: then that counts.',
    recordedAt: recordedAtDocs,
  },
});
