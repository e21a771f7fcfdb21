import * as z from 'zod/mini';
import { multiline, objectId, recordTimes, textUpTo } from '#platform/contract/primitives.ts';
import { associationStatus, downstreamEntity } from '../downstream-entities/resource.ts';
import { registryDataSubscription } from '../registry-records/resources.ts';

/** A carrier's own name for an agency; unique within the carrier. */
const associationCode = () =>
  z.string().check(z.minLength(1, 'must not be empty; null clears it'), z.maxLength(200));

export const externalId = associationCode();
export const producerCode = associationCode();

/** An agency relationship of a carrier. */
export const association = z.object({
  _id: objectId,
  downstreamEntity,
  registryDataSubscription: z.nullable(registryDataSubscription),
  externalId: z.nullable(externalId),
  producerCode: z.nullable(producerCode),
  branchName: z.nullable(z.string()),
  parentDownstreamEntityAssociationId: z.nullable(objectId),
  status: associationStatus,
  ...recordTimes.shape,
});

export type Association = z.output<typeof association>;

/** A carrier relationship as the agency sees it; one of a carrier on the platform is its association. */
export const market = z.object({
  upstreamDownstreamAssociationId: objectId,
  downstreamEntityId: objectId,
  upstreamEntityName: textUpTo(300),
  isOnPlatform: z.boolean(),
  marketType: z.nullable(textUpTo(100)),
  producerCode: z.nullable(producerCode),
  branchName: association.shape.branchName,
  status: associationStatus,
  ...recordTimes.shape,
});

/** A set of contracts that an agency signs; its `_id` is used as `contractContainerTemplateId`. */
export const contractContainerTemplate = z.object({
  _id: objectId,
  name: textUpTo(300),
  description: z.nullable(multiline(z.string())),
  isActive: z.boolean(),
  ...recordTimes.shape,
});

export type ContractContainerTemplate = z.output<typeof contractContainerTemplate>;
