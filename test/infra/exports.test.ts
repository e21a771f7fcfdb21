import * as z from 'zod/mini';
import { type EnvironmentName, environments } from '../../infra/environments.ts';
import { type Resources, stored, synthesized, wholeTemplates } from './synthesized.ts';

// CDK only ever adds the exports that are used. A template that is the same for a service stack that uses nothing and for
// today's is therefore the same for every release in between.
test.each(Object.keys(environments) as EnvironmentName[])(
  'the data stack of %s does not depend on what the others use of it',
  (environment) => {
    const alone = stored(`${environment}-data`);
    expect(wholeTemplates(environment).data).toEqual(alone);
    expect(JSON.stringify(alone)).toContain('"Export"');
  },
);

describe.each(Object.keys(environments) as EnvironmentName[])('the watch stack of %s', (environment) => {
  const { data, service, watch } = synthesized(environment);
  const exportsOf = ({ outputs }: Resources) =>
    Object.values(outputs).flatMap((one) => one.Export?.Name ?? []);

  // So no release of the service stack waits for it, or fails because it still uses something.
  it('imports nothing of the service stack, which exports nothing and does not import from it', () => {
    const imports = (stack: Resources): string[] =>
      Array.from(JSON.stringify(stack.all).matchAll(/"Fn::ImportValue":"([^"]+)"/g), ([, name = '']) => name);
    expect(imports(watch).length).toBeGreaterThan(0);
    expect(exportsOf(data)).toEqual(expect.arrayContaining([...imports(watch), ...imports(service)]));
    expect([exportsOf(service), exportsOf(watch)]).toEqual([[], []]);
  });

  it('filters and queries logs that the other stacks have', () => {
    const existing = service
      .ofType('AWS::Logs::LogGroup')
      .map(([, { Properties }]) => Properties['LogGroupName']);
    const filtered = watch
      .ofType('AWS::Logs::MetricFilter')
      .map(([, { Properties }]) => Properties['LogGroupName']);
    const queried = watch
      .ofType('AWS::Logs::QueryDefinition')
      .flatMap(([, { Properties }]) => z.parse(z.array(z.unknown()), Properties['LogGroupNames']))
      .filter((name) => !JSON.stringify(name).includes('audittrailLogs'));
    expect(filtered.length).toBeGreaterThan(20);
    expect(queried.length).toBeGreaterThan(20);
    expect([...filtered, ...queried].filter((name) => !existing.includes(name))).toEqual([]);
  });

  it('has metrics of functions, queues, rules, schedules, the gateway, and the firewall as the service stack names them', () => {
    const names = (type: string, property: string) =>
      service.ofType(type).map(([, { Properties }]) => String(Properties[property]));
    const firewalls = service
      .ofType('AWS::WAFv2::WebACL')
      .map(([, { Properties }]) =>
        String(z.parse(z.looseObject({ MetricName: z.string() }), Properties['VisibilityConfig']).MetricName),
      );
    const known: Readonly<Record<string, string[]>> = {
      FunctionName: names('AWS::Lambda::Function', 'FunctionName'),
      QueueName: names('AWS::SQS::Queue', 'QueueName'),
      EventBusName: names('AWS::Events::EventBus', 'Name'),
      RuleName: names('AWS::Events::Rule', 'Name'),
      ScheduleGroup: names('AWS::Scheduler::ScheduleGroup', 'Name'),
      ApiName: names('AWS::ApiGateway::RestApi', 'Name'),
      Stage: names('AWS::ApiGateway::Stage', 'StageName'),
      WebACL: firewalls,
    };
    // Dimensions of alarms, and those of the dashboard, whose body is a text.
    const text = JSON.stringify(watch.all).replaceAll('\\"', '"');
    for (const [dimension, values] of Object.entries(known)) {
      const pattern = new RegExp(`"(?:Name":")?${dimension}"(?:,"Value":|,)"([^"]+)"`, 'g');
      const named = new Set(Array.from(text.matchAll(pattern), ([, value]) => value));
      expect([dimension, [...named].sort()]).toEqual([dimension, [...new Set(values)].sort()]);
    }
  });
});
