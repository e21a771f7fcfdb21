import { Duration } from 'aws-cdk-lib';
import type { Route, RouteGroup } from '../shared/contract/route.ts';

// https://docs.aws.amazon.com/apigateway/latest/developerguide/response-transfer-mode.html: a streamed answer may take
// up to 15 minutes. Five are ample for the longest list; everything else keeps the usual 29 seconds.
export const usualLimit = Duration.seconds(29);
const streamedList = Duration.minutes(5);

const isStreamedList = (route: Route): boolean => 'all' in route.answer;

/** How long the gateway waits for a route's answer to end. */
export const integrationLimit = (route: Route): Duration =>
  isStreamedList(route) ? streamedList : usualLimit;

/**
 * How long a route group's function may run: beyond the gateway's limit for a streamed list, so that a caller is cut
 * off by the gateway and the function can still log why.
 */
export const functionLimit = (group: RouteGroup): Duration =>
  Object.values(group.routes).some(isStreamedList) ? streamedList.plus(Duration.seconds(10)) : usualLimit;
