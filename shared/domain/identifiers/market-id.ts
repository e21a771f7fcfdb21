import * as z from 'zod/mini';
import { invalidAt } from '#platform/contract/errors.ts';
import { fields } from '#platform/contract/object.ts';
import { objectId } from '#platform/contract/primitives.ts';

/** The id of a market, which agencies may send under either of its names (OpenAPI, "Terms"). */
export const marketIds = fields(() => ({
  upstreamDownstreamAssociationId: z.optional(objectId),
  downstreamEntityAssociationId: z.optional(objectId),
}));

/**
 * The market that a request names, and under which name.
 * @throws ApiError `validation_error` for two that differ.
 */
export function marketIdOf({
  upstreamDownstreamAssociationId: id,
  downstreamEntityAssociationId: other,
}: z.output<ReturnType<typeof z.object<typeof marketIds.shape>>>) {
  if (id !== undefined && other !== undefined && id !== other) {
    throw invalidAt(
      'downstreamEntityAssociationId',
      'differs from upstreamDownstreamAssociationId: send one',
    );
  }
  if (id !== undefined) return { id, path: 'upstreamDownstreamAssociationId' } as const;
  return other === undefined ? undefined : ({ id: other, path: 'downstreamEntityAssociationId' } as const);
}
