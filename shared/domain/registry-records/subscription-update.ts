import { changeMark } from '../../platform/changes/change-mark.ts';
import { toItem } from '../../platform/data/dynamo.ts';
import type { RegistryDataSubscription } from './registry-data-subscription.ts';
import { registryKeys } from './stored.ts';

interface Change {
  /** What follows `SET`. */
  readonly set: string;
  readonly condition: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether it changes more than the time of the last visit: only then whoever follows the lists is to find it. */
  readonly isShown?: boolean;
}

/**
 * An update of what callers see of a subscription, in the SDK's format. It counts as a change of the producers and
 * associations that show it: whoever follows their lists finds it by the mark that it sets, unless only the time of the last
 * visit changes.
 */
export const subscriptionUpdate = (
  table: string,
  { dataOwnerId, _id }: Pick<RegistryDataSubscription, 'dataOwnerId' | '_id'>,
  { set, condition, names, values, isShown = true }: Change,
  now: Date,
) => {
  const { changeKey, changedAt } = changeMark(dataOwnerId, _id, now);
  return {
    TableName: table,
    Key: toItem(registryKeys.subscription(dataOwnerId, _id)),
    UpdateExpression: `SET ${set}${isShown ? ', changeKey = :changeKey, changedAt = :changedAt' : ''}`,
    ConditionExpression: condition,
    ...(names === undefined ? {} : { ExpressionAttributeNames: { ...names } }),
    ExpressionAttributeValues: toItem({
      ...values,
      ...(isShown ? { ':changeKey': changeKey, ':changedAt': changedAt } : {}),
    }),
  };
};
