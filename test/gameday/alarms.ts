import * as z from 'zod/mini';
import { resourceName } from '../../infra/environments.ts';
import type { Deployment, Resource } from '../../infra/local/template/template.ts';
import {
  compositeAlarm,
  insightRule,
  type MetricStat,
  metricAlarm,
  metricFilter,
  ruleBody,
} from './alarm-schemas.ts';
import { type Expression, type Functions, fieldsOf, numberOf, parseExpression } from './expression.ts';
import type { LogLine } from './insights.ts';
import { percentile } from './insights.ts';
import type { Logs } from './logs.ts';
import { type Dimensions, metricsOfAws, notObserved } from './metrics.ts';
import type { Observed } from './observer.ts';

/** An alarm after the observed time. */
export interface AlarmState {
  /** Without the prefix of the environment. */
  readonly name: string;
  readonly description: string;
  /** Whom it notifies; undefined for one that is part of others alone. */
  readonly severity: 'page' | 'ticket' | undefined;
  readonly isInAlarm: boolean;
  /** What it measures in a period; undefined for a composite alarm. */
  readonly measured?: {
    /** Undefined without data. */
    readonly value: number | undefined;
    readonly threshold: number;
    /** Periods in each of which the value has to be above the threshold. */
    readonly periods: number;
    readonly periodSeconds: number;
  };
  /** The alarms of a composite alarm that are in alarm. */
  readonly children: readonly AlarmState[];
}

/** A number of a period's values; undefined for a period without data. */
function aggregate(statistic: string, samples: readonly number[]): number | undefined {
  if (samples.length === 0) return undefined;
  if (statistic === 'Sum') return samples.reduce((sum, one) => sum + one, 0);
  if (statistic === 'Maximum') return Math.max(...samples);
  if (statistic === 'SampleCount') return samples.length;
  const percent = /^p(\d+)$/.exec(statistic)?.[1];
  if (percent === undefined) throw new Error(`The statistic ${statistic} is not supported.`);
  return percentile(samples, Number(percent));
}

/** Functions of metric math. */
export const math: Functions = {
  IF: ([holds, one, other], lookup) => {
    const condition = holds?.(lookup);
    return condition === undefined ? undefined : (condition === true ? one : other)?.(lookup);
  },
  FILL: ([metric, filling], lookup) => metric?.(lookup) ?? filling?.(lookup),
};

/** The one query of CloudWatch Metrics Insights that alarms use: a sum over all operations of a table. */
const ofTable =
  /^SELECT SUM\((\w+)\) FROM SCHEMA\("([\w/]+)", TableName, Operation\) WHERE TableName = '([^']+)'$/;

/** Contributor Insights: how many values a rule's member had. */
const ofRule = /^INSIGHT_RULE_METRIC\("([^"]+)", UniqueContributors\)$/;

/** How many values the member of a rule has in the logs; undefined without any line that matches. */
function contributorsOf(rule: z.output<typeof ruleBody>, logs: Logs): number | undefined {
  const {
    LogGroupNames: [group],
    Contribution: {
      Keys: [member],
      Filters: [{ Match, In }],
    },
  } = rule;
  const matching = (logs.get(group) ?? []).map(memberOf).filter((line) => In.includes(String(line(Match))));
  return matching.length === 0 ? undefined : new Set(matching.map((line) => line(member))).size;
}

interface MetricFilter {
  readonly logGroup: string;
  /** Namespace and name of its metric. */
  readonly metric: string;
  readonly matches: Expression;
  readonly value: Expression;
  /** What a line counts that does not match; undefined if it counts nothing. */
  readonly otherwise: number | undefined;
  readonly dimensions: readonly (readonly [name: string, value: Expression])[];
}

/** A member of a log line, as patterns of metric filters name it: `$.error.name`. */
const memberOf = (line: LogLine) => (path: string) => fieldsOf(line)(path.replace('$.', ''));

/** A pattern of a metric filter. A star alone stands for whatever is there; other wildcards are an error. */
function parsePattern(pattern: string): Expression {
  const text = pattern.replace(/^\{ (.*) \}$/, '$1').replace(/(\$\.[\w.]+) = "\*"/g, 'ispresent($1)');
  if (text.includes('*')) throw new Error(`The filter pattern ${pattern} is not supported.`);
  return parseExpression(text, { ispresent: ([one], lookup) => one?.(lookup) !== undefined });
}

function readFilter(resource: Resource): MetricFilter {
  const { FilterPattern, LogGroupName, MetricTransformations } = z.parse(metricFilter, resource.properties());
  const [{ MetricNamespace, MetricName, MetricValue, DefaultValue, Dimensions: given }] =
    MetricTransformations;
  return {
    logGroup: LogGroupName,
    metric: `${MetricNamespace} ${MetricName}`,
    matches: parsePattern(FilterPattern),
    value: parseExpression(MetricValue),
    otherwise: DefaultValue,
    dimensions: given.map(({ Key, Value }) => [Key, parseExpression(Value)]),
  };
}

/** What metric filters make of log lines. */
const loggedBy =
  (filters: readonly MetricFilter[], logs: Logs) =>
  (metric: string, wanted: Dimensions): number[] =>
    filters
      .filter((one) => one.metric === metric)
      .flatMap((one) =>
        (logs.get(one.logGroup) ?? []).map(memberOf).flatMap((member) => {
          if (one.matches(member) !== true) return one.otherwise ?? [];
          const isWanted = one.dimensions.every(([name, value]) => value(member) === wanted[name]);
          return isWanted ? numberOf(one.value(member)) : [];
        }),
      );

