import * as z from 'zod/mini';
import { npn } from '../../../shared/domain/identifiers/npn.ts';
import { appointmentFields } from '../../../shared/domain/registry-records/operator-fields.ts';
import { orAnswered, without } from '../answered-records.ts';
import { ownedFields, validFrom } from '../common-fields.ts';

/** An appointment; it is identified by its content and has no id. */
export const appointmentRecord = orAnswered(
  z.strictObject({ type: z.literal('appointment'), ...ownedFields, npn, ...appointmentFields, validFrom }),
  (answered) => without(answered, 'registryDataSubscriptionId'),
);
