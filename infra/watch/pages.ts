import { Duration } from 'aws-cdk-lib';
import { routeClasses } from '#platform/contract/route.ts';
import { slowAboveMs } from '../function-uses.ts';
import { isOnTheWayToReceivers, oldMessages, type Paging, type Signal, type Sources } from './alarm-rows.ts';
import { faultPercentage, type LogMetrics, type Metrics, math, type WatchedResources } from './metrics.ts';

/** Alarms that wake somebody. */
export const pages = ({ watchedResources, aws, logs }: Sources): readonly Paging[] => [
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
