import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { synthesized } from './synthesized.ts';

const alarmSchema = z.object({
  AlarmName: z.string(),
  AlarmDescription: z.string(),
  AlarmActions: z.array(z.unknown()),
  OKActions: z.array(z.unknown()),
  TreatMissingData: z.string(),
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

test('gateway, authorizer, functions, rotation and tables are watched', () => {
  expect(alarms.map(({ AlarmName }) => AlarmName.replace('insurance-compliance-prod-', '')).sort()).toEqual([
    'admin-errors',
    'admin-throttles',
    'auth-broken-answers',
    'auth-errors',
    'auth-throttles',
    'auth-uncounted-requests',
    'authorizer-errors',
    'authorizer-latency',
    'authorizer-throttles',
    'gateway-faults',
    'idempotency-table-errors',
    'idempotency-table-throttles',
    'organizations-table-errors',
    'organizations-table-throttles',
    'policies-broken-answers',
    'policies-errors',
    'policies-table-errors',
    'policies-table-throttles',
    'policies-throttles',
    'rate-counters-table-errors',
    'rate-counters-table-throttles',
    'signing-secret-rotation-failed',
    'signing-secret-rotation-throttles',
  ]);
});

test('an answer that breaks its schema is counted from the log line that the pipeline writes', () => {
  const filters = service
    .ofType('AWS::Logs::MetricFilter')
    .map(([, { Properties }]) => Properties['FilterPattern']);
  expect(filters).toContain('{ ($.event = "response_breaks_schema") && ($.level = "ERROR") }');
});
