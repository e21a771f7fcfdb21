import { createAlarms, type Watched } from '../alarms/alarms.ts';
import { createBudget } from '../constructs/budget.ts';
import { Firewall } from '../constructs/firewall.ts';
import { GradualDeployments } from '../constructs/gradual-deployments.ts';
import { StreamFunction } from '../constructs/stream-function.ts';
import { WorkerFunction } from '../constructs/worker-function.ts';
import { createDashboard } from '../dashboard/dashboard.ts';
import type { ServiceContext } from './context.ts';
import type { Functions } from './functions.ts';
import type { Queues } from './queues.ts';

/** Everything for operation: firewall, alarms, dashboard, gradual deployments, and the budget. */
export function createOperation(context: ServiceContext, queues: Queues, functions: Functions) {
  const { scope, deployment, data } = context;
  const { gateway, schedules, api, workers, named } = functions;
  const firewall = deployment.firewall
    ? new Firewall(scope, 'Firewall', gateway.api.deploymentStage, deployment)
    : undefined;
  const worker = (name: string): WorkerFunction => {
    const found = named(name);
    if (!(found instanceof WorkerFunction)) throw new Error(`"${name}" is no worker.`);
    return found;
  };
  const publisher = named('event-publisher');
  if (!(publisher instanceof StreamFunction)) throw new Error('The publisher has no stream.');
  const watched: Watched = {
    environment: deployment,
    gateway,
    firewall,
    authorizer: named('authorizer'),
    apiFunctions: api,
    admin: named('admin'),
    imports: named('import'),
    linkRedemption: named('link-redemption'),
    rotation: named('signing-secret-rotation'),
    indexLag: named('index-lag'),
    canary: named('canary'),
    canaryReceiver: named('canary-receiver'),
    publisher,
    bus: queues.bus,
    schedules,
    workers,
    reconciliation: worker('registry-reconciliation'),
    registrySync: worker('registry-sync'),
    webhookDelivery: worker('webhook-delivery'),
    tables: Object.values(data.tables),
    files: data.files,
    auditTrail: data.auditTrail,
  };
  const monitoring = createAlarms(scope, watched);
  createDashboard(scope, watched, monitoring);
  if (deployment.gradualDeployment) {
    new GradualDeployments(scope, 'Deployments', {
      environment: deployment,
      versions: monitoring.newVersions,
      rollbackAlarms: [monitoring.canary.runFailed],
    });
  }
  createBudget(scope, deployment);
}
