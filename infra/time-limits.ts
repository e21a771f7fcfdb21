import { Duration } from 'aws-cdk-lib';
import { integrationTimeoutSeconds } from '../shared/aws/limits.ts';
import type { Route, RouteGroup } from '../shared/contract/route.ts';

/** As long as the gateway waits for anything that is not streamed for longer. */
export const usualLimit = Duration.seconds(integrationTimeoutSeconds);
// A streamed answer may take a quarter of an hour (`streamedIntegrationTimeoutSeconds`); five minutes are ample for the
// longest list.
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
