import { batchGetKeys } from '../../platform/aws/limits.ts';
import { mapPages } from '../../platform/data/collect.ts';
import type { Query } from '../../platform/data/query-pages.ts';
import { itemKey } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import { associationPartitions, isLive, type StoredAssociation, storedAssociation } from './stored.ts';

/** The keys of an owner's associations with agencies of an NPN, page by page; `isOfNpn` decides about what they name. */
export const associationKeysOfNpn = (associations: Table<'by-npn'>, owner: string, npn: string) =>
  associations.query(itemKey, associationPartitions.ofNpn(owner, npn), {
    index: 'by-npn',
    limit: batchGetKeys,
  });

/** Whether an association whose key the index has is still one of the NPN: an index lags behind its table. */
export const isOfNpn = (association: StoredAssociation, npn: string): boolean =>
  isLive(association) && association.agency.npn === npn;

/** An owner's associations with agencies of an NPN, page by page; branches share one. */
export const associationsOfNpn = (
  associations: Table<'by-npn'>,
  owner: string,
  npn: string,
  options?: Pick<Query, 'leavesOut'>,
) =>
  mapPages(associationKeysOfNpn(associations, owner, npn), async (keys) => {
    const found = await associations.getInOrder(storedAssociation, keys, options);
    return found.filter((one) => isOfNpn(one, npn));
  });
