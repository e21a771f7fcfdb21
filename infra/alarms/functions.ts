import type { ServiceFunction } from '../constructs/service-function.ts';
import { type AlarmSet, sum } from './alarm-set.ts';

interface Operation {
  readonly admin: ServiceFunction;
  readonly imports: ServiceFunction;
  readonly rotation: ServiceFunction;
}

/** The functions that operators and Secrets Manager call. */
export function watchOperation(alarms: AlarmSet, { admin, imports, rotation }: Operation): void {
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
    impact: 'An operator’s import stopped halfway.',
  });
  alarms.add('signing-secret-rotation-failed', {
    runbook: 'Signing secret rotation failed',
    metric: rotation.lambda.metricErrors(sum),
    above: 0,
    impact: 'No effect on callers yet: tokens are signed with the old secret, which gets older than 90 days.',
  });
}

/** Any function, whoever invokes it. */
export function watchThrottles(alarms: AlarmSet, { name, lambda }: ServiceFunction): void {
  alarms.add(`${name}-throttles`, {
    runbook: 'Function throttles',
    metric: lambda.metricThrottles(sum),
    above: 0,
    impact: `Calls of "${name}" are rejected before it runs: what depends on it fails or waits.`,
  });
}
