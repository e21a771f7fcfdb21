import { Duration } from 'aws-cdk-lib';
import {
  type AlarmBase,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  type MathExpression,
  type Metric,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { resourceName } from '../environments.ts';
import { logGroupName } from '../log-groups.ts';
import { namesOf, type Sources } from './alarm-rows.ts';
import { faultPercentage, fiveMinutes, refusalPercentage, unreservedExecutions } from './metrics.ts';

/** Columns of a dashboard. */
const columns = 24;

/** Metrics by the names that the legend shows. */
type Labeled = Readonly<Record<string, Metric | MathExpression>>;

/** What a graph shows. */
interface Graph {
  readonly title: string;
  /** Sections of the runbook that say what to do about it; in the title. */
  readonly runbook?: readonly string[];
  readonly metrics: Labeled | readonly IMetric[];
  /** On an axis of their own, at the right. */
  readonly right?: Labeled;
  /** Whether the values add up to something. */
  readonly stacked?: boolean;
}

const howToRead = `# Is it us, the registry, or a receiver?

| The first graph to leave its floor | It is | Then |
| --- | --- | --- |
| **Us** | ours: callers get a 5xx, or a 4xx that they do not deserve | the page's section in the runbook; below, look for what began at the same minute |
| **From outside** | ours, or AWS's: the canary, which does what callers do, does not get through | "Canary" in the runbook names the step; if it fails alone, it is the way from the internet to the gateway |
| **The registry** | the registry's: synchronizations and visits fail | nothing but to wait; they are retried, and made up for the next day. A 401 is ours: see "Old messages" |
| **Receivers**, "retried" and "failed" only | the receivers', if it is one or a few of them: the saved query "Failing receivers: at which hosts" says which | nothing; their owners see it. If it is most of them, it is our route to the internet |
| **Receivers**, nothing succeeds and nothing fails | ours: events do not get there | "Events" below, from left to right: outbox, bus, queues, workers |`;

/** The top: whose fault it is. */
const faults = ({ aws, logs }: Sources): readonly Graph[] => [
  {
    title: 'Us: percent of requests',
    runbook: ['Gateway faults', 'Refused requests'],
    metrics: { '5xx': faultPercentage(aws), '4xx': refusalPercentage(aws) },
  },
  {
    title: 'From outside: runs',
    runbook: ['Canary'],
    metrics: {
      passed: logs.logged('canary_passed', ['canary'], { level: 'INFO' }),
      failed: logs.error('canary_failed'),
    },
    stacked: true,
  },
  {
    title: 'The registry: failures',
    runbook: ['Old messages', 'Overdue NPNs'],
    metrics: {
      synchronizations: logs.logged('registry_unavailable', ['registry-sync']),
      visits: logs.logged('npn_not_visited', ['registry-reconciliation']),
    },
  },
  {
    title: 'Receivers: attempts',
    runbook: ['Failing receivers', 'Late deliveries'],
    metrics: logs.attempts('succeeded', 'retried', 'failed'),
    stacked: true,
  },
];

/** Below it: everything that can be the cause, then what it costs. */
function sections({ watched, aws, logs }: Sources): IWidget[][] {
  const { environment, functions, queues, rules, deadLetters, tables } = watched;
  const by = (names: readonly { readonly name: string }[], metricOf: (name: string) => Metric) =>
    Object.fromEntries(names.map(({ name }) => [name, metricOf(name)]));
  const ofFunctions = (metricName: string, statistic?: string) =>
    by(functions, (name) => aws.lambda(name, metricName, statistic));
  const ofQueues = (metricName: string, statistic?: string) =>
    by(queues, (name) => aws.queue(name, metricName, statistic));
  const dead = (name: string) => aws.queue(`${name}-dead`, 'ApproximateNumberOfMessagesVisible', 'Maximum');
  return [
    ...section(
      'Traffic and latency',
      'The class of a route says what its duration depends on; callers determine that of `list` and `upload`.',
      [
        {
          title: 'Requests',
          metrics: {
            requests: aws.gateway('Count', 'SampleCount'),
            '4xx': aws.gateway('4XXError'),
            '5xx': aws.gateway('5XXError'),
          },
          right: environment.firewall
            ? { 'blocked by the firewall': aws.firewall('firewall', 'BlockedRequests') }
            : {},
        },
        {
          title: 'p99 by class, milliseconds',
          runbook: ['Slow requests', 'Authorizer latency'],
          metrics: { ...logs.durations(), authorizer: aws.lambda('authorizer', 'Duration', 'p99') },
        },
        {
          title: 'Gateway, milliseconds',
          metrics: Object.fromEntries(
            ['p50', 'p99'].flatMap((statistic) => [
              [`all, ${statistic}`, aws.gateway('Latency', statistic)],
              [`functions, ${statistic}`, aws.gateway('IntegrationLatency', statistic)],
            ]),
          ),
        },
      ],
    ),
    ...section(
      'Functions',
      'A crash of one function alone is its own; crashes of many at once have a cause below, or in the last deployment.',
      [
        {
          title: 'Errors',
          runbook: ['Function errors', 'Authorizer errors', 'Worker errors', 'Publisher errors'],
          metrics: ofFunctions('Errors'),
        },
        { title: 'Throttles', runbook: ['Function throttles'], metrics: ofFunctions('Throttles') },
      ],
      [
        {
          title: 'Executions at once',
          runbook: ['Concurrency near its quota'],
          metrics: ofFunctions('ConcurrentExecutions', 'Maximum'),
          right: { 'not reserved, of the account': unreservedExecutions },
        },
        { title: 'Duration, p99, milliseconds', metrics: ofFunctions('Duration', 'p99') },
        {
          title: 'Invocations dropped as a loop',
          runbook: ['Dropped invocations'],
          metrics: Object.fromEntries(
            namesOf(watched, 'worker').map((name) => [name, aws.lambda(name, 'RecursiveInvocationsDropped')]),
          ),
        },
      ],
    ),
    ...section(
      'Queues',
      'Age is what callers and receivers feel. Many messages that are young are a burst; few that are old are stuck.',
      [
        {
          title: 'Age of the oldest message, seconds',
          runbook: ['Old messages'],
          metrics: ofQueues('ApproximateAgeOfOldestMessage', 'Maximum'),
        },
        {
          title: 'Messages that wait',
          metrics: ofQueues('ApproximateNumberOfMessagesVisible', 'Maximum'),
        },
        {
          title: 'Dead letters',
          runbook: ['Dead messages', 'Failed schedules', 'Unpublished events'],
          metrics: by([...queues, ...deadLetters.map((name) => ({ name }))], dead),
        },
      ],
    ),
    ...section(
      'Events',
      'From left to right as an event goes: outbox, bus, receivers, and the schedules behind them.',
      [
        {
          title: 'Age of events in the outbox, milliseconds',
          runbook: ['Late events'],
          metrics: { 'stream of the outbox': aws.lambda('event-publisher', 'IteratorAge', 'Maximum') },
        },
        {
          title: 'Events that the stream missed, or the bus did not route',
          runbook: ['Late events', 'Unrouted events'],
          metrics: {
            'published later by the schedule': logs.logged('events_republished', ['event-publisher'], {
              level: 'WARN',
              value: '$.republished',
            }),
            ...Object.fromEntries(
              rules.map((name) => [`not routed to ${name}`, aws.rule(name, 'FailedInvocations')]),
            ),
          },
        },
        {
          title: 'Deliveries to healthy receivers: median lateness, seconds',
          runbook: ['Late deliveries'],
          metrics: { seconds: logs.lateness() },
        },
        {
          title: 'Scheduled calls that failed',
          runbook: ['Failed schedules'],
          metrics: { calls: aws.schedules('schedules', 'TargetErrorCount') },
        },
      ],
    ),
    ...section(
      'Tables',
      'Throttles of one table while it consumes little are one hot key; of many tables at once, the account’s quota.',
      [
        {
          title: 'Throttled requests',
          runbook: ['Table throttles'],
          metrics: tables.map((table) => table.throttledRequests(fiveMinutes)),
        },
        {
          title: 'Requests with a 5xx of DynamoDB',
          runbook: ['Table errors'],
          metrics: tables.map((table) => table.systemErrors(fiveMinutes)),
        },
      ],
    ),
    ...section(
      'Cost drivers',
      'What the bill is made of, the largest share first. Prices, and what is expected of each, are in `infra/capacity.md`.',
      [
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
        { title: 'Milliseconds of functions', metrics: ofFunctions('Duration'), stacked: true },
      ],
      [
        { title: 'Messages sent', metrics: ofQueues('NumberOfMessagesSent'), stacked: true },
        {
          title: 'Bytes of functions’ logs',
          metrics: by(functions, (name) => aws.logBytes(logGroupName.function(environment.name, name))),
          stacked: true,
        },
      ],
    ),
  ];
}

/**
 * Creates the environment's dashboard: whose fault it is, then everything that can be the cause, then what it costs. What
 * only logs can say, saved queries ask.
 */
export function createDashboard(scope: Construct, sources: Sources, pages: readonly AlarmBase[]): void {
  new Dashboard(scope, 'Dashboard', {
    dashboardName: resourceName(sources.watched.environment.name, 'overview'),
    defaultInterval: Duration.hours(3),
    widgets: [
      [
        new TextWidget({ markdown: howToRead, width: 18, height: 7 }),
        new AlarmStatusWidget({ title: 'What pages', alarms: [...pages], width: 6, height: 7 }),
      ],
      faults(sources).map(graph),
      ...sections(sources),
    ],
  });
}

/** A heading over the whole width, with a sentence that says how to read the rows of graphs below it. */
const section = (title: string, text: string, ...rows: readonly (readonly Graph[])[]): IWidget[][] => [
  [new TextWidget({ markdown: `## ${title}\n\n${text}`, width: columns, height: 2 })],
  ...rows.map((row) => row.map(graph)),
];

/** One of the graphs of a row, all of the same width. */
const graph = (
  { title, runbook = [], metrics, right = {}, stacked = false }: Graph,
  _: number,
  row: readonly Graph[],
): IWidget =>
  new GraphWidget({
    title: runbook.length === 0 ? title : `${title} (runbook: ${runbook.join(', ')})`,
    left: labeled(metrics),
    right: labeled(right),
    stacked,
    width: columns / row.length,
    height: 7,
    leftYAxis: { min: 0 },
  });

const isLabeled = (metrics: Graph['metrics']): metrics is Labeled => !Array.isArray(metrics);

const labeled = (metrics: Graph['metrics']): IMetric[] =>
  isLabeled(metrics)
    ? Object.entries(metrics).map(([label, metric]) => metric.with({ label }))
    : [...metrics];
