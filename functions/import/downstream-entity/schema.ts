import * as z from 'zod/mini';
import { downstreamEntity } from '#domain/downstream-entities/resource.ts';
import { downstreamEntityKeys, type StoredDownstreamEntity } from '#domain/downstream-entities/stored.ts';
import { objectId } from '#platform/contract/primitives.ts';
import { commonFields } from '../common-fields.ts';
import type { ReadLine } from '../lines.ts';

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

/** A record whose id is known. */
type IdentifiedEntity = DownstreamEntityRecord & { readonly _id: string };

export type DownstreamEntityLine = ReadLine<IdentifiedEntity>;

/** An agency as its record says it is; what that leaves out is as it is stored. */
export function entityOf(
  { type: _, isDeleted = false, downstreamOrganizationId, ...values }: IdentifiedEntity,
  storedEntity: StoredDownstreamEntity | undefined,
) {
  const {
    category = storedEntity?.category ?? 'agency',
    npn = storedEntity?.npn ?? null,
    ein = storedEntity?.ein ?? null,
    isNpnRequired = storedEntity?.isNpnRequired ?? true,
  } = values;
  const organization =
    downstreamOrganizationId === undefined
      ? storedEntity?.downstreamOrganizationId
      : downstreamOrganizationId;
  return {
    ...values,
    ...{ category, npn, ein, isNpnRequired, isDeleted },
    downstreamOrganizationId: organization ?? undefined,
  };
}

/** The key of an agency's item; its values depend on what is stored. */
export const itemOf = ({ _id }: IdentifiedEntity) => ({
  key: downstreamEntityKeys.entity(_id),
  values: { _id },
});

/** Lines in their order, each with what earlier ones of its agency gave: of several the last one counts. */
export function withEarlierFields(lines: readonly DownstreamEntityLine[]): DownstreamEntityLine[] {
  const recordById = new Map<string, IdentifiedEntity>();
  return [...lines]
    .sort((a, b) => a.line - b.line)
    .map((line) => {
      const { _id, isDeleted } = line.record;
      const record = { ...recordById.get(_id), isDeleted, ...line.record };
      recordById.set(_id, record);
      return { ...line, record };
    });
}
