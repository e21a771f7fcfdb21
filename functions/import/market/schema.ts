import * as z from 'zod/mini';
import { market } from '../../../shared/domain/associations/market.ts';
import { objectId } from '../../../shared/platform/contract/primitives.ts';
import { orAnswered, withIdFrom, without } from '../answered-records.ts';
import { commonFields } from '../common-fields.ts';

const { upstreamEntityName, marketType, producerCode, status } = market.shape;

/** A market as the resource shows it. */
export const marketRecord = orAnswered(
  z.strictObject({
    type: z.literal('market'),
    ...commonFields,
    downstreamEntityId: objectId,
    upstreamEntityName,
    marketType: z._default(marketType, null),
    producerCode: z._default(producerCode, null),
    status: z._default(status, 'active'),
  }),
  (answered) => without(withIdFrom(answered, 'upstreamDownstreamAssociationId'), 'isOnPlatform'),
);

export type MarketRecord = z.output<typeof marketRecord>;
