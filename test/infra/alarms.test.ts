import * as z from 'zod/mini';
import { routeClass, routeClasses } from '../../infra/alarms/route-class.ts';
import { routeGroups } from '../../infra/route-groups.ts';
import { filterPatternLength } from '../../shared/aws/limits.ts';
import { tables } from '../../shared/data/tables.ts';
import { alarmsOf, severityOf } from './alarm-resources.ts';
import { alarmSections, procedures } from './runbook-sections.ts';
import { synthesized } from './synthesized.ts';

const getAtt = z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) });
const mappingSchema = z.object({
  FunctionName: z.object({ Ref: z.string() }),
  // A queue's stands in the same stack; that of a table does not.
  EventSourceArn: z.union([getAtt, z.object({ 'Fn::ImportValue': z.string() })]),
});

const { service } = synthesized('prod');
const alarms = alarmsOf();
const composites = alarms.filter(({ children }) => children.length > 0);
const notifying = alarms.filter((alarm) => severityOf(alarm) !== undefined);

/** Severities of an alarm: its own, and those of the alarms that it is part of. */
const severitiesOf = (alarm: (typeof alarms)[number]) =>
  [alarm, ...composites.filter(({ children }) => children.includes(alarm.name))]
    .map(severityOf)
    .filter((severity) => severity !== undefined);

test.each(alarms)('$name says what it means and has a section in the runbook', ({ runbook }) => {
  expect(alarmSections.map(({ heading }) => heading)).toContain(runbook);
});

test.each(notifying)('$name notifies the same topic when it goes off and when it is over', (alarm) => {
  expect(alarm.actions).toEqual([{ Ref: expect.stringMatching(/^Alarms(Pages|Tickets)/) }]);
  expect(alarm.okActions).toEqual(alarm.actions);
});

test('an alarm that notifies nobody is part of exactly one that does', () => {
  const silent = alarms.filter((alarm) => !notifying.includes(alarm)).map(({ name }) => name);
  expect(composites.flatMap(({ children }) => children).sort()).toEqual(silent.sort());
  expect(composites.map(severityOf)).not.toContain(undefined);
});

test('fewer than 40 alarms page, and each says why it cannot wait', () => {
  const pages = notifying.filter((alarm) => severityOf(alarm) === 'page');
  expect(pages.length).toBeGreaterThan(0);
  expect(pages.length).toBeLessThan(40);
  for (const { name, description } of pages)
    expect([name, description]).toEqual([name, expect.stringMatching(/ Why now: .+\. What to do: /)]);
  const tickets = notifying.filter((alarm) => !pages.includes(alarm));
  for (const { description } of tickets) expect(description).not.toContain('Why now');
});

test('alarms cost less than half of what they did: $30 a month', () => {
  const metrics = alarms.reduce((count, alarm) => count + alarm.metrics, 0);
  const queries = alarms.reduce((count, alarm) => count + alarm.queries, 0);
  // https://aws.amazon.com/cloudwatch/pricing/: of an alarm by metric, and of a composite one. A query finds a metric for
  // each operation of a table that DynamoDB throttled lately, usually none.
  expect(0.1 * (metrics + queries) + 0.5 * composites.length).toBeLessThan(15);
});

test('the heading of a section has the severities of its alarms', () => {
  const derived = alarmSections.map(({ heading, severities }) => {
    const ofAlarms = alarms.filter(({ runbook }) => runbook === heading).flatMap(severitiesOf);
    // The dashboard shows some of what an alarm watches elsewhere, and it alone the rest (`dashboard.test.ts`).
    const withDashboard = severities.includes('dashboard') ? ['dashboard'] : [];
    return [heading, [...new Set(ofAlarms), ...withDashboard].sort()];
  });
  expect(alarmSections.map(({ heading, severities }) => [heading, [...severities].sort()])).toEqual(derived);
  expect(alarmSections.filter(({ severities }) => severities.length === 0)).toEqual([]);
});

test('the runbook has procedures for other occasions', () => {
  expect(procedures.map(({ heading }) => heading)).toEqual(
    expect.arrayContaining([
      ...['Severity', 'First deployment', 'Testing the alarms', 'Rolling back', 'Quotas before launch'],
      ...['Restoring tables', 'Restoring a file', 'Restoring a secret'],
      ...['Who did what', 'A leaked credential', 'A noisy tenant', 'What to tell customers'],
    ]),
  );
});

const named = (logicalId: string, property: string) =>
  String(service.all[logicalId]?.Properties[property]).replace('insurance-compliance-prod-', '');

/** Functions that are handed records, each with the queue that the mapping names, if it is one. */
const consumers = service.ofType('AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => {
  const { FunctionName, EventSourceArn } = z.parse(mappingSchema, Properties);
  const queue =
    'Fn::GetAtt' in EventSourceArn ? named(EventSourceArn['Fn::GetAtt'][0], 'QueueName') : undefined;
  return { name: named(FunctionName.Ref, 'FunctionName'), queue };
});
const workers = consumers.flatMap(({ name, queue }) => (queue === undefined ? [] : [{ name, queue }]));

