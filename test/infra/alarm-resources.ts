import * as z from 'zod/mini';
import { synthesized } from './synthesized.ts';

const actions = z._default(z.array(z.unknown()), []);
const common = {
  AlarmDescription: z.string(),
  AlarmActions: actions,
  OKActions: actions,
};
const metricAlarm = z.object({
  ...common,
  AlarmName: z.string(),
  TreatMissingData: z.enum(['notBreaching', 'breaching']),
  MetricName: z.optional(z.string()),
  Metrics: z._default(
    z.array(z.object({ MetricStat: z.optional(z.unknown()), Expression: z.optional(z.unknown()) })),
    [],
  ),
});
const deploymentGroup = z.object({
  AlarmConfiguration: z.object({ Alarms: z.array(z.object({ Name: z.object({ Ref: z.string() }) })) }),
});
const compositeAlarm = z.object({ ...common, AlarmName: z.string(), AlarmRule: z.unknown() });

/** An alarm of the production templates. */
interface AlarmResource {
  readonly name: string;
  readonly description: string;
  readonly runbook: string | undefined;
  readonly actions: readonly unknown[];
  readonly okActions: readonly unknown[];
  /** Whether it goes off without data. */
  readonly isMissingBad: boolean;
  /** Metrics that AWS charges for; of a query, those that it finds. */
  readonly metrics: number;
  readonly queries: number;
  /** Names of the alarms of a composite alarm. */
  readonly children: readonly string[];
  /** Whether a deployment is rolled back when it goes off. */
  readonly rollsBack: boolean;
}

const prefix = 'insurance-compliance-prod-';
const withoutPrefix = (name: string): string => name.replace(prefix, '');

/** The alarms of production, those of the watch stack first and composite alarms last. */
export function alarmsOf(): AlarmResource[] {
  const { service, watch } = synthesized('prod');
  const ofType = (type: string) => [...watch.ofType(type), ...service.ofType(type)];
  const rollingBack = new Set(
    service
      .ofType('AWS::CodeDeploy::DeploymentGroup')
      .flatMap(([, { Properties }]) => z.parse(deploymentGroup, Properties).AlarmConfiguration.Alarms)
      .map(({ Name }) => Name.Ref),
  );
  const metricAlarms = ofType('AWS::CloudWatch::Alarm').map(([id, { Properties }]) => {
    const { Metrics, MetricName, TreatMissingData, ...rest } = z.parse(metricAlarm, Properties);
    const queries = Metrics.filter(({ Expression }) => JSON.stringify(Expression ?? '').includes('SELECT '));
    return {
      id,
      ...described(rest),
      isMissingBad: TreatMissingData === 'breaching',
      metrics: MetricName === undefined ? Metrics.filter(({ MetricStat }) => MetricStat).length : 1,
      queries: queries.length,
      children: [],
      rollsBack: rollingBack.has(id),
    };
  });
  const byId = new Map(metricAlarms.map(({ id, name }) => [id, name]));
  const composites = ofType('AWS::CloudWatch::CompositeAlarm').map(([, { Properties }]) => {
    const { AlarmRule, ...rest } = z.parse(compositeAlarm, Properties);
    const referenced = Array.from(
      JSON.stringify(AlarmRule).matchAll(/"Fn::GetAtt":\["(\w+)"/g),
      ([, id = '']) => id,
    );
    return {
      ...described(rest),
      isMissingBad: false,
      metrics: 0,
      queries: 0,
      children: referenced.map((id) => byId.get(id) ?? id),
      rollsBack: false,
    };
  });
  return [...metricAlarms, ...composites];
}

interface Described {
  readonly AlarmName: string;
  readonly AlarmDescription: string;
  readonly AlarmActions: readonly unknown[];
  readonly OKActions: readonly unknown[];
}

const described = (alarm: Described) => ({
  name: withoutPrefix(alarm.AlarmName),
  description: alarm.AlarmDescription,
  runbook: /^.+\. What to do: infra\/runbook\.md, "(.+)"\.$/.exec(alarm.AlarmDescription)?.[1],
  actions: alarm.AlarmActions,
  okActions: alarm.OKActions,
});

/** Name of the topic of an alarm's action, without the prefix of the environment; undefined for another action. */
export function topicOf(action: unknown): string | undefined {
  const parts = z.safeParse(z.object({ 'Fn::Join': z.tuple([z.literal(''), z.array(z.unknown())]) }), action);
  const name = String(parts.data?.['Fn::Join'][1].at(-1));
  return /^:insurance-compliance-[a-z]+-(\w+)$/.exec(name)?.[1];
}

/** The severity of an alarm that notifies somebody, by its topic; undefined for one that does not. */
export function severityOf({ actions: [action] }: AlarmResource): 'page' | 'ticket' | undefined {
  const topic = action === undefined ? undefined : topicOf(action);
  return topic === 'pages' ? 'page' : topic === 'tickets' ? 'ticket' : undefined;
}