const common = ({
  AlarmName,
  AlarmDescription,
  AlarmActions: [topic],
}: Pick<z.output<typeof compositeAlarm>, 'AlarmName' | 'AlarmDescription' | 'AlarmActions'>) =>
  ({
    name: AlarmName.replace(resourceName('local', ''), ''),
    description: AlarmDescription,
    severity: topic === undefined ? undefined : topic.endsWith('-pages') ? 'page' : 'ticket',
  }) satisfies Partial<AlarmState>;

const isHidden = ({ namespace, name }: Pick<MetricStat, 'namespace' | 'name'>): boolean =>
  Object.hasOwn(notObserved, `${namespace} ${name}`);

/** The ARNs of the alarms of which a composite alarm goes off with any. */
function childrenOf(rule: string): string[] {
  const arns = Array.from(rule.matchAll(/ALARM\("([^"]+)"\)/g), ([, arn = '']) => arn);
  if (rule.replace(/^\((.*)\)$/, '$1') === arns.map((arn) => `ALARM("${arn}")`).join(' OR ')) return arns;
  throw new Error(`The alarm rule ${rule} is not supported.`);
}

/**
 * Reads the alarms of a deployment. The function that it returns says in which state they are, each period of theirs holding
 * what was observed.
 *
 * @throws Error for a setting, a metric, or an expression that is not evaluated
 */
export function readAlarms(deployment: Deployment): (observed: Observed, logs: Logs) => AlarmState[] {
  const filters = deployment.ofType('AWS::Logs::MetricFilter').map(readFilter);
  const rules = new Map(
    deployment.ofType('AWS::CloudWatch::InsightRule').map((one) => {
      const { RuleName, RuleBody } = z.parse(insightRule, one.properties());
      return [RuleName, z.parse(ruleBody, JSON.parse(RuleBody))];
    }),
  );
  const metricAlarms = deployment
    .ofType('AWS::CloudWatch::Alarm')
    .map((one) => ({ arn: one.attributes['Arn'] ?? '', ...z.parse(metricAlarm, one.properties()) }));
  const composites = deployment
    .ofType('AWS::CloudWatch::CompositeAlarm')
    .map((one) => z.parse(compositeAlarm, one.properties()));

  return (observed, logs) => {
    const logged = loggedBy(filters, logs);
    const measure = ({ namespace, name, dimensions, statistic }: MetricStat): number | undefined => {
      const metric = `${namespace} ${name}`;
      if (isHidden({ namespace, name })) return undefined;
      const ofAws = metricsOfAws[metric];
      if (ofAws !== undefined) return aggregate(statistic, ofAws.samples(observed, dimensions, deployment));
      if (namespace.startsWith('AWS/')) throw new Error(`The metric ${metric} is not known.`);
      return aggregate(statistic, logged(metric, dimensions));
    };
    const compute = ({ metrics, expression }: z.output<typeof metricAlarm>['watched']) => {
      const [, name, namespace, TableName] = ofTable.exec(expression) ?? [];
      if (name !== undefined && namespace !== undefined && TableName !== undefined) {
        return measure({ namespace, name, dimensions: { TableName }, statistic: 'Sum' });
      }
      const [, ruleName] = ofRule.exec(expression) ?? [];
      if (ruleName !== undefined) {
        const rule = rules.get(ruleName);
        if (rule === undefined) throw new Error(`There is no rule ${ruleName}.`);
        return contributorsOf(rule, logs);
      }
      const result = parseExpression(
        expression,
        math,
      )((id) => {
        const metric = metrics[id];
        if (metric === undefined) throw new Error(`${expression} has no metric ${id}.`);
        return measure(metric);
      });
      const value = numberOf(result);
      return Number.isNaN(value) ? undefined : value;
    };
    const states = new Map(
      metricAlarms.map((alarm): [string, AlarmState] => {
        const value = compute(alarm.watched);
        const isObserved = Object.values(alarm.watched.metrics).every((metric) => !isHidden(metric));
        const {
          Threshold: threshold,
          EvaluationPeriods,
          DatapointsToAlarm: periods = EvaluationPeriods,
        } = alarm;
        const { watched } = alarm;
        const measured = { value, threshold, periods, periodSeconds: watched.periodSeconds };
        const isMissingBad = alarm.TreatMissingData === 'breaching';
        const isInAlarm = isObserved && (value === undefined ? isMissingBad : value > threshold);
        return [alarm.arn, { ...common(alarm), isInAlarm, measured, children: [] }];
      }),
    );
    const ofComposites = composites.map((alarm): AlarmState => {
      const children = childrenOf(alarm.AlarmRule).map((arn) => {
        const state = states.get(arn);
        if (state === undefined) throw new Error(`${alarm.AlarmName} has no alarm ${arn}.`);
        return state;
      });
      const inAlarm = children.filter(({ isInAlarm }) => isInAlarm);
      return { ...common(alarm), isInAlarm: inAlarm.length > 0, children: inAlarm };
    });
    return [...states.values(), ...ofComposites];
  };
}
