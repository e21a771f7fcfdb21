import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { routeGroups } from '../../infra/route-groups.ts';
import { tables } from '../../shared/data/tables.ts';
import { synthesized } from './synthesized.ts';

const alarmSchema = z.object({
  AlarmName: z.string(),
  AlarmDescription: z.string(),
  AlarmActions: z.array(z.unknown()),
  OKActions: z.array(z.unknown()),
  TreatMissingData: z.string(),
});

const getAtt = z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) });
const mappingSchema = z.object({
  FunctionName: z.object({ Ref: z.string() }),
  // A queue's stands in the same stack; that of a table does not.
  EventSourceArn: z.union([getAtt, z.object({ 'Fn::ImportValue': z.string() })]),
});

const { service } = synthesized('prod');
const alarms = service
  .ofType('AWS::CloudWatch::Alarm')
  .map(([, { Properties }]) => z.parse(alarmSchema, Properties));
/** What the runbook has for alarms, and the procedures that stand behind it. */
const [ofAlarms = '', procedures = ''] = readFileSync('infra/runbook.md', 'utf8').split('\n# Procedures\n');
const headingsIn = (part: string) => Array.from(part.matchAll(/^## (.+)$/gm), ([, heading]) => heading);
const headings = headingsIn(ofAlarms);
const headingOf = ({ AlarmDescription }: (typeof alarms)[number]) =>
  /^.+\. What to do: infra\/runbook\.md, "(.+)"\.$/.exec(AlarmDescription)?.[1];

test.each(alarms)(
  '$AlarmName says what it means, has a heading in the runbook and tells somebody',
  (alarm) => {
    expect(headings).toContain(headingOf(alarm));
    expect(alarm.AlarmActions).toEqual([{ Ref: expect.stringMatching(/^AlarmsTopic/) }]);
    expect(alarm.OKActions).toEqual(alarm.AlarmActions);
  },
);

test('every heading of the runbook belongs to an alarm or a procedure', () => {
  expect(new Set(alarms.map(headingOf))).toEqual(new Set(headings));
  expect(headingsIn(procedures)).toEqual(expect.arrayContaining(['Testing the alarms', 'Rolling back']));
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

/** Queues into which a rule puts events. */
const carried = service
  .ofType('AWS::Events::Rule')
  .flatMap(([, { Properties }]) =>
    z
      .parse(z.array(z.object({ Arn: getAtt })), Properties['Targets'])
      .map(({ Arn }) => named(Arn['Fn::GetAtt'][0], 'QueueName')),
  );

test('gateway, authorizer, functions, workers, publisher, rules, schedules, rotation, and tables have alarms', () => {
  const ofGroups = routeGroups.flatMap(({ name, routes }) => {
    const counts = Object.values(routes).some(({ rate }) => rate !== 'none');
    const streams = Object.values(routes).some(({ answer }) => 'all' in answer);
    return [
      ...['errors', 'invalid-responses', 'throttles'],
      ...(counts ? ['uncounted-requests'] : []),
      ...(streams ? ['too-large-responses'] : []),
    ].map((what) => `${name}-${what}`);
  });
  const ofWorkers = [...new Set(workers.map(({ name }) => name))].flatMap((name) =>
    ['dropped-invocations', 'errors', 'failed-messages', 'throttles'].map((what) => `${name}-${what}`),
  );
  const ofQueues = workers.flatMap(({ queue }) =>
    ['dead-messages', 'message-age'].map((what) => `${queue}-${what}`),
  );
  const ofStreams = consumers
    .filter(({ queue }) => queue === undefined)
    .flatMap(({ name }) =>
      [
        'dead-batches',
        'errors',
        'lag',
        'late-deferred-events',
        'late-events',
        'refused-events',
        'throttles',
        'unpublished-events',
        'unreadable-events',
      ].map((what) => `${name}-${what}`),
    );
  const ofTables = tables.flatMap(({ name }) => [`${name}-table-errors`, `${name}-table-throttles`]);
  expect(alarms.map(({ AlarmName }) => AlarmName.replace('insurance-compliance-prod-', '')).sort()).toEqual(
    [
      ...ofGroups,
      ...ofWorkers,
      ...ofQueues,
      ...ofStreams,
      ...carried.map((queue) => `${queue}-unrouted-events`),
      ...ofTables,
      'admin-errors',
      'admin-throttles',
      'authorizer-errors',
      'authorizer-latency',
      'authorizer-throttles',
      'denied-malware-scans',
      'failed-malware-scans',
      'files-with-malware',
      'gateway-faults',
      'not-found-errors',
      'not-found-throttles',
      'import-errors',
      'import-throttles',
      'registry-reconciliation-overdue-npns',
      'deliveries-unreadable',
      'link-redemption-errors',
      'link-redemption-throttles',
      ...['dead', 'dropped', 'failed'].map((what) => `schedules-${what}-calls`),
      'signing-secret-rotation-failed',
      'signing-secret-rotation-throttles',
    ].sort(),
  );
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

test('alarms sum the events that the stream missed and the bus refused, as the publisher logs them', () => {
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
