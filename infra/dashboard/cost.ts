import type { IWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { fiveMinutes, sum } from '../alarms/alarm-set.ts';
import type { Watched } from '../alarms/alarms.ts';
import { functionsOf, labeled } from './metrics.ts';
import { heading, row } from './widgets.ts';

/** What the bill is made of; `infra/capacity.md` has the prices. */
export function costRows(watched: Watched): IWidget[][] {
  const { tables, workers } = watched;
  const functions = functionsOf(watched);
  const queues = workers.flatMap((worker) => worker.queues);
  return [
    heading(
      'Cost drivers',
      'What the bill is made of, the largest share first. Prices, and what is expected of each, are in `infra/capacity.md`.',
    ),
    row(
      {
        title: 'Write units, without indexes',
        metrics: tables.map((table) => table.consumedUnits('Write', fiveMinutes)),
        stacked: true,
      },
      {
        title: 'Read units, without indexes',
        metrics: tables.map((table) => table.consumedUnits('Read', fiveMinutes)),
        stacked: true,
      },
      {
        title: 'Milliseconds of functions',
        metrics: functions.map(({ name, lambda }) => lambda.metricDuration({ ...sum, label: name })),
        stacked: true,
      },
    ),
    row(
      {
        title: 'Messages sent',
        metrics: queues.map((queue) => labeled(queue.name, queue.sentMessages(fiveMinutes))),
        stacked: true,
      },
      {
        title: 'Bytes of functions’ logs',
        metrics: functions.map(
          ({ name, logGroup }) =>
            new Metric({
              namespace: 'AWS/Logs',
              metricName: 'IncomingBytes',
              dimensionsMap: { LogGroupName: logGroup.logGroupName },
              label: name,
              ...sum,
            }),
        ),
        stacked: true,
      },
    ),
  ];
}
