import * as z from 'zod/mini';
import { npn } from '../../../shared/domain/identifiers/npn.ts';
import { licenseFields } from '../../../shared/domain/registry-records/operator-fields.ts';
import { orAnswered, without } from '../answered-records.ts';
import { ownedFields, validFrom } from '../common-fields.ts';

/** A license; it is identified by its content and has no id. */
export const licenseRecord = orAnswered(
  z.strictObject({ type: z.literal('license'), ...ownedFields, npn, ...licenseFields, validFrom }),
  (answered) => without(answered, 'registryDataSubscriptionId'),
);
