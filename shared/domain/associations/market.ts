import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { objectId, recordTimes, textUpTo } from '../../platform/contract/primitives.ts';
import { associationStatus } from '../downstream-entities/resource.ts';
import { association, producerCode } from './resource.ts';

/** A carrier relationship as the agency sees it; one of a carrier on the platform is its association. */
export const market = object(() => ({
  upstreamDownstreamAssociationId: objectId,
  downstreamEntityId: objectId,
  upstreamEntityName: textUpTo(300),
  isOnPlatform: z.boolean(),
  marketType: z.nullable(textUpTo(100)),
  producerCode: z.nullable(producerCode),
  branchName: association.shape.branchName,
  status: associationStatus,
  ...recordTimes.shape,
}));
