import * as z from 'zod/mini';
import { invalidAt } from '#platform/contract/errors.ts';
import { objectId } from '#platform/contract/primitives.ts';

/** The id of a market, which agencies may send under either of its names (OpenAPI, "Terms"). */
export const marketIds = z.object({
  upstreamDownstreamAssociationId: z.optional(objectId),
  downstreamEntityAssociationId: z.optional(objectId),
});

/**
 * The market that a request names, and under which name.
 * @throws ApiError `validation_error` for two that differ.
 */
export function marketIdOf({
  upstreamDownstreamAssociationId: id,
  downstreamEntityAssociationId: otherId,
}: z.output<typeof marketIds>) {
  if (id !== undefined && otherId !== undefined && id !== otherId) {
    throw invalidAt(
      'downstreamEntityAssociationId',
      'differs from upstreamDownstreamAssociationId: send one',
    );
  }
  if (id !== undefined) return { id, path: 'upstreamDownstreamAssociationId' } as const;
  return otherId === undefined
    ? undefined
    : ({ id: otherId, path: 'downstreamEntityAssociationId' } as const);
}
