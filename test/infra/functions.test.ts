import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import * as z from 'zod/mini';
import { notFoundRoutes } from '../../functions/not-found/routes.ts';
import { uses } from '../../functions/policies/uses.ts';
import { plain } from '../../infra/constructs/binding.ts';
import { deployGradually } from '../../infra/constructs/gradual-deployments.ts';
import {
  ApiFunction,
  bundleFolderContext,
  ServiceFunction,
} from '../../infra/constructs/service-function.ts';
import { environments } from '../../infra/environments.ts';
import { apiFunctionUses, functionsOf } from '../../infra/function-uses.ts';
import type { FunctionUses } from '../../shared/domain/function-uses.ts';
import { declaredVariables, readVariables } from '../../shared/domain/variables.ts';
import { synthesized } from './synthesized.ts';

const { service } = synthesized('prod');
const inProd = functionsOf(environments.prod);

test.each([...inProd])('%s has the variables that it reads and no other', (name, uses) => {
  const variables = z.object({ Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }) });
  const deployed = service
    .ofType('AWS::Lambda::Function')
    .find(([, { Properties }]) => Properties['FunctionName'] === `insurance-compliance-prod-${name}`);
  const { Environment } = z.parse(variables, deployed?.[1].Properties);
  const declared = Object.values(declaredVariables(uses)).flat();
  expect(Object.keys(Environment.Variables).sort()).toEqual(
    // The first is for the runtime, which reads it before the function does.
    ['NODE_OPTIONS', ...declared.map(({ variable }) => variable)].sort(),
  );
});

test('no role has a managed policy, except those of API Gateway, for its logs, and of CodeDeploy', () => {
  const managed = service
    .ofType('AWS::IAM::Role')
    .filter(([, { Properties }]) => Properties['ManagedPolicyArns'] !== undefined)
    .map(([logicalId]) => logicalId);
  expect(managed).toEqual([
    expect.stringMatching(/^GatewayApiCloudWatchRole/),
    expect.stringMatching(/^DeploymentsRole/),
  ]);
});

const logging = z.object({ LoggingConfig: z.object({ LogGroup: z.object({ Ref: z.string() }) }) });

test('every function runs on Node 24 and arm64, with tracing and its own log with a retention period', () => {
  for (const [, { Properties }] of service.ofType('AWS::Lambda::Function')) {
    expect(Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      MemorySize: String(Properties['FunctionName']).endsWith('-webhook-delivery') ? 256 : 1024,
      Handler: 'index.handler',
      TracingConfig: { Mode: 'Active' },
      Environment: { Variables: { NODE_OPTIONS: '--enable-source-maps' } },
      LoggingConfig: { LogFormat: 'JSON', LogGroup: { Ref: expect.stringContaining('Logs') } },
    });
    const { LoggingConfig } = z.parse(logging, Properties);
    expect(service.all[LoggingConfig.LogGroup.Ref]?.Properties['LogGroupName']).toBe(
      `/aws/lambda/${Properties['FunctionName']}`,
    );
  }
  const retention = service
    .ofType('AWS::Logs::LogGroup')
    .map(([, { Properties }]) => Properties['RetentionInDays']);
  expect(new Set(retention)).toEqual(new Set([environments.prod.logRetention]));
});

test('only a function with a streamed list runs longer than the gateway waits', () => {
  const timeouts = new Map(
    service
      .ofType('AWS::Lambda::Function')
      .map(([, { Properties }]) => [Properties['FunctionName'], Properties['Timeout']]),
  );
  for (const { name, routes } of apiFunctionUses.filter((one) => inProd.has(one.name))) {
    const isStreamed = Object.values(routes.routes).some(({ answer }) => 'all' in answer);
    expect(timeouts.get(`insurance-compliance-prod-${name}`)).toBe(isStreamed ? 310 : 29);
  }
});

test('a missing bundle is refused with instructions', () => {
  const { dev: deployment } = environments;
  const stack = new Stack(new App({ context: { [bundleFolderContext]: '/nowhere' } }));
  const build = () =>
    new ServiceFunction(stack, 'policies', {
      deployment,
      uses: { timeoutSeconds: 1 },
      variables: {},
    });
  expect(build).toThrow(
    'No bundle of the function "policies" at /nowhere/policies: run "npm run build" first.',
  );
});

