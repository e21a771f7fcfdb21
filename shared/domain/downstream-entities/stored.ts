import * as z from 'zod/mini';
import { changeMark, platform } from '../../platform/changes/change-mark.ts';
import { objectId } from '../../platform/contract/primitives.ts';
import { sortText } from '../../platform/data/sort-text.ts';
import { storedItem } from '../../platform/data/stored.ts';
import { downstreamEntity } from './resource.ts';

/** An agency's item; its keys are described in `table.ts`. */
export const storedDownstreamEntity = storedItem('downstream-entities/entity', () => ({
  ...downstreamEntity.shape,
  /** The organization that the agency has on the platform, where it has one. */
  downstreamOrganizationId: z.optional(objectId),
  /** See `recordOwnerOf`; set when the agency first changes its organization. */
  recordOwner: z.optional(z.string()),
  /** Hash of the record that was imported last; absent where none was. */
  recordHash: z.optional(z.string()),
  isDeleted: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
}));

export type StoredDownstreamEntity = z.output<typeof storedDownstreamEntity>;

export const downstreamEntityKeys = {
  entity: (downstreamEntityId: string) => ({ pk: `ENTITY#${downstreamEntityId}` }),
  moves: (organizationId: string) => ({ pk: `ORGANIZATION#${organizationId}` }),
  idKey: () => ({ pk: 'ID_KEY' }),
};

/** The id of an agency in its key. */
export const entityIdOf = (pk: string): string => pk.slice(downstreamEntityKeys.entity('').pk.length);

/** An agency, as far as it says whose its records are. */
export type Placed = Pick<StoredDownstreamEntity, '_id' | 'recordOwner' | 'downstreamOrganizationId'>;

/**
 * What the keys of an agency's records on its own side begin with: the organization that the agency had first, or the agency
 * itself where it had none. It never changes, so a move rewrites no record; `own-records.ts` decides whose they are.
 */
export const recordOwnerOf = ({ _id, recordOwner, downstreamOrganizationId }: Placed): string =>
  recordOwner ?? downstreamOrganizationId ?? `ENTITY#${_id}`;

/**
 * The attributes of an agency that changes now, of every write but the first: nobody has an association with a new agency
 * yet, and the one that comes is a change itself.
 */
export const agencyChangeMark = (downstreamEntityId: string, now: Date) =>
  changeMark(platform, downstreamEntityId, now);

/** The index keys of a live entity: its organization's list, and its NPN. */
export const downstreamEntityIndexes = ({
  _id,
  legalName,
  npn,
  downstreamOrganizationId,
}: Pick<StoredDownstreamEntity, '_id' | 'legalName' | 'npn' | 'downstreamOrganizationId'>) => ({
  organizationKey: downstreamOrganizationId,
  listSort: `${sortText(legalName)}#${_id}`,
  npnKey: npn ?? undefined,
});
