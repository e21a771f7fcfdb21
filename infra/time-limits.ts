import { Duration } from 'aws-cdk-lib';
import { integrationTimeoutSeconds } from '../shared/platform/aws/limits.ts';
import type { Route, RouteClass, RouteGroup } from '../shared/platform/contract/route.ts';

/** Integration timeout of routes that are not streamed lists. */
export const usualLimit = Duration.seconds(integrationTimeoutSeconds);
// API Gateway allows 15 minutes for streamed responses (`streamedIntegrationTimeoutSeconds`); five are ample for the
// longest list.
const streamedList = Duration.minutes(5);

const isStreamedList = ({ answer, isLong }: Route): boolean => 'all' in answer || isLong === true;

/** Integration timeout of a route. */
export const integrationLimit = (route: Route): Duration =>
  isStreamedList(route) ? streamedList : usualLimit;

/**
 * Timeout of a route group's function. For streamed lists it exceeds the integration timeout, so that the gateway closes
 * the connection and the function can still log why.
 */
export const functionLimit = (group: RouteGroup): Duration =>
  Object.values(group.routes).some(isStreamedList) ? streamedList.plus(Duration.seconds(10)) : usualLimit;

/** Milliseconds that 99 of 100 requests of a class may take; callers determine how long the other classes take. */
export const slowAboveMs = {
  token: 2_000,
  read: 2_000,
  page: 3_000,
  write: 3_000,
  list: undefined,
  upload: undefined,
} as const satisfies Readonly<Record<RouteClass, number | undefined>>;
