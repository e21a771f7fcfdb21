import * as z from 'zod/mini';
import { npn } from '../../../shared/domain/identifiers/npn.ts';
import { regulatoryActionFields } from '../../../shared/domain/registry-records/operator-fields.ts';
import { orAnswered, without } from '../answered-records.ts';
import { ownedFields } from '../common-fields.ts';

/** A regulatory action; one without an id is identified by its content. */
export const regulatoryActionRecord = orAnswered(
  z.strictObject({ type: z.literal('regulatory-action'), ...ownedFields, npn, ...regulatoryActionFields }),
  (answered) => without(answered, 'registryDataSubscriptionId'),
);
