import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { getItem } from '../../platform/data/get-item.ts';
import { retryOnConflict } from '../../platform/data/optimistic-lock.ts';
import { transact } from '../../platform/data/transact.ts';
import { type NewParty, partyWrites, sharing } from './sharing.ts';
import { associationKeys } from './stored.ts';

/**
 * Records that somebody comes to know an agency, before what makes it so is written: whoever takes the agency for its own
 * in between fails at this, and a crash in between leaves the agency shared, which is the safe side.
 *
 * @throws TransactionContention.
 */
export const addParty = (client: DynamoDBClient, table: string, party: NewParty): Promise<void> =>
  retryOnConflict(async () => {
    const key = associationKeys.sharing(party.downstreamEntityId);
    const before = await getItem(client, table, key, sharing, { consistent: true });
    const writes = partyWrites(table, party, before);
    if (writes.length > 0) await transact(client, writes);
  });
