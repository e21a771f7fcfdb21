import { createHmac, randomBytes } from 'node:crypto';
import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { downstreamEntityKeys } from '../../../shared/domain/downstream-entities/stored.ts';
import { comparableEin } from '../../../shared/domain/identifiers/comparable-ein.ts';
import { conditionHeld } from '../../../shared/platform/data/condition-held.ts';
import { toItem } from '../../../shared/platform/data/dynamo.ts';
import { getItem } from '../../../shared/platform/data/get-item.ts';
import { storedItem } from '../../../shared/platform/data/stored.ts';
import type { DownstreamEntityRecord } from './schema.ts';

/** What an agency is identified by. */
type Identity = Pick<DownstreamEntityRecord, '_id' | 'npn' | 'ein' | 'legalName'>;

/** An agency without an id is identified by its NPN, EIN or, having neither, its name. */
export const derivedEntityId = (
  key: string,
  { npn = null, ein = null, legalName }: Omit<Identity, '_id'>,
): string =>
  createHmac('sha256', key)
    .update(npn ?? (ein === null ? legalName : comparableEin(ein)))
    .digest('hex')
    .slice(0, 24);

/** The id of an imported agency: its own, or the one that is derived from what identifies it. */
export type EntityIdOf = (record: Identity) => Promise<string>;

const idKey = storedItem('downstream-entities/id-key', () => ({ key: z.string() }));

/**
 * Derived ids are keyed, so that nobody can compute from an NPN, which is public, whether its agency is here. The key is made by
 * the first import that needs it, and kept with the agencies: who restores these has the ids of later imports, too.
 */
export function createEntityIds(client: DynamoDBClient, table: string): EntityIdOf {
  const itemKey = downstreamEntityKeys.idKey();
  const find = () => getItem(client, table, itemKey, idKey, { consistent: true });

  async function readKey(): Promise<string> {
    const found = await find();
    if (found !== undefined) return found.key;
    const key = randomBytes(32).toString('base64');
    const Item = toItem({ ...itemKey, key });
    const put = new PutItemCommand({
      TableName: table,
      Item,
      ConditionExpression: 'attribute_not_exists(pk)',
    });
    if (await conditionHeld(client.send(put))) return key;
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
