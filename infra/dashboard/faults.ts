import { AlarmStatusWidget, type IWidget, TextWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { fiveMinutes } from '../alarms/alarm-set.ts';
import type { Monitoring, Watched } from '../alarms/alarms.ts';
import { labeled } from './metrics.ts';
import { row } from './widgets.ts';

const howToRead = `# Is it us, the registry, or a receiver?

| The first graph to leave its floor | It is | Then |
| --- | --- | --- |
| **Us** | ours: callers get a 5xx, or a 4xx that they do not deserve | the page's section in the runbook; below, look for what began at the same minute |
| **From outside** | ours, or AWS's: the canary, which does what callers do, does not get through | "Canary" in the runbook names the step; if it fails alone, it is the way from the internet to the gateway |
| **The registry** | the registry's: synchronizations and visits fail | nothing but to wait; they are retried, and made up for the next day. A 401 is ours: see "Old messages" |
| **Receivers**, "retried" and "failed" only | the receivers', if it is one or a few of them: the saved query "Failing receivers: at which hosts" says which | nothing; their owners see it. If it is most of them, it is our route to the internet |
| **Receivers**, nothing succeeds and nothing fails | ours: events do not get there | "Events" below, from left to right: outbox, bus, queues, workers |`;

/** The top of the dashboard: whose fault it is, and what pages. */
export function faultRows(
  { gateway, registrySync, reconciliation, webhookDelivery }: Watched,
  { logs, pages, canary }: Monitoring,
): IWidget[][] {
  const attempts = logs.outcomes('webhook_delivery', webhookDelivery, ['succeeded', 'retried', 'failed']);
  return [
    [
      new TextWidget({ markdown: howToRead, width: 18, height: 7 }),
      new AlarmStatusWidget({ title: 'What pages', alarms: [...pages], width: 6, height: 7 }),
    ],
    row(
      {
        title: 'Us: percent of requests',
        runbook: ['Gateway faults', 'Refused requests'],
        metrics: [
          labeled('5xx', gateway.faultPercentage(fiveMinutes)),
          labeled('4xx', gateway.refusalPercentage(fiveMinutes)),
        ],
      },
      {
        title: 'From outside: runs',
        runbook: ['Canary'],
        metrics: [labeled('passed', canary.passed), labeled('failed', canary.failed)],
        stacked: true,
      },
      {
        title: 'The registry: failures',
        runbook: ['Old messages', 'Overdue NPNs'],
        metrics: [
          labeled('synchronizations', logs.logged('registry_unavailable', [registrySync])),
          labeled('visits', logs.logged('npn_not_visited', [reconciliation])),
        ],
      },
      {
        title: 'Receivers: attempts',
        runbook: ['Failing receivers', 'Late deliveries'],
        metrics: attempts.map(({ outcome, metric }) => labeled(outcome, metric)),
        stacked: true,
      },
    ),
  ];
}
