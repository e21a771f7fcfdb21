import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { objectId, recordTimes } from '../../platform/contract/primitives.ts';
import { npn, producerNames } from '../identifiers/identifiers.ts';
import { email, isDeliverable } from './resource.ts';

/** A producer as the agency that employs it sees it. */
export const agencyProducer = object(() => ({
  _id: objectId,
  npn,
  ...producerNames.shape,
  email: z.nullable(email),
  isDeliverable,
  externalId: z.nullable(z.string()),
  downstreamEntityIds: z.array(objectId),
  isArchived: z.boolean(),
  ...recordTimes.shape,
}));