describe('a function with routes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'versions-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const templateSchema = z.object({
    Resources: z.record(
      z.string(),
      z.object({
        Type: z.string(),
        UpdatePolicy: z.optional(z.unknown()),
        Properties: z.optional(z.unknown()),
      }),
    ),
  });

  interface TemplateOptions {
    readonly code?: string;
    readonly responseCheck?: 'refuse' | 'report';
    readonly context?: Readonly<Record<string, string>>;
  }

  /** The template of a stack with such a function, which is deployed gradually. */
  function templateOf({
    code = 'export const handler = 1;',
    responseCheck = 'refuse',
    context = {},
  }: TemplateOptions = {}) {
    mkdirSync(join(folder, notFoundRoutes.name), { recursive: true });
    writeFileSync(join(folder, notFoundRoutes.name, 'index.mjs'), code);
    const app = new App({ context: { [bundleFolderContext]: folder, ...context } });
    const stack = new Stack(app, 'stack');
    const { prod } = environments;
    const { name, alias } = new ApiFunction(stack, notFoundRoutes, {
      deployment: prod,
      uses: { routes: notFoundRoutes },
      variables: { ENVIRONMENT: plain('prod'), RESPONSE_CHECK: plain(responseCheck) },
    });
    if (alias === undefined) throw new Error('The function has no alias.');
    deployGradually(new Construct(stack, 'Deployments'), {
      environment: prod,
      versions: [{ name, alias, alarms: [Alarm.fromAlarmName(stack, 'Own', 'own')] }],
      rollbackAlarms: [Alarm.fromAlarmName(stack, 'Canary', 'canary')],
    });
    const { Resources } = z.parse(templateSchema, app.synth().getStackByName('stack').template);
    const [versionId] = Object.keys(Resources).filter((id) => Resources[id]?.Type === 'AWS::Lambda::Version');
    const one = (type: string) => Object.values(Resources).find(({ Type }) => Type === type);
    return {
      versionId,
      policy: one('AWS::Lambda::Alias')?.UpdatePolicy,
      group: one('AWS::CodeDeploy::DeploymentGroup')?.Properties,
    };
  }

  test('has a new version for each change of its code or variables, and for nothing else', () => {
    const { versionId } = templateOf();
    expect(versionId).toBeDefined();
    expect(templateOf().versionId).toBe(versionId);
    expect(templateOf({ code: 'export const handler = 2;' }).versionId).not.toBe(versionId);
    expect(templateOf({ responseCheck: 'report' }).versionId).not.toBe(versionId);
  });

  test('is rolled back by its own alarms and by those of all functions', () => {
    expect(templateOf().group).toMatchObject({
      AlarmConfiguration: { Alarms: [{ Name: 'own' }, { Name: 'canary' }], Enabled: true },
    });
  });

  test('is deployed gradually, unless an operator asks for all at once', () => {
    expect(templateOf().policy).toHaveProperty('CodeDeployLambdaAliasUpdate');
    expect(templateOf({ context: { rollout: 'at-once' } }).policy).toBeUndefined();
    expect(() => templateOf({ context: { rollout: 'at once' } })).toThrow('can only be "at-once"');
  });
});

describe('the compiler checks what a function uses', () => {
  // None of these runs; `tsc` fails where an expected error is missing.
  const declarations: Record<string, () => unknown> = {
    complete: () => readVariables(uses).tables.policies,
    unknownIndex: () =>
      ({
        timeoutSeconds: 1,
        // @ts-expect-error: the table has no such index.
        tables: { policies: { query: ['by-premium'] } },
      }) satisfies FunctionUses,
    routesAndSchedules: () =>
      // @ts-expect-error: only the gateway invokes a function with routes.
      ({ routes: notFoundRoutes, schedules: { check: { everyMinutes: 5 } } }) satisfies FunctionUses,
    routesAndRotation: () =>
      // @ts-expect-error: as above.
      ({ routes: notFoundRoutes, rotates: true }) satisfies FunctionUses,
    routesAndFunctionUrl: () =>
      // @ts-expect-error: as above.
      ({ routes: notFoundRoutes, functionUrl: true }) satisfies FunctionUses,
    // @ts-expect-error: the function declares no table of agents.
    undeclaredTable: () => readVariables(uses).tables.agents,
    // @ts-expect-error: the function declares no setting.
    undeclaredSetting: () => readVariables(uses).values.SUPPORT_URL,
  };

  test.each(Object.keys(declarations))('%s', (name) => {
    expect(declarations[name]).toBeInstanceOf(Function);
  });
});
