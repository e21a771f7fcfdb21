import { changeMark } from '../../platform/changes/change-index.ts';
import type { Changes } from '../../platform/data/expressions.ts';
import type { RegistryDataSubscription } from './resources.ts';

// A file of its own: requests that subscribe need nothing else of what writes a subscriber's records.

/**
 * Changes of what callers see of a subscription. They count as changes of the producers and associations that show it: whoever
 * follows their lists finds it by the mark that is set with them.
 */
export const shownChanges = (
  { dataOwnerId, _id }: Pick<RegistryDataSubscription, 'dataOwnerId' | '_id'>,
  changes: Changes,
  now: Date,
): Changes => ({ ...changes, ...changeMark(dataOwnerId, _id, now) });
