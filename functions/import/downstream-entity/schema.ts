import * as z from 'zod/mini';
import { downstreamEntity } from '../../../shared/domain/downstream-entities/resource.ts';
import { described } from '../../../shared/platform/contract/described.ts';
import { objectId } from '../../../shared/platform/contract/primitives.ts';
import { commonFields } from '../common-fields.ts';

const { legalName, category, npn, ein, isNpnRequired } = downstreamEntity.shape;

/** The fields of an agency, in a line of its own or within that of an association. */
export const downstreamEntityFields = {
  ...commonFields,
  legalName,
  category: described(
    z.optional(category),
    DOCUMENTED && { description: 'Where absent, it stays; `agency` for a new agency.' },
  ),
  npn: described(
    z.optional(npn),
    DOCUMENTED && { description: 'Where absent, it stays; `null` for a new agency.' },
  ),
  ein: described(
    z.optional(ein),
    DOCUMENTED && { description: 'Where absent, it stays; `null` for a new agency.' },
  ),
  isNpnRequired: described(
    z.optional(isNpnRequired),
    DOCUMENTED && { description: 'Where absent, it stays; `true` for a new agency.' },
  ),
  downstreamOrganizationId: described(
    z.optional(z.nullable(objectId)),
    DOCUMENTED && {
      description:
        'Organization of the agency; null takes the agency from it. Where absent, it stays; in an import for an agency’s organization, it is that one.',
    },
  ),
};

/** An agency as the resource shows it. */
export const downstreamEntityRecord = z.strictObject({
  type: z.literal('downstream-entity'),
  ...downstreamEntityFields,
});

export type DownstreamEntityRecord = z.output<typeof downstreamEntityRecord>;
