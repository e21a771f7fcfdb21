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
  // CloudWatch judges an alarm every minute by what has arrived until then: here with metrics that arrive late, or never.

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

  /**
   * What an expression of metric math makes of a minute's values: nothing if one of them is missing. Ours without `FILL` are
   * expressions of JavaScript too. https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
   */
  function evaluate(expression: string, values: Readonly<Record<string, number | undefined>>): number {
    if (Object.values(values).includes(undefined)) return Number.NaN;
    const IF = (holds: boolean, one: number, other: number) => (holds ? one : other);
    return Number(runInNewContext(expression, { ...values, IF }));
  }

  /** Data of a metric: the value of a minute, and after how many minutes more it is there. */
  interface Arriving {
    readonly values: readonly (number | undefined)[];
    readonly lateMinutes: number;
  }

  /** Minutes from the first request on after which the alarm goes off; undefined if it never does. */
  function goesOffAfter(name: string, data: Readonly<Record<string, Arriving>>): number | undefined {
    const { metrics, Expression, EvaluationPeriods, DatapointsToAlarm, Threshold } = alarmOf(name);
    expect(metrics.map(({ Period }) => Period)).toEqual(metrics.map(() => 60));
    expect(Object.keys(data).sort()).toEqual(metrics.map(({ Id }) => Id).sort());
    const minutes = Math.max(...Object.values(data).map(({ values }) => values.length));
    for (let now = 1; now <= minutes + 10; now += 1) {
      const window = Array.from({ length: EvaluationPeriods }, (_, index) => now - 1 - index);
      const above = window.filter((minute) => {
        const arrived = Object.entries(data).map(([metric, { values, lateMinutes }]) => [
          metric,
          minute + 1 + lateMinutes <= now ? values[minute] : undefined,
        ]);
        return evaluate(Expression, Object.fromEntries(arrived)) > Threshold;
      });
      if (above.length >= (DatapointsToAlarm ?? EvaluationPeriods)) return now;
    }
    return undefined;
  }

  /** Metrics of Lambda are there when the minute is over, those of log lines two minutes later. */
  const onTime = (...values: (number | undefined)[]): Arriving => ({ values, lateMinutes: 0 });
  const late = (...values: (number | undefined)[]): Arriving => ({ values, lateMinutes: 2 });

  const faults = 'policies-new-version-faults';
  const none = undefined;

  test('a failure that the new version handled rolls it back within three minutes, though only its log knows of it', () => {
    const each = { requests: onTime(9, 9, 9), errors: onTime(0, 0, 0), faults: late(4, 4, 4) };
    expect(goesOffAfter(faults, each)).toBeLessThanOrEqual(3);
    // Nobody has to go on failing for it.
    const once = {
      requests: onTime(9, none, none),
      errors: onTime(0, none, none),
      faults: late(4, none, none),
    };
    expect(goesOffAfter(faults, once)).toBeLessThanOrEqual(3);
  });

  test('so does a crash, of which the log has no failed request', () => {
    const crashes = { requests: onTime(9, 9, 9), errors: onTime(4, 4, 4), faults: late(0, 0, 0) };
    expect(goesOffAfter(faults, crashes)).toBeLessThanOrEqual(3);
  });

  test.each<[string, Record<string, Arriving>]>([
    ['without requests', { requests: onTime(none, none), errors: onTime(none, none), faults: late(none, 0) }],
    ['while all requests succeed', { requests: onTime(9, 9), errors: onTime(0, 0), faults: late(0, 0) }],
    ['of one failure, which may be DynamoDB’s', { requests: onTime(9), errors: onTime(0), faults: late(1) }],
    ['of one in a hundred', { requests: onTime(200), errors: onTime(0), faults: late(2) }],
  ])('the new version stays %s', (_, data) => {
    expect(goesOffAfter(faults, data)).toBeUndefined();
  });

  test('5xx of the whole release, the authorizer’s among them, roll it back within a minute of their metric', () => {
    const failing = { requests: onTime(100, 100), faults: onTime(5, 5) };
    expect(goesOffAfter('release-faults', failing)).toBe(1);
    const delayed = { requests: late(100, none), faults: late(5, none) };
    expect(goesOffAfter('release-faults', delayed)).toBe(3);
    const rare = { requests: onTime(100, 1_000), faults: onTime(2, 9) };
    expect(goesOffAfter('release-faults', rare)).toBeUndefined();
  });

  test('a new version that two minutes of the log show to be slow is rolled back before its five minutes are over', () => {
    expect(goesOffAfter('policies-new-version-latency', { metric: late(9_000, 9_000, 9_000) })).toBe(4);
    expect(goesOffAfter('policies-new-version-latency', { metric: late(9_000, 10, 10, 10) })).toBeUndefined();
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
