import * as z from 'zod/mini';
import { deployedEnvironments } from '../../infra/environments.ts';
import { tableDesigns } from '../../shared/domain/tables.ts';
import { dashboardMetrics, widgetMetrics } from '../../shared/platform/aws/limits.ts';
import { logEvents } from '../../shared/platform/log/events.ts';
import { alarmSections } from './runbook-sections.ts';
import { type Resources, synthesized } from './synthesized.ts';

const part = z.union([
  z.string(),
  z.pipe(
    z.object({ Ref: z.string() }),
    z.transform(({ Ref }) => Ref),
  ),
  z.pipe(
    z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }),
    z.transform(({ 'Fn::GetAtt': [id] }) => id),
  ),
  z.pipe(
    z.object({ 'Fn::ImportValue': z.string() }),
    z.transform(({ 'Fn::ImportValue': name }) => name),
  ),
]);
const body = z.object({ DashboardBody: z.object({ 'Fn::Join': z.tuple([z.literal(''), z.array(part)]) }) });
const widgets = z.object({
  widgets: z.array(
    z.object({
      type: z.string(),
      y: z.number(),
      properties: z.object({
        title: z.optional(z.string()),
        markdown: z.optional(z.string()),
        metrics: z._default(z.array(z.array(z.unknown())), []),
        alarms: z._default(z.array(z.string()), []),
      }),
    }),
  ),
});

/** The widgets of the one dashboard of a stack; whatever refers to a resource has its logical id. */
function widgetsOf({ ofType }: Resources) {
  const dashboards = ofType('AWS::CloudWatch::Dashboard');
  expect(dashboards).toHaveLength(1);
  const parts = z.parse(body, dashboards[0]?.[1].Properties).DashboardBody['Fn::Join'][1];
  return z.parse(widgets, JSON.parse(parts.join(''))).widgets.map(({ type, y, properties }) => ({
    type,
    y,
    ...properties,
  }));
}

const { service, watch } = synthesized('prod');
const all = widgetsOf(watch);
const withTitle = (start: string) => {
  const found = all.find(({ title }) => title?.startsWith(start));
  expect(found).toBeDefined();
  return JSON.stringify(found?.metrics);
};

test('the top says whose fault it is, and how to read it', () => {
  const [first] = all;
  expect(first?.markdown).toMatch(/^# Is it us, the registry, or a receiver\?/);
  const graphs = all.filter(({ type }) => type === 'metric').slice(0, 4);
  const titles = graphs.map(({ title }) => title?.split(':')[0]);
  expect(titles).toEqual(['Us', 'From outside', 'The registry', 'Receivers']);
  expect(new Set(graphs.map(({ y }) => y)).size).toBe(1);
});

test('what pages is at the top', () => {
  const status = all.find(({ type }) => type === 'alarm');
  const pages = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm'].flatMap((type) =>
    watch
      .ofType(type)
      .filter(([, { Properties }]) => JSON.stringify(Properties['AlarmActions'] ?? '').includes('-pages"'))
      .map(([id]) => id),
  );
  expect([...(status?.alarms ?? [])].sort()).toEqual(pages.sort());
});

test.each([
  'Errors',
  'Throttles',
  'Executions at once',
  'Duration',
  'Milliseconds of functions',
  'Bytes of functions’ logs',
])('%s: every function is in it', (title) => {
  const metrics = withTitle(title);
  const names = service
    .ofType('AWS::Lambda::Function')
    .map(([, { Properties }]) => Properties['FunctionName']);
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) {
    expect(metrics).toContain(`"label":"${String(name).replace('insurance-compliance-prod-', '')}"`);
  }
});

test('every queue and dead-letter queue is in it, with its age or its messages', () => {
  const shown = ['Age of the oldest', 'Messages that wait', 'Dead letters'].map(withTitle).join();
  for (const [, { Properties }] of service.ofType('AWS::SQS::Queue')) {
    expect(shown).toContain(`"${Properties['QueueName']}"`);
  }
});

test.each(['Throttled requests', 'Requests with a 5xx of DynamoDB', 'Write units', 'Read units'])(
  '%s: every table is in it',
  (title) => {
    const metrics = withTitle(title);
    for (const { name } of tableDesigns) expect(metrics).toContain(`"label":"${name}"`);
  },
);

test('its titles name sections of the runbook, and every section that has no alarm is named', () => {
  const named = all.flatMap(({ title = '' }) => /\(runbook: (.+)\)$/.exec(title)?.[1]?.split(', ') ?? []);
  expect(alarmSections.map(({ heading }) => heading)).toEqual(expect.arrayContaining(named));
  const unalarmed = alarmSections.filter(({ severities }) => severities.includes('dashboard'));
  expect(unalarmed.length).toBeGreaterThan(2);
  expect(named).toEqual(expect.arrayContaining(unalarmed.map(({ heading }) => heading)));
});

test('metrics of logs are those that a filter publishes, of events that functions log', () => {
  const filters = [service, watch].flatMap(({ ofType }) => ofType('AWS::Logs::MetricFilter'));
  const published = filters.map(([, { Properties }]) => {
    const pattern = JSON.stringify(Properties['FilterPattern']);
    const events = Array.from(pattern.matchAll(/\$\.event = \\"(\w+)/g), ([, event]) => event);
    expect(events).not.toEqual([]);
    expect(Object.keys(logEvents)).toEqual(expect.arrayContaining(events));
    const [{ MetricName }] = z.parse(
      z.tuple([z.object({ MetricName: z.string() })]),
      Properties['MetricTransformations'],
    );
    return { MetricName, events };
  });
  const shown = all
    .flatMap(({ metrics }) => metrics)
    .filter(([namespace]) => namespace === 'insurance-compliance-prod-functions');
  expect(shown.length).toBeGreaterThan(5);
  for (const [, name, dimension, value] of shown) {
    const publishing = published.filter(({ MetricName }) => MetricName === name);
    expect(publishing).not.toEqual([]);
    if (dimension === 'Event') {
      expect(publishing.flatMap(({ events }) => events)).toContain(value);
    }
  }
});

test.each(deployedEnvironments)('%s: AWS accepts the number of its metrics', (name) => {
  const counts = widgetsOf(synthesized(name).watch).map(({ metrics }) => metrics.length);
  expect(Math.max(...counts)).toBeLessThanOrEqual(widgetMetrics);
  expect(counts.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(dashboardMetrics);
});
