import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { objectId, recordTimes, textUpTo } from '../../platform/contract/primitives.ts';
import { multiline } from '../../platform/contract/text.ts';

/** A set of contracts that an agency signs; its `_id` is used as `contractContainerTemplateId`. */
export const contractContainerTemplate = object(() => ({
  _id: objectId,
  name: textUpTo(300),
  description: z.nullable(multiline(z.string())),
  isActive: z.boolean(),
  ...recordTimes.shape,
}));

export type ContractContainerTemplate = z.output<typeof contractContainerTemplate>;
