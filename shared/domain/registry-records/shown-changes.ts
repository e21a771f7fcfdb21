import { changeMark } from '../../platform/changes/change-mark.ts';
import type { Changes } from '../../platform/data/expressions.ts';
import type { RegistryDataSubscription } from './registry-data-subscription.ts';

/**
 * Changes of what callers see of a subscription. They count as changes of the producers and associations that show it: whoever
 * follows their lists finds it by the mark that is set with them.
 */
export const shownChanges = (
  { dataOwnerId, _id }: Pick<RegistryDataSubscription, 'dataOwnerId' | '_id'>,
  changes: Changes,
  now: Date,
): Changes => ({ ...changes, ...changeMark(dataOwnerId, _id, now) });
