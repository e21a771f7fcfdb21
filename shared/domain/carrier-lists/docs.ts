import * as z from 'zod/mini';
import { documented, type FieldDocs } from '#platform/contract/documented.ts';
import { appointmentDocs, licenseDocs, regulatoryActionDocs } from '../registry/docs.ts';
import { exampleAppointment, exampleLicense, exampleRegulatoryAction } from '../registry/resources.ts';
import {
  carrierAction,
  type carrierActionsQuery,
  carrierAppointment,
  type carrierAppointmentsQuery,
  carrierLicense,
  type carrierLicensesQuery,
  recordedDays,
  takenBackAction,
  takenBackAppointment,
  takenBackLicense,
} from './resource.ts';

const example = {
  agentId: '65f0c1d2e3a4b5c6d7e8f906',
  firstName: 'Maria',
  lastName: 'Delgado',
  downstreamEntityAssociationIds: ['65f0c1d2e3a4b5c6d7e8f904'],
  isInForce: true,
  verifiedAt: '2026-06-01T09:00:00.000Z',
  recordedAt: '2026-06-01T09:00:00.000Z',
} as const;

const ofHolder = {
  agentId: 'The agent with that NPN; null for an agency, and for an NPN that is no agent’s any more.',
  firstName: ['The agent’s first name; null without an agent.', 'Maria'],
  lastName: ['The agent’s last name; null without an agent.', 'Delgado'],
  downstreamEntityAssociationIds:
    'Associations that the agent works under, and those with the agency that has the NPN; may be empty.',
  verifiedAt:
    'When a report or a file last said everything about the holder’s licenses and appointments in the state; null if never.',
  recordedAt: 'When something else than before was last recorded of it.',
} as const;

const dayWords = 'on the day of `inForceOn`, today by default';

documented(carrierLicense, {
  id: 'CarrierLicense',
  description: 'A license of a producer or an agency, by the row of its sources that says what it is.',
  examples: [{ ...exampleLicense, ...example }],
  fields: {
    ...licenseDocs.fields,
    ...ofHolder,
    isInForce: [`Whether it is in force ${dayWords}, by “How compliance is decided”.`, true],
  },
});

documented(carrierAppointment, {
  id: 'CarrierAppointment',
  description:
    'An appointment of a producer or an agency, by the row of its sources that says what it is: of one that ended, the end.',
  examples: [{ ...exampleAppointment, ...example }],
  fields: {
    ...appointmentDocs.fields,
    ...ofHolder,
    isInForce: [`Whether it is in force ${dayWords}, by “How compliance is decided”.`, true],
  },
});

documented(carrierAction, {
  id: 'CarrierRegulatoryAction',
  description: 'A state’s action against a producer or an agency, as it was stated last.',
  examples: [{ ...exampleRegulatoryAction, ...example, isInForce: false }],
  fields: {
    ...regulatoryActionDocs.fields,
    ...ofHolder,
    isInForce: [`Whether it is an order that is known to be in force ${dayWords}.`, false],
  },
});

const takenBackDocs = {
  isDeleted: { description: 'Always true.', examples: [true], omits: ['const'] },
  recordedAt: 'When the import took it back.',
} as const;

const takenBackExample = { isDeleted: true, recordedAt: example.recordedAt };

documented(takenBackLicense, {
  id: 'TakenBackLicense',
  description: 'A license that never was, as an import says: its key.',
  examples: [z.parse(takenBackLicense, { ...exampleLicense, ...takenBackExample })],
  fields: takenBackDocs,
});

documented(takenBackAppointment, {
  id: 'TakenBackAppointment',
  description: 'An appointment that never was, as an import says: its key.',
  examples: [z.parse(takenBackAppointment, { ...exampleAppointment, ...takenBackExample })],
  fields: takenBackDocs,
});

documented(takenBackAction, {
  id: 'TakenBackRegulatoryAction',
  description: 'A regulatory action that never was, as an import says: its key.',
  examples: [z.parse(takenBackAction, { ...exampleRegulatoryAction, ...takenBackExample })],
  fields: takenBackDocs,
});

export const carrierActionsQueryDocs = {
  stateCode: 'State of the licenses, appointments, or actions to return.',
  npn: 'Only of this NPN, apart from leading zeros.',
  agentId: 'Only of this agent; an unknown one has none.',
  downstreamEntityAssociationId:
    'Only of the agents who work under this association, and of its agency; an unknown one has none.',
  inForceOn: ['Only what is in force on this day, past or to come, as it is known now.', '2026-04-15'],
  recordedSince: {
    description: `Only that of which something was recorded since this time (inclusive), what ended or was left out too; what an import took back arrives as its key. Send the \`x-recorded-until\` of an earlier response; at most ${recordedDays} days ago.`,
    examples: ['2026-03-01T14:03:09.123Z'],
  },
} satisfies FieldDocs<typeof carrierActionsQuery>;

export const carrierLicensesQueryDocs = {
  ...carrierActionsQueryDocs,
  endsFrom: [
    'Only licenses whose last day, that of the last term, is this day or later; one without an end is left out.',
    '2026-04-15',
  ],
  endsUntil: ['Likewise this day or earlier.', '2026-06-14'],
} satisfies FieldDocs<typeof carrierLicensesQuery>;

export const carrierAppointmentsQueryDocs = {
  ...carrierLicensesQueryDocs,
  endsFrom: [
    'Only appointments whose `renewalDate` is this day or later; one without is left out.',
    '2026-04-15',
  ],
  companyCode: ['Only of the insurer with this NAIC company code, by its letters and digits.', '19437'],
} satisfies FieldDocs<typeof carrierAppointmentsQuery>;
