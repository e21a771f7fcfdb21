import * as z from 'zod/mini';
import { fields, object } from '../../platform/contract/object.ts';
import { isoDate, objectId, recordTimes, stateCode, textUpTo } from '../../platform/contract/primitives.ts';
import { storedItem } from '../../platform/data/stored.ts';

export const registrationTypes = ['domestic', 'foreign'] as const;
export const registrationStatuses = ['active', 'pending', 'delinquent', 'inactive'] as const;

/** A state's data on an entity that is registered to do business in it. */
export const corporateRegistrationFields = fields(() => ({
  downstreamEntityId: objectId,
  stateCode,
  registrationType: z.enum(registrationTypes),
  registeredName: z.nullable(textUpTo(300)),
  registrationNumber: z.nullable(textUpTo(100)),
  status: z.enum(registrationStatuses),
  registrationDate: z.nullable(isoDate),
  nextReportDueDate: z.nullable(isoDate),
  expirationDate: z.nullable(isoDate),
}));

/** An entity's registration with a state to do business there. */
export const corporateRegistration = storedItem(
  'licensing/registration',
  object(() => ({ _id: objectId, ...corporateRegistrationFields.shape, ...recordTimes.shape })),
);

export type CorporateRegistration = z.output<typeof corporateRegistration>;
