import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { objectId } from '../../platform/contract/primitives.ts';
import { storedItem } from '../../platform/data/stored.ts';
import { carrier } from './resource.ts';

/** A soft-deleted carrier keeps its item, marked as deleted. */
export const storedCarrier = storedItem(
  'carriers/carrier',
  object(() => ({ ...carrier.shape, isDeleted: z.optional(z.boolean()) })),
);

/** Which carrier has a NAIC code. */
export const ownerOfNaicCode = storedItem('carriers/holder', () => ({ carrierId: objectId }));
