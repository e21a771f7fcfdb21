import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Watched } from '../alarms/alarms.ts';
import type { ServiceFunction } from '../constructs/service-function.ts';

/** A metric with the name that the graph's legend shows. */
export function labeled(label: string, metric: IMetric): IMetric {
  if (metric instanceof Metric || metric instanceof MathExpression) return metric.with({ label });
  throw new Error(`The metric of "${label}" cannot be labeled.`);
}

/** Every function of the service. */
export const functionsOf = ({
  authorizer,
  apiFunctions,
  admin,
  imports,
  linkRedemption,
  rotation,
  indexLag,
  canary,
  canaryReceiver,
  publisher,
  workers,
}: Watched): readonly ServiceFunction[] => [
  authorizer,
  ...apiFunctions,
  publisher,
  ...workers,
  linkRedemption,
  admin,
  imports,
  rotation,
  indexLag,
  canary,
  canaryReceiver,
];
