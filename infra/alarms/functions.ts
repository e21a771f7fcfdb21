import type { ServiceFunction } from '../constructs/service-function.ts';
import { type AlarmSet, sum } from './alarm-set.ts';

interface Operation {
  readonly admin: ServiceFunction;
  readonly imports: ServiceFunction;
  readonly linkRedemption: ServiceFunction;
  readonly rotation: ServiceFunction;
}

/** The functions that operators, the agencies' application, and Secrets Manager call. */
export function watchOperation(
  alarms: AlarmSet,
  { admin, imports, linkRedemption, rotation }: Operation,
): void {
  alarms.add('admin-errors', {
    runbook: 'Function errors',
    metric: admin.lambda.metricErrors(sum),
    above: 0,
    impact: 'An operator command failed.',
  });
  alarms.add('import-errors', {
    runbook: 'Function errors',
    metric: imports.lambda.metricErrors(sum),
    above: 0,
    impact: 'An operator’s import stopped before its end.',
  });
  alarms.add('link-redemption-errors', {
    runbook: 'Function errors',
    metric: linkRedemption.lambda.metricErrors(sum),
    above: 0,
    impact: 'An agency’s person followed a link and was neither let in nor refused.',
  });
  alarms.add('signing-secret-rotation-failed', {
    runbook: 'Signing secret rotation failed',
    metric: rotation.lambda.metricErrors(sum),
    above: 0,
    impact:
      'No effect on callers yet: tokens are still signed with the old secret, which is due for rotation.',
  });
}

/** Any function, regardless of what invokes it. */
export function watchThrottles(alarms: AlarmSet, { name, lambda }: ServiceFunction): void {
  alarms.add(`${name}-throttles`, {
    runbook: 'Function throttles',
    metric: lambda.metricThrottles(sum),
    above: 0,
    impact: `Lambda rejects invocations of "${name}": its work fails or is delayed.`,
  });
}
