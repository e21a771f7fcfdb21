import type { Construct } from 'constructs';
import type { ApiFunction } from '../constructs/api-function.ts';
import type { EventBus } from '../constructs/event-bus.ts';
import type { FilesBucket } from '../constructs/files-bucket.ts';
import type { Gateway } from '../constructs/gateway.ts';
import type { Schedules } from '../constructs/schedules.ts';
import type { ServiceFunction } from '../constructs/service-function.ts';
import type { StreamFunction } from '../constructs/stream-function.ts';
import type { Table } from '../constructs/table.ts';
import type { WorkerFunction } from '../constructs/worker-function.ts';
import type { Environment } from '../environments.ts';
import { AlarmSet } from './alarm-set.ts';
import { watchApiFunction, watchGateway } from './api.ts';
import { watchMalwareScan } from './files.ts';
import { watchOperation, watchThrottles } from './functions.ts';
import { watchBus, watchPublisher } from './publisher.ts';
import { watchReconciliation } from './reconciliation.ts';
import { watchSchedules } from './schedules.ts';
import { watchTable } from './tables.ts';
import { watchWebhookDelivery } from './webhook-delivery.ts';
import { watchWorker } from './workers.ts';

interface Watched {
  readonly environment: Environment;
  readonly gateway: Gateway;
  readonly authorizer: ServiceFunction;
  readonly apiFunctions: readonly ApiFunction[];
  readonly admin: ServiceFunction;
  readonly imports: ServiceFunction;
  readonly linkRedemption: ServiceFunction;
  readonly rotation: ServiceFunction;
  readonly publisher: StreamFunction;
  readonly bus: EventBus;
  readonly schedules: Schedules;
  readonly workers: readonly WorkerFunction[];
  /** Among the workers. */
  readonly reconciliation: WorkerFunction;
  /** Among the workers. */
  readonly webhookDelivery: WorkerFunction;
  readonly tables: readonly Table[];
  readonly files: FilesBucket;
}

/** Creates all alarms. */
export function createAlarms(scope: Construct, watched: Watched): void {
  const { environment, gateway, authorizer, apiFunctions, admin, imports, linkRedemption, rotation } =
    watched;
  const { publisher, bus, schedules, workers, tables } = watched;
  const alarms = new AlarmSet(scope, 'Alarms', environment);
  watchGateway(alarms, gateway, authorizer);
  for (const one of apiFunctions) watchApiFunction(alarms, one);
  watchOperation(alarms, { admin, imports, linkRedemption, rotation });
  watchPublisher(alarms, publisher);
  watchBus(alarms, bus);
  watchSchedules(alarms, schedules);
  for (const worker of workers) watchWorker(alarms, worker);
  watchReconciliation(alarms, watched.reconciliation);
  watchWebhookDelivery(alarms, watched.webhookDelivery);
  for (const table of tables) watchTable(alarms, table);
  if (watched.files.malwareScan !== undefined) watchMalwareScan(alarms, watched.files.malwareScan);
  const functions = [
    authorizer,
    ...apiFunctions,
    admin,
    imports,
    linkRedemption,
    rotation,
    publisher,
    ...workers,
  ];
  for (const one of functions) watchThrottles(alarms, one);
}
