import * as z from 'zod/mini';
import { described, describedShape } from '../../platform/contract/described.ts';
import { lazily } from '../../platform/contract/lazily.ts';
import { compiledObject } from '../../platform/contract/object.ts';
import { isoDate, objectId, recordTimes, stateCode } from '../../platform/contract/primitives.ts';
import { storedItem } from '../../platform/data/stored.ts';
import { downstreamEntityId } from '../identifiers/ids.ts';

export const registrationTypes = ['domestic', 'foreign'] as const;
export const registrationStatuses = ['active', 'pending', 'delinquent', 'inactive'] as const;

/** A state's data on an entity that is registered to do business in it. */
export const corporateRegistrationFields = lazily(() =>
  describedShape(
    {
      downstreamEntityId,
      stateCode,
      registrationType: z.enum(registrationTypes),
      registeredName: z.nullable(z.string().check(z.minLength(1), z.maxLength(300))),
      registrationNumber: z.nullable(z.string().check(z.minLength(1), z.maxLength(100))),
      status: z.enum(registrationStatuses),
      registrationDate: z.nullable(isoDate),
      nextReportDueDate: z.nullable(isoDate),
      expirationDate: z.nullable(isoDate),
    },
    DOCUMENTED && {
      downstreamEntityId: 'Id of the organization’s entity that is registered.',
      stateCode: 'State with which the entity is registered.',
      registrationType: {
        description: 'Whether the entity was formed in the state.',
        values: { domestic: 'The entity was formed in this state.', foreign: 'It was formed elsewhere.' },
        examples: ['foreign'],
      },
      registeredName: {
        description:
          'Name under which the entity is registered, if it differs from its legal name; null otherwise.',
        examples: ['Lone Star Brokerage of Texas'],
      },
      registrationNumber: {
        description: 'File number assigned by the state; null if it is not recorded.',
        examples: ['F23000001234'],
      },
      status: {
        description: 'Standing of the entity with the state.',
        values: {
          active: 'The entity may do business in the state.',
          pending: 'The registration has been applied for.',
          delinquent: 'A report or fee is overdue.',
          inactive: 'The registration has ended.',
        },
      },
      registrationDate: 'When the entity was registered; null if it is not recorded.',
      nextReportDueDate: {
        description: 'Day on which the next report or fee is due; null if none is.',
        examples: ['2027-05-01'],
      },
      expirationDate: 'Last day of the registration; null if it does not expire.',
    },
  ),
);

/** An entity's registration with a state to do business there. */
export const corporateRegistration = storedItem(
  'licensing/registration',
  described(
    compiledObject(() => ({
      ...describedShape({ _id: objectId }, DOCUMENTED && { _id: 'Id of the registration in this list.' }),
      ...corporateRegistrationFields(),
      ...recordTimes(),
    })),
    DOCUMENTED && {
      id: 'CorporateRegistration',
      description: 'An entity’s registration with a state to do business there.',
      examples: [
        {
          _id: '65f0c1d2e3a4b5c6d7e8f921',
          downstreamEntityId: '65f0c1d2e3a4b5c6d7e8f906',
          stateCode: 'FL',
          registrationType: 'foreign',
          registeredName: null,
          registrationNumber: 'F23000001234',
          status: 'active',
          registrationDate: '2023-02-14',
          nextReportDueDate: '2027-05-01',
          expirationDate: null,
          createdAt: '2026-03-01T14:05:09.123Z',
          updatedAt: '2026-03-01T14:05:09.123Z',
        },
      ],
    },
  ),
);

export type CorporateRegistration = z.output<typeof corporateRegistration>;
