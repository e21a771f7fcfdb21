import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { tableDesigns } from '#domain/tables.ts';
import {
  dashboardMetrics,
  firewallLogPrefix,
  queryLength,
  queryLogGroups,
  widgetMetrics,
} from '#platform/aws/limits.ts';
import { logEvents } from '#platform/log/log.ts';
import { deployedEnvironments, environments } from '../../infra/environments.ts';
import { savedQueries } from '../../infra/watch/queries.ts';
import { alarmSections, procedures } from './runbook-sections.ts';
import { type Resources, synthesized } from './synthesized.ts';

describe('dashboard', () => {
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

  test.each(deployedEnvironments)('%s: AWS accepts the number of its metrics', (name) => {
    const counts = widgetsOf(synthesized(name).watch).map(({ metrics }) => metrics.length);
    expect(Math.max(...counts)).toBeLessThanOrEqual(widgetMetrics);
    expect(counts.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(dashboardMetrics);
  });
});

describe('saved queries', () => {
  const runbook = readFileSync('infra/runbook.md', 'utf8');
  const { watch } = synthesized('prod');

  const sections = [...alarmSections, ...procedures];

  /** First groups of all matches. */
  const found = (pattern: RegExp, text: string): string[] =>
    Array.from(text.matchAll(pattern), ([, group = '']) => group);

  /** Names in the runbook that begin with a section's heading: `"Dead messages: why"`. */
  const referred = found(/"([A-Z][^":]+: [^"]+)"/g, runbook).filter((name) =>
    ['Requests', ...sections.map(({ heading }) => heading)].includes(name.split(':')[0] ?? ''),
  );

  test('the runbook refers to every saved query, and to no other', () => {
    expect(new Set(referred)).toEqual(new Set(savedQueries.map(({ name }) => name)));
  });

  const definition = z.object({
    Name: z.string(),
    QueryString: z.string(),
    LogGroupNames: z.array(
      // Only the name of the trail's log group is generated.
      z.union([z.string(), z.object({ 'Fn::ImportValue': z.string().check(z.regex(/audittrailLogs/)) })]),
    ),
  });
  const definitions = watch
    .ofType('AWS::Logs::QueryDefinition')
    .map(([, { Properties }]) => z.parse(definition, Properties));

  test('every query is saved under its name, with logs to query', () => {
    expect(definitions.map(({ Name }) => Name).sort()).toEqual(
      savedQueries.map(({ name }) => `insurance-compliance-prod-runbook/${name.replace(': ', '/')}`).sort(),
    );
    for (const { Name, QueryString, LogGroupNames } of definitions) {
      // https://registry.terraform.io/providers/hashicorp/aws/latest/docs/resources/cloudwatch_query_definition
      expect(Name).not.toMatch(/[:*]/);
      expect(QueryString.length).toBeLessThanOrEqual(queryLength);
      expect(LogGroupNames.length).toBeGreaterThan(0);
      expect(LogGroupNames.length).toBeLessThanOrEqual(queryLogGroups);
    }
  });

  test('an environment without a firewall has no query of its log', () => {
    const names = synthesized('dev').watch.ofType('AWS::Logs::QueryDefinition');
    expect(names).toHaveLength(savedQueries.filter(({ logs }) => !logs.includes('firewall')).length);
  });

  test.each(savedQueries)('$name filters by events that functions log', ({ commands }) => {
    const text = commands.join('\n');
    const lists = found(/\bevent in \[([^\]]*)\]/g, text).join();
    const events = [...found(/\bevent = "([^"]*)"/g, text), ...found(/"([^"]*)"/g, lists)];
    expect(Object.keys(logEvents)).toEqual(expect.arrayContaining(events));
  });
});

