import { Duration } from 'aws-cdk-lib';
import { MB, queueRetentionSeconds, streamedAnswerBytes } from '#platform/aws/limits.ts';
import { isList, rateOf } from '#platform/contract/route.ts';
import type { Capacity } from '../capacity.ts';
import { isOnTheWayToReceivers, namesOf, oldMessages, type Sources, type Ticket } from './alarm-rows.ts';
import { fiveMinutes, math, refusalPercentage, totalOf, unreservedExecutions } from './metrics.ts';

/** Alarms that are read in the morning. */
export const tickets = (sources: Sources): readonly Ticket[] => [
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
