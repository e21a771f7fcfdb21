import * as z from 'zod/mini';
import type { AwsMiddleware } from '../../infra/local/aws/endpoint.ts';
import { AwsError } from '../../infra/local/aws/service.ts';
import { writesOf } from './aws-faults/index-lag.ts';

/** Items that followed lists show: their partitions, and agencies, whose key is the partition alone. */
const shown = /^[0-9a-f]{24}#(?:POLICY|AGENT|ASSOCIATION|SUBSCRIPTION)$/;
const agency = /^ENTITY#[0-9a-f]{24}$/;
const filing = /^[0-9a-f]{24}#FILING#[0-9a-f]{24}$/;

/** Updates of attributes that no response shows, and of the time of a visit that changed nothing. */
const unshown = [
  'REMOVE hasOldCopies',
  'REMOVE move',
  'SET hasOldCopies = ?',
  'SET isSent = ?',
  'SET lastSynchronizationDate = ?',
  'SET lastSynchronizationDate = ?, pdbAlertsSubscriptionStatus = ?',
];

const keyText = z.object({ pk: z.object({ S: z.string() }), sk: z.optional(z.object({ S: z.string() })) });
const expressions = z.object({
  UpdateExpression: z.optional(z.string()),
  ConditionExpression: z.optional(z.string()),
  ExpressionAttributeNames: z._default(z.record(z.string(), z.string()), {}),
});

type Write = ReturnType<typeof writesOf>[number];

/** What is wrong with a write of a function; undefined where nothing is. */
function faultOf(write: Write): string | undefined {
  const key = z.safeParse(keyText, write.Key ?? write.Item).data;
  if (key === undefined) return undefined;
  const isAgency = key.sk === undefined && agency.test(key.pk.S);
  const isFiling = key.sk?.S === 'FILING' && filing.test(key.pk.S);
  if (!isAgency && !isFiling && !shown.test(key.pk.S)) return undefined;
  const {
    UpdateExpression: expression,
    ConditionExpression: condition = '',
    ExpressionAttributeNames: names,
  } = z.parse(expressions, write);
  const update = expression?.replaceAll(/#\w+/g, (name) => names[name] ?? name).replaceAll(/:\w+/g, '?');
  const { Item: item } = write;
  if (item !== undefined) {
    const isNewAgency = isAgency && condition.startsWith('attribute_not_exists');
    return isNewAgency || 'changedAt' in item ? undefined : 'puts it';
  }
  if (update === undefined) return 'deletes it instead of marking it as deleted';
  return unshown.includes(update) || update.includes('changedAt = ') ? undefined : `does ${update}`;
}

/**
 * Refuses a function's write of an item that followed lists show, unless it sets `changeMark`: whoever follows the list would
 * miss the change.
 */
export const markedChanges: AwsMiddleware = (call, next) => {
  if (call.caller.isCode !== true || call.service !== 'dynamodb') return next();
  for (const write of writesOf(call.request)) {
    const fault = faultOf(write);
    if (fault === undefined) continue;
    throw new AwsError(
      'ValidationException',
      `${call.caller.name} ${fault} without changeMark (shared/platform/changes/change-index.ts): ${JSON.stringify(write.Key ?? write.Item)}`,
    );
  }
  return next();
};
