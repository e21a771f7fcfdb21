import type { AlarmBase, IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { ApiFunction } from '../constructs/api-function.ts';
import type { AuditTrail } from '../constructs/audit-trail.ts';
import type { EventBus } from '../constructs/event-bus.ts';
import type { FilesBucket } from '../constructs/files-bucket.ts';
import type { Firewall } from '../constructs/firewall.ts';
import type { Gateway } from '../constructs/gateway.ts';
import type { NewVersion } from '../constructs/gradual-deployments.ts';
import type { Schedules } from '../constructs/schedules.ts';
import type { ServiceFunction } from '../constructs/service-function.ts';
import type { StreamFunction } from '../constructs/stream-function.ts';
import type { Table } from '../constructs/table.ts';
import type { WorkerFunction } from '../constructs/worker-function.ts';
import type { Environment } from '../environments.ts';
import { AlarmSet } from './alarm-set.ts';
import { watchApiFunctions, watchGateway, watchLatency } from './api.ts';
import { type CanaryRuns, watchCanary } from './canary.ts';
import { watchChanges } from './changes.ts';
import { watchMalwareScan } from './files.ts';
import { watchConcurrency, watchFunctions, watchRotation } from './functions.ts';
import { type Durations, LogMetrics } from './log-metrics.ts';
import { watchNewVersions } from './new-versions.ts';
import { watchBus, watchPublisher, watchStream } from './publisher.ts';
import { watchReconciliation } from './reconciliation.ts';
import { watchSchedules } from './schedules.ts';
import { watchTables } from './tables.ts';
import { watchWebhookDelivery } from './webhook-delivery.ts';
import { watchWorkers } from './workers.ts';

/** What is monitored. */
export interface Watched {
  readonly environment: Environment;
  readonly gateway: Gateway;
  readonly firewall: Firewall | undefined;
  readonly authorizer: ServiceFunction;
  readonly apiFunctions: readonly ApiFunction[];
  readonly admin: ServiceFunction;
  readonly imports: ServiceFunction;
  readonly linkRedemption: ServiceFunction;
  readonly rotation: ServiceFunction;
  readonly indexLag: ServiceFunction;
  readonly canary: ServiceFunction;
  readonly canaryReceiver: ServiceFunction;
  readonly publisher: StreamFunction;
  readonly bus: EventBus;
  readonly schedules: Schedules;
  readonly workers: readonly WorkerFunction[];
  /** Among the workers. */
  readonly reconciliation: WorkerFunction;
  /** Among the workers. */
  readonly registrySync: WorkerFunction;
  /** Among the workers. */
  readonly webhookDelivery: WorkerFunction;
  readonly tables: readonly Table[];
  readonly files: FilesBucket;
  readonly auditTrail: AuditTrail;
}

/** What the dashboard shares with the alarms. */
export interface Monitoring {
  readonly logs: LogMetrics;
  readonly pages: readonly AlarmBase[];
  readonly canary: CanaryRuns;
  /** 99 of 100 durations of requests by class, in milliseconds. */
  readonly durations: Durations;
  /** Seconds by which deliveries to healthy receivers are late. */
  readonly lateness: IMetric;
  /** None, unless deployments are gradual. */
  readonly newVersions: readonly NewVersion[];
}

/** Creates all alarms. */
export function createAlarms(scope: Construct, watched: Watched): Monitoring {
  const { environment, apiFunctions, publisher } = watched;
  const alarms = new AlarmSet(scope, 'Alarms', environment);
  const logs = new LogMetrics(scope, 'LogMetrics', environment);
  const api = { ...watched, functions: apiFunctions };
  watchGateway(alarms, api);
  const durations = logs.durations(apiFunctions);
  watchLatency(alarms, durations, api);
  watchApiFunctions(alarms, logs, apiFunctions);
  watchFunctions(alarms, [...apiFunctions, watched.linkRedemption]);
  watchConcurrency(alarms, environment.capacity);
  watchRotation(alarms, watched.rotation);
  watchPublisher(alarms, logs, publisher);
  watchBus(alarms, watched.bus);
  watchSchedules(alarms, watched.schedules);
  watchWorkers(alarms, logs, watched.workers, watchStream(alarms, publisher));
  watchReconciliation(alarms, logs, watched.reconciliation);
  const lateness = logs.lateness(watched.webhookDelivery);
  watchWebhookDelivery(alarms, logs, lateness, watched.webhookDelivery);
  watchTables(alarms, watched.tables);
  watchChanges(alarms, logs, watched.indexLag);
  const canary = watchCanary(alarms, logs, watched.canary);
  if (watched.files.malwareScan !== undefined) watchMalwareScan(alarms, watched.files.malwareScan);
  const newVersions = watchNewVersions(alarms, logs, apiFunctions);
  return { logs, durations, lateness, newVersions, pages: alarms.pages, canary };
}
