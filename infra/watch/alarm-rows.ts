import type { WorkedQueue } from '#function/uses.ts';
import type { Alarm, Explanation } from '../constructs/alarm.ts';
import type { LogMetrics, Metrics, WatchedQueue, WatchedResources } from './metrics.ts';

/** Sources of the rows of alarms. */
export interface Sources {
  readonly watchedResources: WatchedResources;
  readonly aws: Metrics;
  readonly logs: LogMetrics;
}

/** Alarm below another, which notifies once for all: one cause sets off many of them. The console names those. */
export type Signal = Alarm & { readonly worthANight?: never };

/** An alarm of its own metric, or one that goes off while any of its signals does. */
type Row = Alarm | (Explanation & { readonly signals: readonly Signal[] });

/** A row of an alarm that wakes somebody, with the reason. */
export type Paging = Row & { readonly worthANight: string };

/** A row of an alarm that is read in the morning. */
export type Ticket = Row & { readonly worthANight?: never };

/** Names of the functions of a kind. */
export const namesOf = ({ functions }: WatchedResources, kind: 'api' | 'worker'): string[] =>
  functions.filter((member) => member.kind === kind).map(({ name }) => name);

/** The queues between an event and its receivers. What waits for the others waits for minutes or hours anyway. */
const onTheWayToReceivers: readonly WorkedQueue[] = ['webhook-fanout', 'deliveries-healthy'];

export const isOnTheWayToReceivers = ({ name }: WatchedQueue): boolean => onTheWayToReceivers.includes(name);

/** The alarm of a queue's age. */
export const oldMessages = (aws: Metrics, { name, behindAfterSeconds }: WatchedQueue): Signal => ({
  name: `${name}-message-age`,
  runbook: 'Old messages',
  metric: aws.queue(name, 'ApproximateAgeOfOldestMessage', 'Maximum'),
  above: behindAfterSeconds,
  impact: `Messages in the queue "${name}" are not processed in time: they wait for a worker, or fail.`,
});
