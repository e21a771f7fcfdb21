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

const mappingSchema = z.object({
  FunctionName: z.object({ Ref: z.string() }),
  EventSourceArn: z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }),
});

const { service } = synthesized('prod');
const alarms = service
  .ofType('AWS::CloudWatch::Alarm')
  .map(([, { Properties }]) => z.parse(alarmSchema, Properties));
const headings = Array.from(
  readFileSync('infra/runbook.md', 'utf8').matchAll(/^## (.+)$/gm),
  ([, heading]) => heading,
);
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

test('every heading of the runbook belongs to an alarm', () => {
  expect(new Set(alarms.map(headingOf))).toEqual(new Set(headings));
});

/** Functions that work on a queue, with the queue's name, as the mappings say. */
const workers = service.ofType('AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => {
  const { FunctionName, EventSourceArn } = z.parse(mappingSchema, Properties);
  const named = (logicalId: string, property: string) =>
    String(service.all[logicalId]?.Properties[property]).replace('insurance-compliance-prod-', '');
  return {
    name: named(FunctionName.Ref, 'FunctionName'),
    queue: named(EventSourceArn['Fn::GetAtt'][0], 'QueueName'),
  };
});

test('gateway, authorizer, functions, workers, rotation and tables are watched', () => {
  const ofGroups = routeGroups.flatMap(({ name, routes }) => {
    const counts = Object.values(routes).some(({ rate }) => rate !== 'none');
    return ['broken-answers', 'errors', 'throttles', ...(counts ? ['uncounted-requests'] : [])].map(
      (what) => `${name}-${what}`,
    );
  });
  const ofWorkers = workers.flatMap(({ name, queue }) => [
    ...['errors', 'failed-messages', 'throttles'].map((what) => `${name}-${what}`),
    ...['dead-messages', 'message-age'].map((what) => `${queue}-${what}`),
  ]);
  const ofTables = tables.flatMap(({ name }) => [`${name}-table-errors`, `${name}-table-throttles`]);
  expect(alarms.map(({ AlarmName }) => AlarmName.replace('insurance-compliance-prod-', '')).sort()).toEqual(
    [
      ...ofGroups,
      ...ofWorkers,
      ...ofTables,
      'admin-errors',
      'admin-throttles',
      'authorizer-errors',
      'authorizer-latency',
      'authorizer-throttles',
      'gateway-faults',
      'signing-secret-rotation-failed',
      'signing-secret-rotation-throttles',
    ].sort(),
  );
});

test('an answer that breaks its schema is counted from the log line that the pipeline writes', () => {
  const filters = service
    .ofType('AWS::Logs::MetricFilter')
    .map(([, { Properties }]) => Properties['FilterPattern']);
  expect(filters).toContain('{ ($.event = "response_breaks_schema") && ($.level = "ERROR") }');
});
