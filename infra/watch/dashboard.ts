// The dashboard of an environment.
import { Duration } from 'aws-cdk-lib';
import {
  type AlarmBase,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IWidget,
  type MathExpression,
  type Metric,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { resourceName } from '../environments.ts';
import { logGroupName } from '../function-uses.ts';
import type { Sources } from './alarms.ts';
import { faultPercentage, fiveMinutes, namesOf, refusalPercentage, unreservedExecutions } from './metrics.ts';

/**
 * Creates the environment's dashboard: whose fault it is, then everything that can be the cause, then what it costs. What
 * only logs can say, saved queries ask.
 */
export function createDashboard(scope: Construct, sources: Sources, pages: readonly AlarmBase[]): void {
  const parts = partsOf(sources);
  new Dashboard(scope, 'Dashboard', {
    dashboardName: resourceName(sources.watchedResources.environment.name, 'overview'),
    defaultInterval: Duration.hours(3),
    widgets: [
      [
        new TextWidget({ markdown: howToRead, width: 18, height: 7 }),
        new AlarmStatusWidget({ title: 'What pages', alarms: [...pages], width: 6, height: 7 }),
      ],
      ...rowsOfCalls(parts),
      ...rowsOfWork(parts),
    ],
  });
}

/** Columns of a dashboard. */
const columns = 24;

/** Metrics by the names that the legend shows. */
type GraphMetrics = Readonly<Record<string, Metric | MathExpression>>;

const labeled = (metrics: GraphMetrics) =>
  Object.entries(metrics).map(([label, metric]) => metric.with({ label }));

/**
 * @param title with the sections of the runbook that say what to do about it.
 * @param right on an axis of their own.
 */
const graph = (title: string, left: GraphMetrics, right: GraphMetrics = {}) => ({
  title,
  left: labeled(left),
  right: labeled(right),
  stacked: false,
});

/** A graph whose values add up to something. */
const stackedGraph = (title: string, left: GraphMetrics) => ({ ...graph(title, left), stacked: true });

/** A heading over the whole width, with a sentence that says how to read the rows below it. */
const heading = (title: string, text: string): IWidget[] => [
  new TextWidget({ markdown: `## ${title}\n\n${text}`, width: columns, height: 2 }),
];

const byName = (names: readonly string[], metricOf: (name: string) => Metric): GraphMetrics =>
  Object.fromEntries(names.map((name) => [name, metricOf(name)]));

const howToRead = `# Is it us, the registry, or a receiver?

| The first graph to leave its floor | It is | Then |
| --- | --- | --- |
| **Us** | ours: callers get a 5xx, or a 4xx that they do not deserve | the page's section in the runbook; below, look for what began at the same minute |
| **From outside** | ours, or AWS's: the canary, which does what callers do, does not get through | "Canary" in the runbook names the step; if it fails alone, it is the way from the internet to the gateway |
| **The registry** | the registry's: synchronizations and polls fail | nothing but to wait; they are retried, and made up for the next day. A 401 is ours: see "Old messages" |
| **Receivers**, "retried" and "failed" only | the receivers', if it is one or a few of them: the saved query "Failing receivers: at which hosts" says which | nothing; their owners see it. If it is most of them, it is our route to the internet |
| **Receivers**, nothing succeeds and nothing fails | ours: events do not get there | "Events" below, from left to right: outbox, bus, queues, workers |`;

/** The parts of rows. */
function partsOf(sources: Sources) {
  const { watchedResources, aws } = sources;
  const { release } = watchedResources;
  /** Graphs beside each other, all of the same width, with a mark where the release that is live was deployed. */
  const row = (...graphs: readonly ReturnType<typeof graph>[]): IWidget[] =>
    graphs.map(
      (widget) =>
        new GraphWidget({
          ...widget,
          width: columns / graphs.length,
          height: 7,
          leftYAxis: { min: 0 },
          ...(release === undefined
            ? {}
            : { verticalAnnotations: [{ date: release.deployedAt, label: release.commit }] }),
        }),
    );
  const functionNames = watchedResources.functions.map(({ name }) => name);
  const queueNames = watchedResources.queues.map(({ name }) => name);
  const eachFunction = (metricName: string, statistic?: string, names = functionNames): GraphMetrics =>
    byName(names, (name) => aws.lambda(name, metricName, statistic));
  const eachQueue = (metricName: string, statistic?: string): GraphMetrics =>
    byName(queueNames, (name) => aws.queue(name, metricName, statistic));
  type WatchedTable = (typeof watchedResources.tables)[number];
  const eachTable = (metricOf: (table: WatchedTable) => Metric | MathExpression): GraphMetrics =>
    Object.fromEntries(watchedResources.tables.map((table) => [table.design.name, metricOf(table)]));
  return { ...sources, row, functionNames, queueNames, eachFunction, eachQueue, eachTable };
}

type Parts = ReturnType<typeof partsOf>;

/** What callers feel, and what serves them. The first graph to leave its floor says whose fault it is. */
function rowsOfCalls({ watchedResources, aws, logs, row, eachFunction }: Parts): IWidget[][] {
  return [
    row(
      graph('Us: percent of requests (runbook: Gateway faults, Refused requests)', {
        '5xx': faultPercentage(aws),
        '4xx': refusalPercentage(aws),
      }),
      stackedGraph('From outside: runs (runbook: Canary)', {
        passed: logs.logged('canary_passed', ['canary'], { level: 'INFO' }),
        failed: logs.error('canary_failed'),
      }),
      graph('The registry: failures (runbook: Old messages, Overdue NPNs)', {
        synchronizations: logs.logged('registry_unavailable', ['registry-sync']),
        polls: logs.logged('npn_not_polled', ['registry-reconciliation']),
      }),
      stackedGraph(
        'Receivers: attempts (runbook: Failing receivers, Late deliveries)',
        logs.attempts('succeeded', 'retried', 'failed'),
      ),
    ),
    heading(
      'Traffic and latency',
      'The class of a route says what its duration depends on; callers determine that of `list` and `upload`.',
    ),
    row(
      graph(
        'Requests',
        {
          requests: aws.gateway('Count', 'SampleCount'),
          '4xx': aws.gateway('4XXError'),
          '5xx': aws.gateway('5XXError'),
        },
        watchedResources.environment.firewall
          ? { 'blocked by the firewall': aws.firewall('firewall', 'BlockedRequests') }
          : {},
      ),
      graph('p99 by class, milliseconds (runbook: Slow requests, Authorizer latency)', {
        ...logs.durations(),
        authorizer: aws.lambda('authorizer', 'Duration', 'p99'),
      }),
      graph('Gateway, milliseconds', {
        'all, p50': aws.gateway('Latency', 'p50'),
        'functions, p50': aws.gateway('IntegrationLatency', 'p50'),
        'all, p99': aws.gateway('Latency', 'p99'),
        'functions, p99': aws.gateway('IntegrationLatency', 'p99'),
      }),
    ),
    heading(
      'Functions',
      'A crash of one function alone is its own; crashes of many at once have a cause below, or in the last deployment.',
    ),
    row(
      graph(
        'Errors (runbook: Function errors, Authorizer errors, Worker errors, Publisher errors)',
        eachFunction('Errors'),
      ),
      graph('Throttles (runbook: Function throttles)', eachFunction('Throttles')),
    ),
    row(
      graph(
        'Executions at once (runbook: Concurrency near its quota)',
        eachFunction('ConcurrentExecutions', 'Maximum'),
        { 'not reserved, of the account': unreservedExecutions },
      ),
      graph('Duration, p99, milliseconds', eachFunction('Duration', 'p99')),
      graph(
        'Invocations dropped as a loop (runbook: Dropped invocations)',
        eachFunction('RecursiveInvocationsDropped', 'Sum', namesOf(watchedResources, 'worker')),
      ),
    ),
  ];
}

/** What is done behind the functions that callers call, and what it all costs. */
function rowsOfWork(parts: Parts): IWidget[][] {
  const { watchedResources, aws, logs, row, functionNames, queueNames } = parts;
  const { eachFunction, eachQueue, eachTable } = parts;
  const { environment, rules, deadLetters } = watchedResources;
  return [
    heading(
      'Queues',
      'Age is what callers and receivers feel. Many messages that are young are a burst; few that are old are stuck.',
    ),
    row(
      graph(
        'Age of the oldest message, seconds (runbook: Old messages)',
        eachQueue('ApproximateAgeOfOldestMessage', 'Maximum'),
      ),
      graph('Messages that wait', eachQueue('ApproximateNumberOfMessagesVisible', 'Maximum')),
      graph(
        'Dead letters (runbook: Dead messages, Failed schedules, Unpublished events)',
        byName([...queueNames, ...deadLetters], (name) =>
          aws.queue(`${name}-dead`, 'ApproximateNumberOfMessagesVisible', 'Maximum'),
        ),
      ),
    ),
    heading(
      'Events',
      'From left to right as an event goes: outbox, bus, receivers, and the schedules behind them.',
    ),
    row(
      graph('Age of events in the outbox, milliseconds (runbook: Late events)', {
        'stream of the outbox': aws.lambda('event-publisher', 'IteratorAge', 'Maximum'),
        'its events of imports': aws.lambda('imported-event-publisher', 'IteratorAge', 'Maximum'),
      }),
      graph(
        'Events that the stream missed, or the bus did not route (runbook: Late events, Unrouted events)',
        {
          'published later by the schedule': logs.logged('events_republished', ['event-publisher'], {
            level: 'WARN',
            value: '$.republished',
          }),
          ...Object.fromEntries(
            rules.map((name) => [`not routed to ${name}`, aws.rule(name, 'FailedInvocations')]),
          ),
        },
      ),
      graph('Deliveries to healthy receivers: median lateness, seconds (runbook: Late deliveries)', {
        seconds: logs.lateness(),
      }),
      graph('Scheduled calls that failed (runbook: Failed schedules)', {
        calls: aws.schedules('schedules', 'TargetErrorCount'),
      }),
    ),
    heading(
      'Tables',
      'Throttles of one table while it consumes little are one hot key; of many tables at once, the account’s quota.',
    ),
    row(
      graph(
        'Throttled requests (runbook: Table throttles)',
        eachTable((table) => table.ofAllOperations('ThrottledRequests', fiveMinutes)),
      ),
      graph(
        'Requests with a 5xx of DynamoDB (runbook: Table errors)',
        eachTable((table) => table.ofAllOperations('SystemErrors', fiveMinutes)),
      ),
    ),
    heading(
      'Cost drivers',
      'What the bill is made of, the largest share first. Prices, and what is expected of each, are in `infra/capacity.md`.',
    ),
    row(
      ...(['Write', 'Read'] as const).map((kind) =>
        stackedGraph(
          `${kind} units, without indexes`,
          eachTable((table) => table.consumedUnits(kind, fiveMinutes)),
        ),
      ),
      stackedGraph('Milliseconds of functions', eachFunction('Duration')),
    ),
    row(
      stackedGraph('Messages sent', eachQueue('NumberOfMessagesSent')),
      stackedGraph(
        'Bytes of functions’ logs',
        byName(functionNames, (name) => aws.logBytes(logGroupName.function(environment.name, name))),
      ),
    ),
  ];
}
