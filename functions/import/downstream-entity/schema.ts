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
  category: z._default(category, 'agency'),
  npn: z._default(npn, null),
  ein: z._default(ein, null),
  isNpnRequired: z._default(isNpnRequired, true),
  downstreamOrganizationId: described(
    z.optional(objectId),
    DOCUMENTED && {
      description:
        'Organization of the agency; in an import for an agency’s organization, that one by default.',
    },
  ),
};

/** An agency as the resource shows it. */
export const downstreamEntityRecord = z.strictObject({
  type: z.literal('downstream-entity'),
  ...downstreamEntityFields,
});

export type DownstreamEntityRecord = z.output<typeof downstreamEntityRecord>;
