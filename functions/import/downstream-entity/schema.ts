import * as z from 'zod/mini';
import { downstreamEntity } from '../../../shared/domain/downstream-entities/resource.ts';
import { objectId } from '../../../shared/platform/contract/primitives.ts';
import { commonFields } from '../common-fields.ts';

const { legalName, category, npn, ein, isNpnRequired } = downstreamEntity.shape;

/** The fields of an agency, in a line of its own or within that of an association. */
export const downstreamEntityFields = {
  ...commonFields,
  legalName,
  category: z.optional(category),
  npn: z.optional(npn),
  ein: z.optional(ein),
  isNpnRequired: z.optional(isNpnRequired),
  downstreamOrganizationId: z.optional(z.nullable(objectId)),
};

/** An agency as the resource shows it. */
export const downstreamEntityRecord = z.strictObject({
  type: z.literal('downstream-entity'),
  ...downstreamEntityFields,
});

export type DownstreamEntityRecord = z.output<typeof downstreamEntityRecord>;
