import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { objectId, stateCode, textUpTo } from '../../platform/contract/primitives.ts';
import { naicCode } from '../identifiers/naic-code.ts';

export const carrierStatuses = ['active', 'inactive'] as const;

/** An insurer. */
export const carrier = object(() => ({
  _id: objectId,
  name: textUpTo(300),
  naicCode,
  groupName: z.nullable(z.string()),
  domicileStateCode: z.nullable(stateCode),
  status: z.enum(carrierStatuses),
}));

export type Carrier = z.output<typeof carrier>;
