import {
  downstreamEntityKeys,
  type StoredDownstreamEntity,
} from '../../../shared/domain/downstream-entities/stored.ts';
import type { ReadLine } from '../lines.ts';
import type { DownstreamEntityRecord } from './schema.ts';

/** A record whose id is known. */
export type IdentifiedEntity = DownstreamEntityRecord & { readonly _id: string };

export type DownstreamEntityLine = ReadLine<IdentifiedEntity>;

/** An agency as its record says it is; what that leaves out is as it is stored. */
export function entityOf(
  { type: _, isDeleted = false, downstreamOrganizationId, ...values }: IdentifiedEntity,
  stored: StoredDownstreamEntity | undefined,
) {
  const {
    category = stored?.category ?? 'agency',
    npn = stored?.npn ?? null,
    ein = stored?.ein ?? null,
    isNpnRequired = stored?.isNpnRequired ?? true,
  } = values;
  const organization =
    downstreamOrganizationId === undefined ? stored?.downstreamOrganizationId : downstreamOrganizationId;
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
export function withEarlier(lines: readonly DownstreamEntityLine[]): DownstreamEntityLine[] {
  const given = new Map<string, IdentifiedEntity>();
  return [...lines]
    .sort((a, b) => a.line - b.line)
    .map((one) => {
      const { _id, isDeleted } = one.record;
      const record = { ...given.get(_id), isDeleted, ...one.record };
      given.set(_id, record);
      return { ...one, record };
    });
}
