import * as z from 'zod/mini';
import { appointmentFields } from '../../../shared/registry-records/operator-fields.ts';
import { npn } from '../../../shared/resources/npn.ts';
import { orAnswered, without } from '../answered-records.ts';
import { ownedFields, validFrom } from '../common-fields.ts';

/** An appointment; it is identified by its content and has no id. */
export const appointmentRecord = orAnswered(
  z.strictObject({
    type: z.literal('appointment'),
    ...ownedFields,
    npn,
    ...appointmentFields,
    validFrom,
  }),
  (answered) => without(answered, 'registryDataSubscriptionId'),
);
