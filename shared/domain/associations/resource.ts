import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { objectId, recordTimes } from '../../platform/contract/primitives.ts';
import { associationStatus, downstreamEntity } from '../downstream-entities/resource.ts';
import { registryDataSubscription } from '../registry-records/registry-data-subscription.ts';

/** A carrier's own name for an agency; unique within the carrier. */
export const associationCode = () =>
  z.string().check(z.minLength(1, 'must not be empty; null clears it'), z.maxLength(200));

export const externalId = associationCode();
export const producerCode = associationCode();

/** An agency relationship of a carrier. */
export const association = object(() => ({
  _id: objectId,
  downstreamEntity,
  registryDataSubscription: z.nullable(registryDataSubscription),
  externalId: z.nullable(externalId),
  producerCode: z.nullable(producerCode),
  branchName: z.nullable(z.string()),
  parentDownstreamEntityAssociationId: z.nullable(objectId),
  status: associationStatus,
  ...recordTimes.shape,
}));

export type Association = z.output<typeof association>;
