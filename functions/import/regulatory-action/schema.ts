import * as z from 'zod/mini';
import { regulatoryActionFields } from '../../../shared/registry-records/operator-fields.ts';
import { npn } from '../../../shared/resources/npn.ts';
import { ownedFields } from '../common-fields.ts';

/** A regulatory action; without an id of its own it is known by what it is. */
export const regulatoryActionRecord = z.strictObject({
  type: z.literal('regulatory-action'),
  ...ownedFields,
  npn,
  ...regulatoryActionFields,
});
