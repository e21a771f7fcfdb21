import { runInNewContext } from 'node:vm';
import * as z from 'zod/mini';
import { deploymentAlarms } from '#platform/aws/limits.ts';
import { routeClass } from '#platform/contract/route.ts';
import { environments } from '../../infra/environments.ts';
import { routeGroupsOf, slowAboveMs } from '../../infra/function-uses.ts';
import { invoked } from './invoked.ts';
import { isFound, plainText } from './log-filters.ts';
import { synthesized } from './synthesized.ts';

describe('gradual deployment', () => {
  const ref = z.object({ Ref: z.string() });
  const getAtt = z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) });
  const aliasProperties = z.strictObject({
    FunctionName: ref,
    FunctionVersion: getAtt,
    Name: z.literal('live'),
  });
  const groupProperties = z.object({
    DeploymentGroupName: z.string(),
    DeploymentConfigName: z.string(),
    AlarmConfiguration: z.object({ Alarms: z.array(z.object({ Name: ref })), Enabled: z.boolean() }),
    AutoRollbackConfiguration: z.object({ Enabled: z.boolean(), Events: z.array(z.string()) }),
  });
  const updatePolicy = z.object({
    CodeDeployLambdaAliasUpdate: z.object({ ApplicationName: ref, DeploymentGroupName: ref }),
  });
  const metric = z.object({
    Dimensions: z.optional(z.array(z.object({ Name: z.string(), Value: z.unknown() }))),
  });

  const ofQueues = [
    ...['event-publisher', 'imported-event-publisher', 'registry-sync', 'webhook-fanout', 'webhook-delivery'],
    ...['agency-moves', 'compliance-changes', 'license-sweep', 'registry-reconciliation'],
  ];

  describe.each(['sandbox', 'prod'] as const)('%s', (environment) => {
    const { service } = synthesized(environment);
    const ofApi = [...routeGroupsOf(environments[environment]).map(({ name }) => name), 'not-found'];
    const ofSandbox = environments[environment].sandbox ? ['sandbox-nightly-run'] : [];
    const aliases = service.ofType('AWS::Lambda::Alias').map(([id, { Properties, ...rest }]) => {
      const { called, functionId } = invoked(service, { Ref: id });
      const version = z.parse(aliasProperties, Properties).FunctionVersion['Fn::GetAtt'];
      return { id, name: called.replace(':live', ''), functionId, version, ...rest };
    });
    const gradual = aliases.filter(({ UpdatePolicy }) => UpdatePolicy !== undefined);
    const groups = service.ofType('AWS::CodeDeploy::DeploymentGroup');

    /** What makes metrics of a function's log for the alarms on its new version. */
    const filtersOf = (name: string) =>
      service
        .ofType('AWS::Logs::MetricFilter')
        .filter(([, { Properties }]) => JSON.stringify(Properties).includes(`"${name}-new-version-`));

    it('has an alias for the authorizer and each function of a route group or a queue, and for no other', () => {
      const expected = ['authorizer', ...ofApi, ...ofQueues, ...ofSandbox];
      expect(aliases.map(({ name }) => name).sort()).toEqual(expected.sort());
    });

    it('deploys the functions of route groups gradually, and the authorizer and all others at once', () => {
      expect(gradual.map(({ name }) => name).sort()).toEqual([...ofApi].sort());
      expect(groups).toHaveLength(gradual.length);
    });

    it.each(aliases)(
      '$name: its alias names a version of its own, and older ones are kept',
      ({ functionId, version }) => {
        const [versionId, attribute] = version;
        expect(attribute).toBe('Version');
        expect(service.all[versionId]).toMatchObject({
          Type: 'AWS::Lambda::Version',
          Properties: { FunctionName: { Ref: functionId } },
          // But one whose deployment was rolled back is deleted: Lambda would refuse to publish the same code again.
          DeletionPolicy: 'RetainExceptOnCreate',
        });
      },
    );

    it.each(gradual)('$name: its new version gets a tenth of the requests, and is rolled back', (alias) => {
      const { DeploymentGroupName } = z.parse(updatePolicy, alias.UpdatePolicy).CodeDeployLambdaAliasUpdate;
      const group = z.parse(groupProperties, service.all[DeploymentGroupName.Ref]?.Properties);
      expect(group).toMatchObject({
        DeploymentGroupName: `insurance-compliance-${environment}-${alias.name}`,
        DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
        },
      });
      const { Alarms, Enabled } = group.AlarmConfiguration;
      expect(Enabled).toBe(true);
      expect(Alarms.length).toBeLessThanOrEqual(deploymentAlarms);
      const watching = Alarms.map(({ Name }) => service.all[Name.Ref]?.Properties['AlarmName']);
      const own = ['faults', 'latency'].map((what) => `${alias.name}-new-version-${what}`);
      // The authorizer and the gateway are no new version of a function behind an alias that CodeDeploy moves.
      const ofAll = ['canary-run-failed', 'release-faults'];
      expect(watching.sort()).toEqual(
        [...own, ...ofAll].map((name) => `insurance-compliance-${environment}-${name}`).sort(),
      );
    });

    // Errors of the version before would refuse the version that fixes them.
    it.each(gradual)(
      '$name: its own alarms are on the new version alone',
      ({ name, functionId, version }) => {
        const own = service
          .ofType('AWS::CloudWatch::Alarm')
          .map(([, { Properties }]) => Properties)
          .filter(({ AlarmName }) => String(AlarmName).includes(`-${environment}-${name}-new-version-`));
        expect(own).toHaveLength(2);
        const metrics = own.flatMap(({ Metrics, ...plainMetric }) =>
          Metrics === undefined
            ? [plainMetric]
            : z
                .parse(
                  z.array(z.object({ MetricStat: z.optional(z.object({ Metric: z.unknown() })) })),
                  Metrics,
                )
                .flatMap(({ MetricStat }) => (MetricStat === undefined ? [] : [MetricStat.Metric])),
        );
        const ofLambda = metrics
          .map((one) => z.parse(metric, one).Dimensions)
          .filter((some) => some !== undefined);
        const filters = filtersOf(name);
        // Metrics of Lambda and of the function's log.
        expect(ofLambda.length + filters.length).toBe(4);
        for (const dimensions of ofLambda) {
          expect(dimensions).toEqual([
            { Name: 'ExecutedVersion', Value: { 'Fn::GetAtt': version } },
            { Name: 'FunctionName', Value: { Ref: functionId } },
            { Name: 'Resource', Value: { 'Fn::Join': ['', [{ Ref: functionId }, ':live']] } },
          ]);
        }
        for (const [, { Properties }] of filters) {
          expect(JSON.stringify(Properties['FilterPattern'])).toContain(
            JSON.stringify({ 'Fn::GetAtt': version }),
          );
        }
      },
    );

    it.each(gradual)(
      '$name: the authorizer and the alarms come before its new version',
      ({ name, UpdatePolicy, DependsOn }) => {
        const { DeploymentGroupName } = z.parse(updatePolicy, UpdatePolicy).CodeDeployLambdaAliasUpdate;
        const authorizer = aliases.find((one) => one.name === 'authorizer')?.id;
        const filters = filtersOf(name).map(([id]) => id);
        expect(filters).not.toEqual([]);
        expect(DependsOn).toEqual(expect.arrayContaining([authorizer, DeploymentGroupName.Ref, ...filters]));
      },
    );

    it('moves them in three waves of as many functions, each after the one before', () => {
      const ids = gradual.map(({ id }) => id);
      const waveOf = (id: string): number => {
        const earlier = (service.all[id]?.DependsOn ?? []).filter((other) => ids.includes(other));
        return 1 + Math.max(0, ...earlier.map(waveOf));
      };
      const waves = [1, 2, 3].map((wave) => ids.filter((id) => waveOf(id) === wave));
      expect(waves.flat()).toHaveLength(ids.length);
      for (const [index, wave] of waves.entries()) {
        expect(wave.length).toBeLessThanOrEqual(Math.ceil(ids.length / 3));
        for (const id of wave) {
          expect(service.all[id]?.DependsOn).toEqual(expect.arrayContaining(waves[index - 1] ?? []));
        }
      }
    });

    it('keeps the routes of former releases, so that the stage can be pointed at them', () => {
      const deployments = service.ofType('AWS::ApiGateway::Deployment');
      expect(deployments.map(([, { DeletionPolicy }]) => DeletionPolicy)).toEqual(['Retain']);
    });

    it('changes the gateway’s routes after every new version serves, and may be called', () => {
      const deployments = service.ofType('AWS::ApiGateway::Deployment');
      const permissions = service
        .ofType('AWS::Lambda::Permission')
        .filter(([, { Properties }]) => Properties['Principal'] === 'apigateway.amazonaws.com');
      expect(deployments.map(([, { DependsOn }]) => [...(DependsOn ?? [])].sort())).toEqual([
        [...gradual.map(({ id }) => id), ...permissions.map(([id]) => id)].sort(),
      ]);
    });

    // Only CloudFormation would notice, and refuse the whole release: versions, alarms, aliases, and routes wait for each other.
    it('has no resource that waits for itself', () => {
      const waits = new Map(
        Object.entries(service.all).map(([id, resource]) => {
          const text = JSON.stringify(resource);
          const named = Array.from(
            text.matchAll(/"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/g),
            ([, reference = '']) => reference,
          );
          return [id, new Set([...named, ...(resource.DependsOn ?? [])].filter((one) => one in service.all))];
        }),
      );
      // One after the other, as CloudFormation does: whatever waits for nothing that is left.
      for (let ready: string[] = ['']; ready.length > 0; ) {
        ready = Array.from(waits.keys()).filter((id) =>
          Array.from(waits.get(id) ?? []).every((other) => other === id || !waits.has(other)),
        );
        for (const id of ready) waits.delete(id);
      }
      expect(Array.from(waits.keys())).toEqual([]);
    });

    it('keeps the failed calls of an alias by its settings, not those of the function', () => {
      const settled = service.ofType('AWS::Lambda::EventInvokeConfig').map(([, { Properties }]) => {
        const { called } = invoked(service, Properties['FunctionName']);
        return [called, Properties['Qualifier']];
      });
      const withAlias = new Set(aliases.map(({ name }) => name));
      expect(settled).toEqual(
        settled.map(([name]) => [name, withAlias.has(String(name)) ? 'live' : '$LATEST']),
      );
    });
  });

  test('dev deploys at once: no versions, no aliases', () => {
    const { service } = synthesized('dev');
    const types = Object.values(service.all).map(({ Type }) => Type);
    expect(types.filter((type) => /CodeDeploy|Lambda::(Version|Alias)/.test(type))).toEqual([]);
  });
});

