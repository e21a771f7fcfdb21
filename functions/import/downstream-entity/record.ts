import {
  downstreamEntityKeys,
  type StoredDownstreamEntity,
} from '../../../shared/domain/downstream-entities/stored.ts';
import { comparableEin } from '../../../shared/domain/identifiers/comparable-ein.ts';
import { derivedObjectId } from '../../../shared/platform/data/object-id.ts';
import type { ReadLine } from '../lines.ts';
import type { DownstreamEntityRecord } from './schema.ts';

export type DownstreamEntityLine = ReadLine<DownstreamEntityRecord>;

/** An agency without an id is identified by its NPN, EIN or, having neither, its name. */
export const downstreamEntityIdOf = ({
  _id,
  npn = null,
  ein = null,
  legalName,
}: Pick<DownstreamEntityRecord, '_id' | 'npn' | 'ein' | 'legalName'>): string =>
  _id ?? derivedObjectId('downstream-entity', npn ?? (ein === null ? legalName : comparableEin(ein)));

/** An agency as its record says it is; what that leaves out is as it is stored. */
export function entityOf(
  { type: _, isDeleted = false, downstreamOrganizationId, ...values }: DownstreamEntityRecord,
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
    _id: downstreamEntityIdOf(values),
    ...{ category, npn, ein, isNpnRequired, isDeleted },
    downstreamOrganizationId: organization ?? undefined,
  };
}

/** The key of an agency's item; its values depend on what is stored. */
export const itemOf = (record: DownstreamEntityRecord) => {
  const _id = downstreamEntityIdOf(record);
  return { key: downstreamEntityKeys.entity(_id), values: { _id } };
};

/** Lines in their order, each with what earlier ones of its agency gave: of several the last one counts. */
export function withEarlier(lines: readonly DownstreamEntityLine[]): DownstreamEntityLine[] {
  const given = new Map<string, DownstreamEntityRecord>();
  return [...lines]
    .sort((a, b) => a.line - b.line)
    .map((one) => {
      const id = downstreamEntityIdOf(one.record);
      const { isDeleted } = one.record;
      const record = { ...given.get(id), isDeleted, ...one.record };
      given.set(id, record);
      return { ...one, record };
    });
}
