import * as z from 'zod/mini';
import type { Dimensions } from './metrics.ts';

// The resources by which CloudWatch would be set up. Strict: a setting that is not evaluated is an error.

/** A metric over a period. */
export interface MetricStat {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Dimensions;
  readonly statistic: string;
}

/** What an alarm compares with its threshold. */
interface Watched {
  /** Metrics by the names that the expression uses. */
  readonly metrics: Readonly<Record<string, MetricStat>>;
  readonly expression: string;
  readonly periodSeconds: number;
}

const dimensions = z.pipe(
  z._default(z.array(z.object({ Name: z.string(), Value: z.string() })), []),
  z.transform((all): Dimensions => Object.fromEntries(all.map(({ Name, Value }) => [Name, Value]))),
);
const described = {
  AlarmName: z.string(),
  AlarmDescription: z.string(),
  AlarmActions: z._default(z.array(z.string()), []),
  OKActions: z.optional(z.unknown()),
  Tags: z.optional(z.unknown()),
};
const metric = { Namespace: z.string(), MetricName: z.string(), Dimensions: dimensions };
const condition = {
  ...described,
  ComparisonOperator: z.literal('GreaterThanThreshold'),
  EvaluationPeriods: z.number(),
  DatapointsToAlarm: z.optional(z.number()),
  Threshold: z.number(),
  TreatMissingData: z.enum(['notBreaching', 'breaching']),
};

const ofOneMetric = z.pipe(
  z.strictObject({
    ...condition,
    ...metric,
    Period: z.number(),
    Statistic: z.optional(z.string()),
    ExtendedStatistic: z.optional(z.string()),
  }),
  z.transform(
    ({ Namespace, MetricName, Dimensions, Period, Statistic, ExtendedStatistic = '', ...alarm }) => ({
      ...alarm,
      watched: {
        metrics: {
          metric: {
            namespace: Namespace,
            name: MetricName,
            dimensions: Dimensions,
            statistic: Statistic ?? ExtendedStatistic,
          },
        },
        expression: 'metric',
        periodSeconds: Period,
      } satisfies Watched as Watched,
    }),
  ),
);

const element = z.strictObject({
  Id: z.string(),
  Label: z.optional(z.string()),
  ReturnData: z.optional(z.boolean()),
  Period: z.optional(z.number()),
  Expression: z.optional(z.string()),
  MetricStat: z.optional(
    z.strictObject({ Metric: z.strictObject(metric), Period: z.number(), Stat: z.string() }),
  ),
});

const ofExpression = z.pipe(
  z.strictObject({ ...condition, Metrics: z.array(element) }),
  z.transform(({ Metrics, ...alarm }) => ({
    ...alarm,
    watched: {
      metrics: Object.fromEntries(
        Metrics.flatMap(({ Id, MetricStat }): [string, MetricStat][] => {
          if (MetricStat === undefined) return [];
          const { Namespace, MetricName, Dimensions } = MetricStat.Metric;
          const statistic = MetricStat.Stat;
          return [[Id, { namespace: Namespace, name: MetricName, dimensions: Dimensions, statistic }]];
        }),
      ),
      expression: Metrics.find(({ ReturnData }) => ReturnData !== false)?.Expression ?? '',
      periodSeconds: Math.max(...Metrics.map(({ Period, MetricStat }) => MetricStat?.Period ?? Period ?? 0)),
    } satisfies Watched as Watched,
  })),
);

/** Properties of `AWS::CloudWatch::Alarm`, of one metric or of an expression. */
export const metricAlarm = z.union([ofOneMetric, ofExpression]);

/** Properties of `AWS::CloudWatch::CompositeAlarm`. */
export const compositeAlarm = z.strictObject({ ...described, AlarmRule: z.string() });

/** Properties of `AWS::CloudWatch::InsightRule`. */
export const insightRule = z.strictObject({
  RuleName: z.string(),
  RuleState: z.literal('ENABLED'),
  RuleBody: z.string(),
});

/** What a rule counts: the values of a member in lines with an event. */
export const ruleBody = z.strictObject({
  Schema: z.strictObject({ Name: z.literal('CloudWatchLogRule'), Version: z.literal(1) }),
  AggregateOn: z.literal('Count'),
  LogFormat: z.literal('JSON'),
  LogGroupNames: z.tuple([z.string()]),
  Contribution: z.strictObject({
    Keys: z.tuple([z.string()]),
    Filters: z.tuple([z.strictObject({ Match: z.string(), In: z.array(z.string()) })]),
  }),
});

/** Properties of `AWS::Logs::MetricFilter`. */
export const metricFilter = z.strictObject({
  FilterPattern: z.string(),
  LogGroupName: z.string(),
  MetricTransformations: z.tuple([
    z.strictObject({
      MetricNamespace: z.string(),
      MetricName: z.string(),
      MetricValue: z.string(),
      DefaultValue: z.optional(z.number()),
      Dimensions: z._default(z.array(z.object({ Key: z.string(), Value: z.string() })), []),
    }),
  ]),
});