describe('rollback alarms', () => {
  // CloudWatch judges an alarm every minute by what has arrived until then.

  const { service } = synthesized('prod');
  const routeGroups = routeGroupsOf(environments.prod);

  const alarm = z.object({
    EvaluationPeriods: z.number(),
    DatapointsToAlarm: z.optional(z.number()),
    Threshold: z.number(),
    Period: z.optional(z.number()),
    MetricName: z.optional(z.string()),
    ExtendedStatistic: z.optional(z.string()),
    Metrics: z._default(
      z.array(
        z.object({
          Id: z.string(),
          Expression: z.optional(z.string()),
          MetricStat: z.optional(z.object({ Period: z.number() })),
        }),
      ),
      [],
    ),
  });

  function alarmOf(name: string) {
    const [found] = service
      .ofType('AWS::CloudWatch::Alarm')
      .filter(([, { Properties }]) => Properties['AlarmName'] === `insurance-compliance-prod-${name}`);
    const { Metrics, Period, ...rest } = z.parse(alarm, found?.[1].Properties);
    const metrics = Metrics.flatMap(({ Id, MetricStat }) => (MetricStat ? [{ Id, ...MetricStat }] : []));
    const { Expression = 'metric' } = Metrics.find((one) => one.Expression !== undefined) ?? {};
    return { ...rest, Expression, metrics: metrics.length > 0 ? metrics : [{ Id: 'metric', Period }] };
  }

  /** Whether a minute with these values is above the threshold. Ours are expressions of JavaScript too. */
  function isAbove(name: string, values: Readonly<Record<string, number>>): boolean {
    const { Expression, Threshold, metrics } = alarmOf(name);
    expect(metrics.map(({ Period }) => Period)).toEqual(metrics.map(() => 60));
    expect(Object.keys(values).sort()).toEqual(metrics.map(({ Id }) => Id).sort());
    const IF = (holds: boolean, one: number, other: number) => (holds ? one : other);
    return Number(runInNewContext(Expression, { ...values, IF })) > Threshold;
  }

  // Metrics of Lambda are there when the minute is over, those of log lines two minutes later: an alarm that looks back on three
  // minutes, of which one is enough, goes off within three.
  test('a failure that the new version handled rolls it back within three minutes, and so does a crash', () => {
    const { EvaluationPeriods, DatapointsToAlarm } = alarmOf('policies-new-version-faults');
    expect({ EvaluationPeriods, DatapointsToAlarm }).toEqual({ EvaluationPeriods: 3, DatapointsToAlarm: 1 });
    const isRolledBack = (values: Readonly<Record<string, number>>) =>
      isAbove('policies-new-version-faults', values);
    expect(isRolledBack({ requests: 9, errors: 0, faults: 4 })).toBe(true);
    expect(isRolledBack({ requests: 9, errors: 4, faults: 0 })).toBe(true);
    expect(isRolledBack({ requests: 9, errors: 0, faults: 0 })).toBe(false);
    // One failure may be DynamoDB's.
    expect(isRolledBack({ requests: 9, errors: 0, faults: 1 })).toBe(false);
    expect(isRolledBack({ requests: 200, errors: 0, faults: 2 })).toBe(false);
  });

  test('5xx of the whole release, the authorizer’s among them, roll it back', () => {
    expect(isAbove('release-faults', { requests: 100, faults: 5 })).toBe(true);
    expect(isAbove('release-faults', { requests: 1_000, faults: 9 })).toBe(false);
  });

  test('a new version that is slow in two minutes is rolled back', () => {
    const { EvaluationPeriods, DatapointsToAlarm = EvaluationPeriods } = alarmOf(
      'policies-new-version-latency',
    );
    expect(DatapointsToAlarm).toBe(2);
  });

  const metricFilter = z.object({
    FilterPattern: z.unknown(),
    MetricTransformations: z.tuple([z.object({ MetricName: z.string(), MetricValue: z.string() })]),
  });
  const filters = service
    .ofType('AWS::Logs::MetricFilter')
    .map(([, { Properties }]) => z.parse(metricFilter, Properties));

  test.each(routeGroups)(
    'the latency of a new version of $name is the median of its requests, without lists and uploads, which take as long as their callers',
    ({ name, routes }) => {
      const { MetricName, ExtendedStatistic, Threshold } = alarmOf(`${name}-new-version-latency`);
      const classes = [...new Set(Object.values(routes).map(routeClass))];
      const timed = classes.filter((one) => slowAboveMs[one] !== undefined);
      // What Lambda measures is all requests.
      const counted = classes.filter(
        (one) =>
          MetricName === 'Duration' ||
          filters.some(({ FilterPattern, MetricTransformations: [measured] }) => {
            const line = { event: 'request', version: 'reference', routeClass: one };
            const isMeasured = measured.MetricName === MetricName && measured.MetricValue === '$.durationMs';
            return isMeasured && isFound(plainText(FilterPattern), line);
          }),
      );
      expect(timed).not.toEqual([]);
      expect(counted).toEqual(timed);
      expect(ExtendedStatistic).toBe('p50');
      for (const one of timed) expect(Threshold).toBeGreaterThanOrEqual(slowAboveMs[one] ?? 0);
      expect(Threshold).toBeLessThan(10_000);
    },
  );
});
