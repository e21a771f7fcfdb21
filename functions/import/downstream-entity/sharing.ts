import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  beginSharing,
  type Sharing,
  sharing,
  sharingWrite,
} from '../../../shared/domain/associations/sharing.ts';
import { associationKeys } from '../../../shared/domain/associations/stored.ts';
import {
  downstreamEntityKeys,
  type StoredDownstreamEntity,
  storedDownstreamEntity,
} from '../../../shared/domain/downstream-entities/stored.ts';
import { batchGet } from '../../../shared/platform/data/batch-get.ts';
import { concurrently } from '../../../shared/platform/data/concurrently.ts';
import { VersionConflict } from '../../../shared/platform/data/optimistic-lock.ts';
import { itemKey, parseStored } from '../../../shared/platform/data/stored.ts';
import { transact } from '../../../shared/platform/data/transact.ts';

type Agency = Pick<StoredDownstreamEntity, '_id' | 'downstreamOrganizationId'>;

/** Records who knows imported agencies; the same import again repairs what a crash left. */
export type RecordSharing = (agencies: readonly Agency[]) => Promise<void>;

/** Agencies written concurrently. */
const concurrency = 16;

/**
 * An agency with an organization is shared; the record of a new one begins. It runs before the agencies are written: who
 * reads an agency as its own while this is under way fails at the item of the agency, or finds the mark.
 */
export const createRecordSharing =
  (
    client: DynamoDBClient,
    tables: { readonly associations: string; readonly downstreamEntities: string },
  ): RecordSharing =>
  async (agencies) => {
    const byId = new Map(agencies.map((agency) => [agency._id, agency]));
    const keys = Array.from(byId.keys(), (id) => associationKeys.sharing(id));
    const [items, stored] = await Promise.all([
      batchGet(client, tables.associations, keys, { consistent: true }),
      batchGet(
        client,
        tables.downstreamEntities,
        Array.from(byId.keys(), (id) => downstreamEntityKeys.entity(id)),
        { consistent: true },
      ),
    ]);
    const sharingAt = new Map(
      items.map((item) => [parseStored(itemKey, item).pk, parseStored(sharing, item)]),
    );
    const existing = new Set(stored.map((item) => parseStored(storedDownstreamEntity, item)._id));

    const writeOf = ({ _id, downstreamOrganizationId }: Agency, before: Sharing | undefined) => {
      if (downstreamOrganizationId !== undefined) {
        return before?.isShared === true ? undefined : sharingWrite(tables.associations, _id);
      }
      const isNew = before === undefined && !existing.has(_id);
      return isNew ? beginSharing(tables.associations, _id) : undefined;
    };
    await concurrently([...byId.values()], concurrency, async (agency) => {
      const write = writeOf(agency, sharingAt.get(associationKeys.sharing(agency._id).pk));
      if (write === undefined) return;
      await transact(client, [write]).catch((error: unknown) => {
        // Another import began the record.
        if (!(error instanceof VersionConflict)) throw error;
      });
    });
  };
