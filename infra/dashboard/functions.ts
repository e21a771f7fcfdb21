import type { IWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { fiveMinutes, sum } from '../alarms/alarm-set.ts';
import type { Watched } from '../alarms/alarms.ts';
import { unreservedExecutions } from '../alarms/functions.ts';
import { functionsOf, labeled } from './metrics.ts';
import { heading, row } from './widgets.ts';

/** Every function: crashes, rejected calls, executions, and duration. */
export function functionRows(watched: Watched): IWidget[][] {
  const functions = functionsOf(watched);
  return [
    heading(
      'Functions',
      'A crash of one function alone is its own; crashes of many at once have a cause below, or in the last deployment.',
    ),
    row(
      {
        title: 'Errors',
        runbook: ['Function errors', 'Authorizer errors', 'Worker errors', 'Publisher errors'],
        metrics: functions.map(({ name, lambda }) => lambda.metricErrors({ ...sum, label: name })),
      },
      {
        title: 'Throttles',
        runbook: ['Function throttles'],
        metrics: functions.map(({ name, lambda }) => lambda.metricThrottles({ ...sum, label: name })),
      },
    ),
    row(
      {
        title: 'Executions at once',
        runbook: ['Concurrency near its quota'],
        metrics: functions.map(({ name, lambda }) =>
          lambda.metric('ConcurrentExecutions', { statistic: 'Maximum', label: name, period: fiveMinutes }),
        ),
        right: [labeled('not reserved, of the account', unreservedExecutions)],
      },
      {
        title: 'Duration, p99, milliseconds',
        metrics: functions.map(({ name, lambda }) =>
          lambda.metricDuration({ statistic: 'p99', label: name, period: fiveMinutes }),
        ),
      },
      {
        title: 'Invocations dropped as a loop',
        runbook: ['Dropped invocations'],
        metrics: watched.workers.map(({ name, lambda }) =>
          lambda.metric('RecursiveInvocationsDropped', { ...sum, label: name }),
        ),
      },
    ),
  ];
}
