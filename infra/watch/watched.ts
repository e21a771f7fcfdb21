import type { Consumption, FunctionUses } from '../../shared/domain/function-uses.ts';
import type { WorkedQueue } from '../../shared/domain/queues.ts';
import { visibilityTimeouts } from '../../shared/platform/aws/limits.ts';
import type { Route } from '../../shared/platform/contract/route.ts';
import type { Table } from '../constructs/table.ts';
import type { DataStack } from '../data-stack.ts';
import type { Environment } from '../environments.ts';
import { functionsOf } from '../function-uses.ts';
import type { Release } from '../release/commit.ts';

/** A queue of the service stack, with the dead-letter queue `<name>-dead`. */
export type WatchedQueue = Watched['queues'][number];

/** What the watch stack knows of the others. Of the service stack it is names and numbers only, and nothing that is exported. */
export type Watched = ReturnType<typeof watchedOf>;

/** Functions of route groups have a class of requests, those of queues have messages; others are known by name. */
const kindOf = ({ routes, consumes }: FunctionUses) => {
  if (routes !== undefined) return 'api';
  return consumes === undefined ? 'other' : 'worker';
};

/**
 * One and a half times the visibility timeout, so that it is reached while all deliveries fail: a message that was delivered
 * three times is not counted any more.
 */
const usuallyBehindAfter = (timeoutSeconds: number): number => 1.5 * visibilityTimeouts * timeoutSeconds;

/** What is watched of an environment. */
export function watchedOf(environment: Environment, data: DataStack, release?: Release) {
  const functions = [...functionsOf(environment)];
  const consumed = functions.flatMap(([, { consumes = {}, timeoutSeconds = 0 }]) =>
    (Object.entries(consumes) as [WorkedQueue, Consumption][]).map(([name, consumption]) => ({
      name,
      ...consumption,
      timeoutSeconds,
    })),
  );
  return {
    environment,
    release,
    /** Every function of the service stack, with the routes of its group, in the order of the dashboard's legends. */
    functions: functions.map(([name, uses]) => ({
      name,
      kind: kindOf(uses),
      routes: uses.routes && Object.values<Route>(uses.routes.routes),
    })),
    queues: consumed.map(({ name, behindAfterHours, timeoutSeconds }) => ({
      name,
      /** Age of the oldest message above which the alarm goes off. */
      behindAfterSeconds:
        behindAfterHours === undefined ? usuallyBehindAfter(timeoutSeconds) : behindAfterHours * 3_600,
    })),
    /** Names of rules of the bus, which are those of the queues to which they send events. */
    rules: consumed.flatMap(({ name, events }) => (events === undefined ? [] : [name])),
    /** Whose dead-letter queue `<name>-dead` has no queue: a stream, and the schedules. */
    deadLetters: [...functions.flatMap(([name, { stream }]) => (stream ? [name] : [])), 'schedules'],
    /** Of the data stack, which always exports the names. */
    tables: Object.values<Table>(data.tables),
    malwareScan: data.files.malwareScan,
    auditLogGroup: data.auditLog.logGroupName,
  };
}
