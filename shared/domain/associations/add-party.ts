import { retryOnConflict } from '../../platform/data/optimistic-lock.ts';
import type { Table } from '../../platform/data/table.ts';
import { type NewParty, partyWrites, sharing } from './sharing.ts';
import { associationKeys } from './stored.ts';

/**
 * Records that somebody comes to know an agency, before what makes it so is written: whoever takes the agency for its own
 * in between fails at this, and a crash in between leaves the agency shared, which is the safe side.
 *
 * @throws TransactionContention.
 */
export const addParty = (associations: Table, party: NewParty): Promise<void> =>
  retryOnConflict(async () => {
    const key = associationKeys.sharing(party.downstreamEntityId);
    const before = await associations.get(sharing, key);
    const writes = partyWrites(associations.items, party, before);
    if (writes.length > 0) await associations.transact(writes);
  });