test('gateway, authorizer, functions, workers, publisher, rules, schedules, rotation, and tables have alarms', () => {
  const watchedClasses = routeClasses.filter((name) => !['list', 'upload'].includes(name));
  expect(alarms.map(({ name }) => name).sort()).toEqual(
    [
      ...routeGroups.map(({ name }) => `${name}-errors`),
      ...watchedClasses.map((name) => `${name}-latency`),
      ...workers.flatMap(({ queue }) => [`${queue}-dead-messages`, `${queue}-message-age`]),
      ...tables.map(({ name }) => `${name}-table-throttles`),
      ...['deferred-events', 'events'].map(
        (what) => `event-publisher-${what === 'events' ? 'unpublished' : 'late'}-${what}`,
      ),
      ...['lag', 'refused-events', 'unreadable-events'].map((what) => `event-publisher-${what}`),
      ...['auth-throttles', 'authorizer-errors', 'authorizer-latency', 'authorizer-throttles'],
      ...['dead-messages', 'events-late', 'function-errors', 'latency', 'table-throttles'],
      ...['deliveries-late', 'deliveries-unreadable', 'failed-messages'],
      ...['files-not-scanned', 'files-with-malware'],
      ...['gateway-faults', 'gateway-refusals', 'index-lag', 'shared-concurrency'],
      ...['invalid-responses', 'stopped-feeds', 'too-large-responses', 'uncounted-requests'],
      ...['not-found-errors', 'link-redemption-errors'],
      ...['registry-reconciliation-overdue-npns', 'signing-secret-rotation-failed', 'unrouted-events'],
      ...['schedules-dead-calls', 'schedules-failed-calls'],
    ].sort(),
  );
});

test('every route has a class, and every class of which an alarm is about a route', () => {
  const classes = routeGroups.flatMap(({ routes }) => Object.values(routes).map(routeClass));
  expect(new Set(classes)).toEqual(new Set(routeClasses));
});

test('the duration of every operation is counted in the class of its route, once', () => {
  const counted = service.ofType('AWS::Logs::MetricFilter').flatMap(([, { Properties }]) => {
    const pattern = String(Properties['FilterPattern']);
    expect(pattern.length).toBeLessThanOrEqual(filterPatternLength);
    if (!pattern.includes('$.event = "request"')) return [];
    const [{ MetricName, MetricValue }] = z.parse(
      z.tuple([z.object({ MetricName: z.string(), MetricValue: z.literal('$.durationMs') })]),
      Properties['MetricTransformations'],
    );
    expect(MetricValue).toBe('$.durationMs');
    return Array.from(pattern.matchAll(/\$\.operationId = "(\w+)"/g), ([, id]) => `${id}: ${MetricName}`);
  });
  const expected = routeGroups.flatMap(({ routes }) =>
    Object.entries(routes).map(([id, route]) => `${id}: request-duration-${routeClass(route)}`),
  );
  expect(counted.sort()).toEqual(expected.sort());
});

test('the age alarm of a queue allows for the usual wait of its messages', () => {
  const ages = service
    .ofType('AWS::CloudWatch::Alarm')
    .map(([, { Properties }]) => Properties)
    .filter(({ MetricName }) => MetricName === 'ApproximateAgeOfOldestMessage')
    .map(({ AlarmName, Threshold }) => [
      String(AlarmName).replace(/^insurance-compliance-prod-|-message-age$/g, ''),
      Threshold,
    ]);
  expect(Object.fromEntries(ages)).toEqual({
    'registry-sync': 900,
    'webhook-fanout': 900,
    'deliveries-healthy': 900,
    // A retry is held back for 15 minutes at a time.
    'deliveries-failing': 900,
    'compliance-changes': 900,
    'license-sweep': 7_200,
    // From 21:00 until the sweep at 05:00.
    'registry-reconciliation': 28_800,
  });
});

test('alarm and dashboard sum the events that the stream missed and the bus refused, as the publisher logs them', () => {
  const added = service
    .ofType('AWS::Logs::MetricFilter')
    .map(([, { Properties }]) => Properties)
    .filter(({ FilterPattern }) => String(FilterPattern).includes('events_republished'))
    .map(({ FilterPattern, MetricTransformations }) => {
      const [{ MetricValue }] = z.parse(
        z.tuple([z.object({ MetricValue: z.string() })]),
        MetricTransformations,
      );
      return [FilterPattern, MetricValue];
    });
  const pattern = '{ ($.event = "events_republished") && ($.level = "WARN") }';
  expect(added.sort()).toEqual([
    [pattern, '$.failed'],
    [pattern, '$.republished'],
  ]);
});

test.each([
  ['an event that the bus refuses', 'event_refused'],
  ['a list that is larger than Lambda streams', 'response_too_large'],
  ['an answer that breaks its schema', 'response_breaks_schema'],
])('%s is counted from its log line', (_, event) => {
  const filters = service
    .ofType('AWS::Logs::MetricFilter')
    .map(([, { Properties }]) => Properties['FilterPattern']);
  expect(filters).toContain(`{ ($.event = "${event}") && ($.level = "ERROR") }`);
});

test('overdue NPNs are counted where the function logs them', () => {
  const [[, { Properties }] = ['', { Properties: {} }], ...others] = service
    .ofType('AWS::Logs::MetricFilter')
    .filter(([, filter]) => String(filter.Properties['FilterPattern']).includes('npns_overdue'));
  expect(others).toEqual([]);
  expect(Properties).toMatchObject({
    FilterPattern: '{ ($.event = "npns_overdue") && ($.level = "WARN") }',
    MetricTransformations: [{ MetricValue: '$.npns' }],
  });
});
