// Alarms: those that wake somebody, those that are read in the morning, and the topics to which they are published.
import { Aws, Duration } from 'aws-cdk-lib';
import type { AlarmBase } from 'aws-cdk-lib/aws-cloudwatch';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { WorkedQueue } from '#function/uses.ts';
import { MB, queueRetentionSeconds, streamedAnswerBytes } from '#platform/aws/limits.ts';
import { isList, rateOf, routeClasses } from '#platform/contract/route.ts';
import type { Capacity } from '../capacity.ts';
import {
  type Alarm,
  addAlarm,
  addAnyAlarm,
  type Explanation,
  notify,
  type Severity,
  topicName,
} from '../constructs/alarm.ts';
import type { Environment } from '../environments.ts';
import { slowAboveMs } from '../function-uses.ts';
import {
  faultPercentage,
  fiveMinutes,
  type LogMetrics,
  type Metrics,
  math,
  namesOf,
  refusalPercentage,
  totalOf,
  unreservedExecutions,
  type WatchedQueue,
  type WatchedResources,
} from './metrics.ts';

/** Sources of the rows of alarms. */
export interface Sources {
  readonly watchedResources: WatchedResources;
  readonly aws: Metrics;
  readonly logs: LogMetrics;
}

/** Alarm below another, which notifies once for all: one cause sets off many of them. The console names those. */
type Signal = Alarm & { readonly worthANight?: never };

/** An alarm of its own metric, or one that goes off while any of its signals does. */
type Row = Alarm | (Explanation & { readonly signals: readonly Signal[] });

/** A row of an alarm that wakes somebody, with the reason. */
type Paging = Row & { readonly worthANight: string };

/** A row of an alarm that is read in the morning. */
type Ticket = Row & { readonly worthANight?: never };

/** The queues between an event and its receivers. What waits for the others waits for minutes or hours anyway. */
const onTheWayToReceivers: readonly WorkedQueue[] = ['webhook-fanout', 'deliveries-healthy'];

const isOnTheWayToReceivers = ({ name }: WatchedQueue): boolean => onTheWayToReceivers.includes(name);

/** The alarm of a queue's age. */
const oldMessages = (aws: Metrics, { name, behindAfterSeconds }: WatchedQueue): Signal => ({
  name: `${name}-message-age`,
  runbook: 'Old messages',
  metric: aws.queue(name, 'ApproximateAgeOfOldestMessage', 'Maximum'),
  above: behindAfterSeconds,
  impact: `Messages in the queue "${name}" are not processed in time: they wait for a worker, or fail.`,
});

/** Creates all alarms, but those that roll back a release (`infra/service/rollback.ts`). Answers those that page. */
export function createAlarms(scope: Construct, sources: Sources): readonly AlarmBase[] {
  const { environment } = sources.watchedResources;
  const create = (severity: Severity, rows: readonly (Paging | Ticket)[]): AlarmBase[] =>
    rows.map((row) => {
      const alarm =
        'signals' in row
          ? addAnyAlarm(
              scope,
              environment,
              row,
              row.signals.map((signal) => addAlarm(scope, environment, signal)),
            )
          : addAlarm(scope, environment, row);
      notify(alarm, environment, severity);
      return alarm;
    });
  createTopic(scope, environment, 'page', environment.pageAddress);
  createTopic(scope, environment, 'ticket', environment.ticketAddress);
  create('ticket', tickets(sources));
  return create('page', pages(sources));
}

