import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Duration, Stack } from 'aws-cdk-lib';
import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import * as z from 'zod/mini';
import { adminEnvironment } from '../../functions/admin/environment.ts';
import { canaryEnvironment } from '../../functions/canary/environment.ts';
import { canaryReceiverEnvironment } from '../../functions/canary-receiver/environment.ts';
import { complianceChangesEnvironment } from '../../functions/compliance-changes/environment.ts';
import { eventPublisherEnvironment } from '../../functions/event-publisher/environment.ts';
import { importEnvironment } from '../../functions/import/environment.ts';
import { indexLagEnvironment } from '../../functions/index-lag/environment.ts';
import { licenseSweepEnvironment } from '../../functions/license-sweep/environment.ts';
import { linkRedemptionEnvironment } from '../../functions/link-redemption/environment.ts';
import { notFoundEnvironment } from '../../functions/not-found/environment.ts';
import { notFoundRoutes } from '../../functions/not-found/routes.ts';
import { policiesEnvironment } from '../../functions/policies/environment.ts';
import { registryReconciliationEnvironment } from '../../functions/registry-reconciliation/environment.ts';
import { registrySyncEnvironment } from '../../functions/registry-sync/environment.ts';
import { signingSecretRotationEnvironment } from '../../functions/signing-secret-rotation/environment.ts';
import { webhookDeliveryEnvironment } from '../../functions/webhook-delivery/environment.ts';
import { webhookFanoutEnvironment } from '../../functions/webhook-fanout/environment.ts';
import { ApiFunction } from '../../infra/constructs/api-function.ts';
import { plain } from '../../infra/constructs/binding.ts';
import { GradualDeployments } from '../../infra/constructs/gradual-deployments.ts';
import { bundleFolderContext, ServiceFunction } from '../../infra/constructs/service-function.ts';
import { environments } from '../../infra/environments.ts';
import { requestEnvironments } from '../support/start-environment.ts';
import { synthesized } from './synthesized.ts';

const { service } = synthesized('prod');

const environmentSchemas = {
  ...requestEnvironments,
  admin: adminEnvironment,
  canary: canaryEnvironment,
  'canary-receiver': canaryReceiverEnvironment,
  import: importEnvironment,
  'index-lag': indexLagEnvironment,
  'link-redemption': linkRedemptionEnvironment,
  'registry-sync': registrySyncEnvironment,
  'event-publisher': eventPublisherEnvironment,
  'webhook-fanout': webhookFanoutEnvironment,
  'webhook-delivery': webhookDeliveryEnvironment,
  'compliance-changes': complianceChangesEnvironment,
  'license-sweep': licenseSweepEnvironment,
  'registry-reconciliation': registryReconciliationEnvironment,
  'signing-secret-rotation': signingSecretRotationEnvironment,
};

// The compiler sees a missing one; one too many can hide from it in a spread literal.
test.each(Object.entries(environmentSchemas))(
  '%s has the variables of its schema and no other',
  (name, schema) => {
    const variables = z.object({ Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }) });
    const deployed = service
      .ofType('AWS::Lambda::Function')
      .find(([, { Properties }]) => Properties['FunctionName'] === `insurance-compliance-prod-${name}`);
    const { Environment } = z.parse(variables, deployed?.[1].Properties);
    // NODE_OPTIONS is for the runtime, which reads it before the function does.
    expect(Object.keys(Environment.Variables).sort()).toEqual(
      ['NODE_OPTIONS', ...Object.keys(schema.shape)].sort(),
    );
  },
);

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
  }
  const retention = service
    .ofType('AWS::Logs::LogGroup')
    .map(([, { Properties }]) => Properties['RetentionInDays']);
  expect(new Set(retention)).toEqual(new Set([environments.prod.logRetention]));
});

