import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { fiveMinutes } from './alarm-set.ts';

/** Several metrics added up, of which those without data count as 0: up to `alarmMetrics`, for an alarm. */
export const totalOf = (metrics: readonly IMetric[], label: string): IMetric =>
  new MathExpression({
    expression: metrics.map((_, index) => `FILL(m${index}, 0)`).join(' + '),
    label,
    usingMetrics: Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric])),
    period: fiveMinutes,
  });
