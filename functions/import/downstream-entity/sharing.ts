import * as z from 'zod/mini';
import {
  beginSharing,
  isSharedForNewcomer,
  type Sharing,
  sharing,
} from '../../../shared/domain/associations/sharing.ts';
import { associationKeys } from '../../../shared/domain/associations/stored.ts';
import {
  downstreamEntityKeys,
  storedDownstreamEntity,
} from '../../../shared/domain/downstream-entities/stored.ts';
import type { Tables } from '../../../shared/domain/tables.ts';
import { concurrently } from '../../../shared/platform/data/concurrently.ts';
import { VersionConflict } from '../../../shared/platform/data/optimistic-lock.ts';
import { storedItem } from '../../../shared/platform/data/stored.ts';
import type { Table } from '../../../shared/platform/data/table.ts';
import type { Organization } from '../../../shared/platform/identity/organization.ts';
import { hashOf } from '../record-hash.ts';
import type { ImportedEntity } from './copies.ts';
import type { DownstreamEntityRecord } from './schema.ts';

/** Agencies written concurrently. */
const concurrency = 16;

/** Who knows agencies, by their ids. */
type ReadSharing = (downstreamEntityIds: readonly string[]) => Promise<ReadonlyMap<string, Sharing>>;

const sharingOfKey = storedItem('associations/sharing-with-key', () => ({
  pk: z.string(),
  ...sharing.shape,
}));

export const createReadSharing =
  (associations: Table): ReadSharing =>
  async (ids) => {
    const idByKey = new Map(ids.map((id) => [associationKeys.sharing(id).pk, id]));
    const keys = Array.from(idByKey.values(), (id) => associationKeys.sharing(id));
    const found = await associations.getAll(sharingOfKey, keys);
    return new Map(found.map(({ pk, ...stored }) => [idByKey.get(pk) ?? '', stored]));
  };

/** An agency as it is stored, and the line of an import about it. */
interface StoredAndLine {
  readonly entity: ImportedEntity;
  readonly record: DownstreamEntityRecord;
}

/**
 * The ids of agencies that an import for an organization does not change: a carrier's, where the agency has an organization or
 * others know it, and an agency's, where it has another organization. A line that is stored as it is changes nothing anyway,
 * and repairs what a crash left.
 */
export async function othersAgencies(
  stored: readonly StoredAndLine[],
  { organizationId, category }: Organization,
  sharingOf: ReadSharing,
): Promise<ReadonlySet<string>> {
  const known = await sharingOf(stored.map(({ entity }) => entity._id));
  const others = stored.filter(({ entity: { _id, downstreamOrganizationId, recordHash }, record }) => {
    if (recordHash === hashOf(record)) return false;
    return category === 'upstreamEntity'
      ? isSharedForNewcomer(organizationId, known.get(_id), downstreamOrganizationId)
      : (downstreamOrganizationId ?? organizationId) !== organizationId;
  });
  return new Set(others.map(({ entity }) => entity._id));
}

/**
 * Begins the records of who knows new agencies, before the agencies are written: whoever finds an agency finds its record, and
 * the same import again repairs what a crash left. With
 * an organization, an agency is shared in the transaction that writes it.
 */
export const createRecordSharing =
  (
    { associations, downstreamEntities }: Tables<'associations' | 'downstreamEntities'>,
    sharingOf: ReadSharing,
  ) =>
  async (downstreamEntityIds: readonly string[]): Promise<void> => {
    const ids = new Set(downstreamEntityIds);
    const [known, stored] = await Promise.all([
      sharingOf([...ids]),
      downstreamEntities.getAll(
        storedDownstreamEntity,
        Array.from(ids, (id) => downstreamEntityKeys.entity(id)),
      ),
    ]);
    for (const { _id } of stored) ids.delete(_id);
    await concurrently(ids, concurrency, async (id) => {
      if (known.has(id)) return;
      await associations.transact([beginSharing(associations.items, id)]).catch((error: unknown) => {
        // Another import began the record.
        if (!(error instanceof VersionConflict)) throw error;
      });
    });
  };