describe('request logs', () => {
  const { service } = synthesized('prod');

  const stage = z.object({ AccessLogSetting: z.object({ Format: z.string() }) });

  describe('the access log', () => {
    const [[, { Properties }] = ['', { Properties: {} }]] = service.ofType('AWS::ApiGateway::Stage');
    const format = z.parse(
      z.record(z.string(), z.string()),
      JSON.parse(z.parse(stage, Properties).AccessLogSetting.Format),
    );

    it('says whose request it was, and what the authorizer decided', () => {
      expect(format).toMatchObject({
        organizationId: '$context.authorizer.organizationId',
        credentialId: '$context.authorizer.credentialId',
        refusal: '$context.authorizer.errorType',
        authorizerStatus: '$context.authorizer.status',
        userAgent: '$context.identity.userAgent',
      });
    });

    // Only callers choose it, and API Gateway documents no escaping.
    it('has the user agent at the end of a line', () => {
      expect(Object.keys(format).at(-1)).toBe('userAgent');
    });

    it('has no query string, body, or header with a credential', () => {
      expect(JSON.stringify(format)).not.toMatch(
        /authorization|requestOverride|\$context\.path\b|\$input|apiKey/i,
      );
    });
  });

  // API Gateway would create the group itself, and nothing in it would ever expire.
  it('API Gateway’s own log of executions expires as the others do, and is there before the stage', () => {
    const [[, found] = ['', undefined]] = service.ofType('AWS::ApiGateway::Stage');
    const [[id, group] = ['', undefined]] = service
      .ofType('AWS::Logs::LogGroup')
      .filter(([, { Properties }]) => JSON.stringify(Properties).includes('API-Gateway-Execution-Logs_'));
    const [[apiId] = ['']] = service.ofType('AWS::ApiGateway::RestApi');
    expect(group?.Properties).toMatchObject({
      LogGroupName: { 'Fn::Join': ['', ['API-Gateway-Execution-Logs_', { Ref: apiId }, '/prod']] },
      RetentionInDays: environments.prod.logRetention,
    });
    expect(found?.DependsOn).toContain(id);
  });

  const logging = z.object({
    LogDestinationConfigs: z.tuple([z.unknown()]),
    LoggingFilter: z.unknown(),
    RedactedFields: z.unknown(),
    ResourceArn: z.unknown(),
  });

  describe.each(deployedEnvironments.filter((name) => environments[name].firewall))(
    'the firewall of %s',
    (name) => {
      const stacks = synthesized(name);
      const [[, { Properties }] = ['', { Properties: {} }]] = stacks.service.ofType(
        'AWS::WAFv2::LoggingConfiguration',
      );
      const { LogDestinationConfigs, LoggingFilter, RedactedFields, ResourceArn } = z.parse(
        logging,
        Properties,
      );
      const [logs] = stacks.service
        .ofType('AWS::Logs::LogGroup')
        .filter(([, group]) =>
          JSON.stringify(group.Properties['LogGroupName'] ?? '').includes(`"${firewallLogPrefix}`),
        );
      const logsId = logs?.[0];

      it('logs what it blocks, and nothing else', () => {
        const [aclId] = stacks.service.ofType('AWS::WAFv2::WebACL').map(([id]) => id);
        expect(ResourceArn).toEqual({ 'Fn::GetAtt': [aclId, 'Arn'] });
        expect(LoggingFilter).toEqual({
          DefaultBehavior: 'DROP',
          Filters: [
            {
              Behavior: 'KEEP',
              Requirement: 'MEETS_ANY',
              Conditions: [{ ActionCondition: { Action: 'BLOCK' } }],
            },
          ],
        });
      });

      it('logs no credential and no query string', () => {
        expect(RedactedFields).toEqual([
          ...['authorization', 'x-restricted-access-token'].map((Name) => ({ SingleHeader: { Name } })),
          { QueryString: {} },
        ]);
      });

      it('writes to a log group that WAF accepts, which is kept as long as the others', () => {
        expect(logs?.[1].Properties['RetentionInDays']).toBe(environments[name].logRetention);
        const destination = JSON.stringify(LogDestinationConfigs);
        expect(destination).toContain(`:log-group:",{"Ref":"${logsId}"}]`);
        const policies = JSON.stringify(stacks.service.ofType('AWS::Logs::ResourcePolicy'));
        expect(policies).toContain('delivery.logs.amazonaws.com');
        expect(policies).toContain(logsId);
      });
    },
  );
});
