import * as z from 'zod/mini';
import { fields } from './object.ts';
import { objectId, pageQuery } from './primitives.ts';
import type { Access, Route } from './route.ts';

/** The query of every agency list (OpenAPI, "Lists"). */
export const agencyListQuery = fields(() => ({
  ...pageQuery.shape,
  downstreamEntityId: z.optional(objectId),
}));

/** The row of an agency's list. */
export const agencyList = <
  const Path extends Route['path'],
  const Of extends Access,
  Item extends z.core.$ZodType,
>(
  path: Path,
  access: Of,
  item: Item,
) =>
  ({
    method: 'GET',
    path,
    access,
    query: agencyListQuery,
    answer: { status: 200, page: item, as: 'items' },
    errors: ['not_found'],
  }) as const;
