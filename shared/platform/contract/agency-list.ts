import * as z from 'zod/mini';
import { fields } from './object.ts';
import { objectId, pageQuery } from './primitives.ts';

/** The query of every agency list (OpenAPI, "Lists"). */
export const agencyListQuery = fields(() => ({
  ...pageQuery.shape,
  downstreamEntityId: z.optional(objectId),
}));
