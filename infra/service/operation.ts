import { Duration, TimeZone } from 'aws-cdk-lib';
import { ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import { adminEnvironment } from '../../functions/admin/environment.ts';
import { importEnvironment } from '../../functions/import/environment.ts';
import { signingSecretRotationEnvironment } from '../../functions/signing-secret-rotation/environment.ts';
import { createAlarms, type Watched } from '../alarms/alarms.ts';
import { plain } from '../constructs/binding.ts';
import { createBudget } from '../constructs/budget.ts';
import { GradualDeployments } from '../constructs/gradual-deployments.ts';
import { QueueWithDlq } from '../constructs/queue-with-dlq.ts';
import { Schedules } from '../constructs/schedules.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { createDashboard } from '../dashboard/dashboard.ts';
import type { Api } from './api.ts';
import { createCanary } from './canary.ts';
import { commonUses, filesUses, type ServiceContext } from './context.ts';
import { createIndexLag } from './index-lag.ts';
import { createLinkRedemption } from './link-redemption.ts';
import type { Queues } from './queues.ts';
import { reconciliationHour, sweepHour } from './reconciliation-hours.ts';
import type { Workers } from './workers.ts';

interface Running {
  readonly queues: Queues;
  readonly api: Api;
  readonly workers: Workers;
}

/** Everything for operation: schedules, the operators' functions, secret rotation, and alarms. */
export function createOperation(context: ServiceContext, { queues, api, workers }: Running) {
  const { scope, deployment, data } = context;
  const indexLag = createIndexLag(context);
  const { canary, receiver: canaryReceiver } = createCanary(context, api.gateway);
  const schedules = createSchedules(context, workers, { indexLag, canary });
  const admin = createAdmin(context, queues);
  const imports = createImports(context);
  const linkRedemption = createLinkRedemption(context);
  const rotation = createRotation(context);
  const { publisher, ...others } = workers;
  const watched: Watched = {
    environment: deployment,
    gateway: api.gateway,
    firewall: api.firewall,
    authorizer: api.authorizer,
    apiFunctions: api.functions,
    admin,
    imports,
    linkRedemption,
    rotation,
    indexLag,
    canary,
    canaryReceiver,
    publisher,
    bus: queues.bus,
    schedules,
    workers: Object.values(others),
    reconciliation: workers.registryReconciliation,
    registrySync: workers.registrySync,
    webhookDelivery: workers.webhookDelivery,
    tables: data.tables,
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

function createSchedules(
  { scope, deployment }: ServiceContext,
  workers: Workers,
  { indexLag, canary }: Readonly<Record<'indexLag' | 'canary', ServiceFunction>>,
) {
  const schedules = new Schedules(scope, 'schedules', deployment);
  const newYork = TimeZone.AMERICA_NEW_YORK;
  schedules.calls(workers.publisher, 'republish', ScheduleExpression.rate(Duration.minutes(5)));
  schedules.calls(workers.publisher, 'release', ScheduleExpression.rate(Duration.minutes(1)));
  schedules.calls(workers.registryReconciliation, 'dispatch', daily(reconciliationHour, newYork));
  schedules.calls(workers.registryReconciliation, 'new-npns', ScheduleExpression.rate(Duration.minutes(1)));
  // Retries, and whatever a crash left behind.
  schedules.calls(workers.webhookDelivery, 'wake-overdue', ScheduleExpression.rate(Duration.minutes(1)));
  // Expiring and expired licenses (OpenAPI, "Events").
  schedules.calls(workers.licenseSweep, 'dispatch', daily(sweepHour, newYork));
  schedules.calls(indexLag, 'measure', ScheduleExpression.rate(Duration.minutes(1)));
  schedules.calls(canary, 'check', ScheduleExpression.rate(Duration.minutes(5)));
  return schedules;
}

const daily = (hour: number, timeZone: TimeZone): ScheduleExpression =>
  ScheduleExpression.cron({ minute: '0', hour: String(hour), timeZone });

/** The function that Secrets Manager calls to rotate the signing secret. */
function createRotation(context: ServiceContext) {
  const { scope, deployment, data } = context;
  const rotation = new ServiceFunction(scope, 'signing-secret-rotation', {
    deployment,
    timeout: Duration.seconds(30),
    environment: signingSecretRotationEnvironment,
    uses: commonUses(context),
  });
  data.signingSecret.rotatedBy(rotation);
  return rotation;
}

function createAdmin(context: ServiceContext, queues: Queues) {
  const { scope, deployment, data } = context;
  return new ServiceFunction(scope, 'admin', {
    deployment,
    timeout: Duration.minutes(5),
    environment: adminEnvironment,
    uses: {
      ...commonUses(context),
      ORGANIZATIONS_TABLE: data.organizations.allows({ items: ['GetItem', 'PutItem', 'UpdateItem'] }),
      FILINGS_TABLE: data.filings.allows({ items: ['GetItem', 'PutItem'], query: ['table'] }),
      FILE_DOCUMENTS_TABLE: data.fileDocuments.allows({
        items: ['BatchGetItem', 'PutItem', 'UpdateItem'],
      }),
      ...filesUses(context, ['incoming', 'files']),
      ASSOCIATIONS_TABLE: data.associations.allows({
        items: ['GetItem', 'PutItem', 'UpdateItem'],
        query: ['by-npn'],
      }),
      CONTACTS_TABLE: data.contacts.allows({ items: ['GetItem', 'PutItem'] }),
      DOWNSTREAM_ENTITIES_TABLE: data.downstreamEntities.allows({ items: ['GetItem', 'BatchGetItem'] }),
      ONE_TIME_LINKS_TABLE: data.oneTimeLinks.allows({ items: ['GetItem', 'UpdateItem'] }),
      AGENTS_TABLE: data.agents.allows({ items: ['BatchGetItem'] }),
      LICENSING_TABLE: data.licensing.allows({ items: ['GetItem', 'PutItem', 'DeleteItem'] }),
      REGISTRY_RECORDS_TABLE: data.registryRecords.allows({
        items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
        query: ['table', 'by-npn', 'by-renewal', 'by-shard', 'by-visit'],
      }),
      OUTBOX_TABLE: data.outbox.allows({ items: ['PutItem'] }),
      ...data.registry.asks(),
      REGISTRY_VISITS_PER_SECOND: plain(String(deployment.registryVisits.perSecond)),
      ALLOW_FUTURE_AS_OF: plain(deployment.futureAsOf),
      QUEUES: QueueWithDlq.redrives(scope, [
        queues.registrySync,
        queues.webhookFanout,
        queues.healthyDeliveries,
        queues.failingDeliveries,
        queues.complianceChanges,
        queues.licenseSweep,
        queues.registryReconciliation,
      ]),
    },
  });
}

function createImports(context: ServiceContext) {
  const { scope, deployment, data } = context;
  return new ServiceFunction(scope, 'import', {
    deployment,
    timeout: Duration.minutes(5),
    environment: importEnvironment,
    uses: {
      ...commonUses(context),
      AGENTS_TABLE: data.agents.allows({
        items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
      }),
      ASSOCIATIONS_TABLE: data.associations.allows({
        items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
        query: ['by-entity'],
      }),
      CARRIERS_TABLE: data.carriers.allows({ items: ['BatchGetItem', 'PutItem', 'DeleteItem'] }),
      COMPLIANCE_TABLE: data.compliance.allows({ items: ['BatchGetItem', 'PutItem'], query: ['table'] }),
      CONTACTS_TABLE: data.contacts.allows({
        items: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'],
        query: ['table'],
      }),
      DOWNSTREAM_ENTITIES_TABLE: data.downstreamEntities.allows({
        items: ['BatchGetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
      }),
      FILINGS_TABLE: data.filings.allows({
        items: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'],
        query: ['table'],
      }),
      LICENSING_TABLE: data.licensing.allows({ items: ['BatchGetItem', 'PutItem'] }),
      ORGANIZATIONS_TABLE: data.organizations.allows({ items: ['GetItem'] }),
      OUTBOX_TABLE: data.outbox.allows({ items: ['PutItem'] }),
      POLICIES_TABLE: data.policies.allows({
        items: ['BatchGetItem', 'PutItem'],
        query: ['table', 'by-match', 'by-id'],
      }),
      REGISTRY_RECORDS_TABLE: data.registryRecords.allows({
        items: ['BatchGetItem', 'PutItem', 'UpdateItem'],
        query: ['by-license-number'],
      }),
    },
  });
}
