import { createHmac, randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { downstreamEntityKeys } from '#domain/downstream-entities/stored.ts';
import { comparable } from '#domain/identifiers/identifiers.ts';
import { isNew } from '#platform/data/expressions.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import type { DownstreamEntityRecord } from '../record-schemas.ts';

/** Fields that identify an agency. */
type Identity = Pick<DownstreamEntityRecord, '_id' | 'npn' | 'ein' | 'legalName'>;

/** An agency without an id is identified by its NPN, EIN or, having neither, its name. */
export const derivedEntityId = (
  key: string,
  { npn = null, ein = null, legalName }: Omit<Identity, '_id'>,
): string =>
  createHmac('sha256', key)
    .update(npn ?? (ein === null ? legalName : `EIN ${comparable(ein)}`))
    .digest('hex')
    .slice(0, 24);

/** The id of an imported agency: its own, or the one that is derived from what identifies it. */
type EntityIdOf = (record: Identity) => Promise<string>;

const idKey = storedItem('downstream-entities/id-key', { key: z.string() });

/**
 * Derived ids are keyed, so that nobody can compute from an NPN, which is public, whether its agency is here. The key is made by
 * the first import that needs it, and kept with the agencies: who restores these has the ids of later imports, too.
 */
export function createEntityIds(entities: Table): EntityIdOf {
  const keyOfKey = downstreamEntityKeys.idKey();

  async function readKey(): Promise<string> {
    const storedKey = await entities.get(idKey, keyOfKey);
    if (storedKey !== undefined) return storedKey.key;
    const key = randomBytes(32).toString('base64');
    if (await entities.put({ ...keyOfKey, key }, isNew)) return key;
    // Another import made it.
    return readKey();
  }

  let reading: Promise<string> | undefined;
  const keyOnce = (): Promise<string> => {
    reading ??= readKey().catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };

  return async (record) => record._id ?? derivedEntityId(await keyOnce(), record);
}
