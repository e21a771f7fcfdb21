import * as z from 'zod/mini';
import { corporateRegistrationFields } from '../../../shared/domain/licensing/corporate-registration.ts';
import { commonFields } from '../common-fields.ts';

const {
  downstreamEntityId,
  stateCode,
  registrationType,
  registeredName,
  registrationNumber,
  status,
  registrationDate,
  nextReportDueDate,
  expirationDate,
} = corporateRegistrationFields.shape;

/** A registration with a state, as the resource shows it. */
export const corporateRegistrationRecord = z.strictObject({
  type: z.literal('corporate-registration'),
  ...commonFields,
  downstreamEntityId,
  stateCode,
  registrationType,
  registeredName: z._default(registeredName, null),
  registrationNumber: z._default(registrationNumber, null),
  status: z._default(status, 'active'),
  registrationDate: z._default(registrationDate, null),
  nextReportDueDate: z._default(nextReportDueDate, null),
  expirationDate: z._default(expirationDate, null),
});