function createTopic(
  scope: Construct,
  environment: Environment,
  severity: Severity,
  address: string | undefined,
): void {
  const topic = new Topic(scope, `${severity}s`, {
    topicName: topicName(environment, severity),
    enforceSSL: true,
  });
  // `enforceSSL` creates a topic policy, which replaces the default one that lets CloudWatch publish.
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Notify_Users_Alarm_Changes.html
  topic.grantPublish(
    new ServicePrincipal('cloudwatch.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
  );
  if (address !== undefined) topic.addSubscription(new EmailSubscription(address));
}

/** Alarms that wake somebody. */
const pages = ({ watchedResources, aws, logs }: Sources): readonly Paging[] => [
  {
    name: 'gateway-faults',
    metric: faultPercentage(aws),
    above: 1,
    periods: 2,
    impact: 'More than one request in a hundred gets a 5xx.',
    worthANight: 'Callers are failing, and no retry of theirs helps for as long as it lasts.',
  },
  {
    name: 'callers-refusals',
    runbook: 'Refused requests',
    metric: logs.callersRefusals(),
    above: 50,
    periods: 3,
    impact: 'More than half of the requests with a valid credential get a 4xx.',
    worthANight: 'A defect that refuses valid requests is as bad as an outage, and no 5xx shows it.',
  },
  ...['authorizer', 'auth'].map((name) => ({
    name: `${name}-throttles`,
    runbook: 'Function throttles',
    metric: aws.lambda(name, 'Throttles'),
    periods: 2,
    impact: `Lambda rejects invocations of "${name}": callers cannot sign in.`,
    worthANight: 'Everybody needs it, and its executions are reserved: a flood or a defect used them up.',
  })),
  {
    name: 'latency',
    runbook: 'Slow requests',
    signals: slowRequests(aws, logs),
    impact: 'Requests have been slow for a quarter of an hour.',
    worthANight: 'Callers time out and repeat what they sent, which makes it slower still.',
  },
  {
    // The schedule runs every five minutes for events older than five: those that fail again wait for more than ten.
    name: 'event-publisher-unpublished-events',
    runbook: 'Unpublished events',
    metric: logs.logged('events_republished', ['event-publisher'], { level: 'WARN', value: '$.failed' }),
    periods: 2,
    impact: 'Events have been in the outbox for more than ten minutes, and the bus does not accept them.',
    worthANight: 'No receiver gets an event, statuses are not computed, and the backlog grows.',
  },
  {
    name: 'events-late',
    runbook: 'Late events',
    signals: lateEvents(watchedResources, aws),
    impact: 'Receivers get events late.',
    worthANight: 'It concerns every carrier, and what waits grows for as long as nobody acts.',
  },
  {
    name: 'schedules-failed-calls',
    runbook: 'Failed schedules',
    metric: aws.schedules('schedules', 'TargetErrorCount'),
    periods: 3,
    impact: 'Functions could not be invoked on schedule for a quarter of an hour.',
    worthANight:
      'Retries of deliveries stand still, as does whatever a crash left behind; after an hour calls are dropped.',
  },
  {
    name: 'index-lag',
    runbook: 'Indexes of changes that lag',
    metric: logs.logged('index_lags', ['index-lag']),
    impact:
      'An index of changes is more than 45 seconds late. From two minutes on, callers who follow a list by `updatedSince` miss some.',
    worthANight:
      'Nobody notices a change that was missed, and it stays missed until the record changes again; a larger `updatedUntilLagMs` prevents that.',
  },
  {
    name: 'unreadable-items',
    metric: logs.unreadableItems(),
    impact:
      'A stored item does not match its schema: requests and lists that read it get a 500 or break off, and what a worker was to do with it is not done.',
    worthANight:
      'Nothing but a release or a change by hand makes an item unreadable, no retry helps, and a list stays down for its owner until the item is corrected.',
  },
  {
    name: 'canary-failing',
    runbook: 'Canary',
    // CloudWatch waits for several periods without data before they count as missing, so here they count as none passed.
    // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
    metric: math('FILL(passed, 0) < 1', 'Whether no run of the canary passed', {
      passed: logs.logged('canary_passed', ['canary'], { level: 'INFO' }),
    }),
    periods: 2,
    // A canary that does not run proves nothing, and whatever stops it may stop callers too.
    isMissingBad: true,
    impact: 'No run of the canary passed, or none was made: callers cannot do what it does.',
    worthANight:
      'It does what every caller does, and at night it may be the only one: other alarms need traffic.',
  },
];

function slowRequests(aws: Metrics, logs: LogMetrics): Signal[] {
  const durations = logs.durations();
  const ofClasses = routeClasses.flatMap((name): Signal[] => {
    const { [name]: above } = slowAboveMs;
    if (above === undefined) return [];
    const impact = `One in a hundred requests of the class "${name}" takes more than ${above / 1_000} seconds.`;
    const metric = durations[name];
    return [{ name: `${name}-latency`, runbook: 'Slow requests', metric, above, periods: 3, impact }];
  });
  const ofAuthorizer = {
    name: 'authorizer-latency',
    metric: aws.lambda('authorizer', 'Duration', 'p99'),
    above: 2_000,
    periods: 3,
    impact: 'Requests that require a credential wait for seconds before they are handled; at five they fail.',
  };
  return [...ofClasses, ofAuthorizer];
}

/** A stream that is read late has the same effect for receivers as a queue that waits. */
const lateEvents = ({ queues }: WatchedResources, aws: Metrics): Signal[] => [
  {
    name: 'event-publisher-lag',
    runbook: 'Late events',
    metric: aws.lambda('event-publisher', 'IteratorAge', 'Maximum'),
    above: Duration.minutes(1).toMilliseconds(),
    periods: 3,
    impact: 'Events reach the bus, and so every receiver, more than a minute late.',
  },
  // One message that fails twice is old for a few minutes, which is worth no night.
  ...queues.filter(isOnTheWayToReceivers).map((queue) => ({ ...oldMessages(aws, queue), periods: 3 })),
];

/** Alarms that are read in the morning. */
const tickets = (sources: Sources): readonly Ticket[] => [
  ...ofRequests(sources),
  ...ofEvents(sources),
  ...ofQueues(sources),
  ...ofWork(sources),
  ...ofFiles(sources),
];

const ofRequests = ({ watchedResources, aws, logs }: Sources): Ticket[] => [
  {
    name: 'authorizer-errors',
    metric: aws.lambda('authorizer', 'Errors'),
    impact: 'A caller with a valid credential got a 5xx. If many do, "gateway-faults" pages.',
  },
  {
    // Mostly strangers, such as scanners, and whom the firewall blocks.
    name: 'gateway-refusals',
    runbook: 'Refused requests',
    metric: refusalPercentage(aws),
    above: 50,
    periods: 3,
    impact: 'More than half of all requests get a 4xx. If many are of callers, "callers-refusals" pages.',
  },
  {
    name: 'invalid-responses',
    metric: logs.ofRoutes('response_breaks_schema', () => true),
    impact: 'Responses do not match the OpenAPI document.',
  },
  {
    name: 'too-large-responses',
    runbook: 'Responses that are too large',
    metric: logs.ofRoutes('response_too_large', ({ answer }) => 'all' in answer),
    impact: `A list was cut off at ${streamedAnswerBytes / MB} MB: its caller can’t read it without narrower filters or gzip.`,
  },
  {
    name: 'uncounted-requests',
    metric: logs.ofRoutes('rate_counters_unreachable', (route) => rateOf(route) !== 'none' || isList(route)),
    impact: 'Rate-limited routes accept every request: nothing limits floods or guessing of secrets.',
  },
  {
    name: 'stopped-feeds',
    metric: logs.ofRoutes('feed_stopped', ({ answer }) => 'cursor' in answer),
    impact: 'An organization that reads its feed of events gets no more of them.',
  },
  {
    // Of other functions, the queue's age or an operator's command tells.
    name: 'function-errors',
    signals: [...namesOf(watchedResources, 'api'), 'link-redemption'].map((name) => ({
      name: `${name}-errors`,
      runbook: 'Function errors',
      metric: aws.lambda(name, 'Errors'),
      impact: `Calls of "${name}" are cut off or get a 5xx.`,
    })),
    impact: 'A function crashed, or ran out of time or memory. If many calls fail, "gateway-faults" pages.',
  },
  {
    name: 'shared-concurrency',
    runbook: 'Concurrency near its quota',
    metric: math(
      `100 * executions / ${sharedExecutions(watchedResources.environment.capacity)}`,
      'Executions of functions without reserved concurrency, percent of the quota',
      { executions: unreservedExecutions },
    ),
    above: 80,
    periods: 3,
    impact: 'Functions without reserved concurrency use four fifths of what the account has for them.',
  },
  {
    name: 'signing-secret-rotation-failed',
    metric: aws.lambda('signing-secret-rotation', 'Errors'),
    impact:
      'No effect on callers yet: tokens are still signed with the old secret, which is due for rotation.',
  },
];

const publishers = ['event-publisher', 'imported-event-publisher'];

const ofEvents = ({ watchedResources, aws, logs }: Sources): Ticket[] => [
  {
    name: 'imported-event-publisher-lag',
    runbook: 'Late events of imports',
    metric: aws.lambda('imported-event-publisher', 'IteratorAge', 'Maximum'),
    above: Duration.minutes(15).toMilliseconds(),
    impact:
      'Events of imports reach the bus more than a quarter of an hour late. No other event waits for them.',
  },
  {
    name: 'event-publisher-refused-events',
    runbook: 'Refused events',
    metric: logs.logged('event_refused', publishers),
    impact: 'An event cannot be sent because of its content or size; its receivers do not get it.',
  },
  {
    name: 'unrouted-events',
    metric: totalOf(
      watchedResources.rules.map((name) => aws.rule(name, 'FailedInvocations')),
      'Events that reached no queue',
    ),
    impact: 'Events did not reach a queue from the bus and are not processed. They are kept.',
  },
];

const ofQueues = ({ watchedResources, aws, logs }: Sources): Ticket[] => [
  {
    name: 'schedules-dead-calls',
    runbook: 'Failed schedules',
    metric: aws.queue('schedules-dead', 'ApproximateNumberOfMessagesVisible', 'Maximum'),
    impact: 'Scheduled calls failed for good; an operator has to make up for them.',
  },
  {
    name: 'failed-messages',
    metric: logs.logged('message_failed', namesOf(watchedResources, 'worker')),
    periods: 3,
    impact:
      'Messages have failed for an unexpected reason for a quarter of an hour, and are delivered again.',
  },
  {
    name: 'dropped-invocations',
    // That of a function that allows recursion has data only if somebody changed the setting.
    metric: totalOf(
      namesOf(watchedResources, 'worker').map((name) => aws.lambda(name, 'RecursiveInvocationsDropped')),
      'Invocations dropped as a loop',
    ),
    impact: 'Lambda took messages for an infinite loop, and drops the invocations that they ask for.',
  },
  {
    name: 'dead-messages',
    signals: watchedResources.queues.map(({ name }) => ({
      name: `${name}-dead-messages`,
      runbook: 'Dead messages',
      metric: aws.queue(`${name}-dead`, 'ApproximateNumberOfMessagesVisible', 'Maximum'),
      impact: `The work of messages in the queue "${name}" was not done, and is not retried.`,
    })),
    impact: `The work of some messages was not done. They are kept for ${Duration.seconds(queueRetentionSeconds).toDays()} days and can be redriven.`,
  },
  ...watchedResources.queues
    .filter((queue) => !isOnTheWayToReceivers(queue))
    .map((queue) => oldMessages(aws, queue)),
];

const ofWork = ({ watchedResources, logs }: Sources): Ticket[] => [
  {
    // The function that queues first polls counts the NPNs that visits do not get to.
    name: 'registry-reconciliation-overdue-npns',
    runbook: 'Overdue NPNs',
    metric: logs.logged('npns_overdue', ['registry-reconciliation'], { level: 'WARN', value: '$.npns' }),
    impact:
      'The registry was not polled for some NPNs for 28 days: their licenses and appointments may be out of date, and a renewed license may be reported as expired.',
  },
  {
    name: 'unreadable-rows',
    metric: logs.logged('rows_unreadable', ['registry-sync', 'registry-reconciliation', 'import'], {
      level: 'WARN',
      value: '$.rows',
    }),
    impact:
      'Rows of reports of the registry cannot be read: answers there say that one is not understood, and what the report leaves out does not end.',
  },
  {
    name: 'deliveries-late',
    runbook: 'Late deliveries',
    metric: logs.lateness(),
    above: 300,
    periods: 3,
    impact: 'Half of the leases of healthy receivers find deliveries that have been due for five minutes.',
  },
  {
    // Attempts do not show it: a failing receiver gets a few a minute, and the others all of theirs.
    name: 'receivers-failing',
    runbook: 'Failing receivers',
    metric: logs.failingHosts(),
    above: 2,
    impact:
      'Receivers at three or more hosts began to fail within five minutes, so they have something in common. They get their events when they answer again.',
  },
  {
    name: 'table-throttles',
    signals: watchedResources.tables.map((table) => ({
      name: `${table.design.name}-table-throttles`,
      runbook: 'Table throttles',
      metric: table.ofAllOperations('ThrottledRequests', fiveMinutes),
      periods: 2,
      impact: `Requests that need the table "${table.design.name}" are slow, and some get a 5xx.`,
    })),
    impact: 'DynamoDB throttles requests. If callers notice, "gateway-faults" or "latency" pages.',
  },
];

/** Concurrency that functions without a reservation share. */
const sharedExecutions = ({ account, reserved }: Capacity): number =>
  account - Object.values(reserved).reduce((total, reservation) => total + reservation, 0);

function ofFiles({ logs, watchedResources: { malwareScan } }: Sources): Ticket[] {
  const muchUploaded: Ticket = {
    name: 'much-uploaded',
    metric: logs.mostUploaded(),
    above: 700 * MB,
    periods: 3,
    impact:
      'An organization has uploaded more than 2 GB within a quarter of an hour: files are kept and paid for without end.',
  };
  if (malwareScan === undefined) return [muchUploaded];
  const failedScans = malwareScan.scans('FailedScanCount', fiveMinutes);
  const deniedScans = malwareScan.scans('SkippedScanCount', fiveMinutes, 'MissingPermissions');
  return [
    muchUploaded,
    {
      name: 'files-with-malware',
      metric: malwareScan.scans('InfectedScanCount', fiveMinutes),
      impact:
        'An organization uploaded a file with malware. It is not served, but its uploader may be at risk.',
    },
    {
      name: 'files-not-scanned',
      runbook: 'Files that are not scanned',
      metric: totalOf([failedScans, deniedScans], 'Files that GuardDuty could not or may not scan'),
      impact: 'A file could not be scanned for malware, so it cannot be downloaded or attached.',
    },
  ];
}
