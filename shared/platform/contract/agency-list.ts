import * as z from 'zod/mini';
import { described } from './described.ts';
import { lazily } from './lazily.ts';
import { objectId, pageQuery } from './primitives.ts';

/** The query of every agency list (OpenAPI, "Lists"). */
export const agencyListQuery = lazily(() => ({
  ...pageQuery(),
  downstreamEntityId: described(
    z.optional(objectId),
    DOCUMENTED && {
      description:
        'Id of an entity; only its records are returned. An entity outside the organization returns 404.',
    },
  ),
}));
