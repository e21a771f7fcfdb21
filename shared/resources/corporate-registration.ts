import * as z from 'zod/mini';
import { described } from '../contract/described.ts';
import { compiledObject } from '../contract/object.ts';
import { isoDate, objectId, stateCode, timestamp } from '../contract/primitives.ts';

export const registrationTypes = ['domestic', 'foreign'] as const;
export const registrationStatuses = ['active', 'pending', 'delinquent', 'inactive'] as const;

/** A state's data on an entity that is registered to do business in it. */
export const corporateRegistrationFields = {
  downstreamEntityId: objectId,
  stateCode,
  registrationType: described(
    z.enum(registrationTypes),
    DOCUMENTED && {
      description: '`domestic` in the state where the entity was formed, `foreign` elsewhere.',
      examples: ['foreign'],
    },
  ),
  registeredName: described(
    z.nullable(z.string().check(z.minLength(1), z.maxLength(300))),
    DOCUMENTED && {
      description: 'Name under which the entity is registered, if it differs from its legal name.',
    },
  ),
  registrationNumber: described(
    z.nullable(z.string().check(z.minLength(1), z.maxLength(100))),
    DOCUMENTED && { description: 'File number assigned by the state.', examples: ['F23000001234'] },
  ),
  status: z.enum(registrationStatuses),
  registrationDate: z.nullable(isoDate),
  nextReportDueDate: described(
    z.nullable(isoDate),
    DOCUMENTED && {
      description: 'Day on which the next report or fee is due.',
      examples: ['2027-05-01'],
    },
  ),
  expirationDate: z.nullable(isoDate),
};

/** An entity's registration with a state to do business there. */
export const corporateRegistration = described(
  compiledObject({
    _id: objectId,
    ...corporateRegistrationFields,
    createdAt: timestamp,
    updatedAt: timestamp,
  }),
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
);

export type CorporateRegistration = z.output<typeof corporateRegistration>;