test('only a function with a streamed list runs longer than the gateway waits', () => {
  const timeouts = service
    .ofType('AWS::Lambda::Function')
    .map(([, { Properties }]) => [Properties['FunctionName'], Properties['Timeout']]);
  expect(Object.fromEntries(timeouts)).toEqual({
    'insurance-compliance-prod-authorizer': 5,
    'insurance-compliance-prod-auth': 29,
    'insurance-compliance-prod-not-found': 29,
    'insurance-compliance-prod-policies': 310,
    'insurance-compliance-prod-carriers': 29,
    'insurance-compliance-prod-contacts': 310,
    'insurance-compliance-prod-downstream-entity-associations': 310,
    'insurance-compliance-prod-file-documents': 29,
    'insurance-compliance-prod-surplus-lines-filings': 310,
    'insurance-compliance-prod-agents': 310,
    'insurance-compliance-prod-compliance': 310,
    'insurance-compliance-prod-webhooks': 310,
    'insurance-compliance-prod-agency': 29,
    'insurance-compliance-prod-admin': 300,
    'insurance-compliance-prod-import': 300,
    'insurance-compliance-prod-canary': 120,
    'insurance-compliance-prod-canary-receiver': 5,
    'insurance-compliance-prod-index-lag': 30,
    'insurance-compliance-prod-link-redemption': 29,
    'insurance-compliance-prod-registry-sync': 60,
    'insurance-compliance-prod-event-publisher': 300,
    'insurance-compliance-prod-webhook-fanout': 30,
    'insurance-compliance-prod-webhook-delivery': 75,
    'insurance-compliance-prod-compliance-changes': 60,
    'insurance-compliance-prod-license-sweep': 300,
    'insurance-compliance-prod-registry-reconciliation': 300,
    'insurance-compliance-prod-signing-secret-rotation': 30,
  });
});

test('a missing bundle is refused with instructions', () => {
  const { dev: deployment } = environments;
  const stack = new Stack(new App({ context: { [bundleFolderContext]: '/nowhere' } }));
  const build = () =>
    new ServiceFunction(stack, 'policies', {
      deployment,
      timeout: Duration.seconds(1),
      environment: z.object({}),
      uses: {},
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
      environment: notFoundEnvironment,
      uses: { ENVIRONMENT: plain('prod'), RESPONSE_CHECK: plain(responseCheck) },
    });
    if (alias === undefined) throw new Error('The function has no alias.');
    new GradualDeployments(stack, 'Deployments', {
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

describe('the compiler checks variables', () => {
  const rest = {
    deployment: environments.dev,
    timeout: Duration.seconds(1),
    environment: policiesEnvironment,
  };
  const ENVIRONMENT = plain('dev');
  const RESPONSE_CHECK = plain('refuse');
  const POLICIES_TABLE = plain('policies');

  // None of these runs; `tsc` fails where an expected error is missing.
  const declarations: Record<string, (scope: Construct) => ServiceFunction<typeof policiesEnvironment>> = {
    complete: (scope) =>
      new ServiceFunction(scope, 'policies', {
        ...rest,
        uses: { ENVIRONMENT, RESPONSE_CHECK, POLICIES_TABLE },
      }),
    missing: (scope) =>
      new ServiceFunction(scope, 'policies', {
        ...rest,
        // @ts-expect-error: POLICIES_TABLE is missing.
        uses: { ENVIRONMENT, RESPONSE_CHECK },
      }),
    leftOver: (scope) =>
      new ServiceFunction(scope, 'policies', {
        ...rest,
        // @ts-expect-error: the function reads no QUEUE.
        uses: { ENVIRONMENT, RESPONSE_CHECK, POLICIES_TABLE, QUEUE: plain('queue') },
      }),
    misspelt: (scope) =>
      new ServiceFunction(scope, 'policies', {
        ...rest,
        // @ts-expect-error: the schema admits `refuse` and `report`.
        uses: { ENVIRONMENT, RESPONSE_CHECK: plain('refused'), POLICIES_TABLE },
      }),
  };

  test.each(Object.keys(declarations))('%s', (name) => {
    expect(declarations[name]).toBeInstanceOf(Function);
  });
});
