import { Duration, Stack, type StackProps, TimeZone } from 'aws-cdk-lib';
import { FilterRule } from 'aws-cdk-lib/aws-lambda';
import { ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import type { Construct } from 'constructs';
import { adminEnvironment } from '../functions/admin/environment.ts';
import { agencyEnvironment } from '../functions/agency/environment.ts';
import { agencyRoutes } from '../functions/agency/routes.ts';
import { agentsEnvironment } from '../functions/agents/environment.ts';
import { agentRoutes } from '../functions/agents/routes.ts';
import { authEnvironment } from '../functions/auth/environment.ts';
import { authRoutes } from '../functions/auth/routes.ts';
import { authorizerEnvironment } from '../functions/authorizer/environment.ts';
import { carriersEnvironment } from '../functions/carriers/environment.ts';
import { carrierRoutes } from '../functions/carriers/routes.ts';
import { complianceEnvironment } from '../functions/compliance/environment.ts';
import { complianceRoutes } from '../functions/compliance/routes.ts';
import { complianceChangesEnvironment } from '../functions/compliance-changes/environment.ts';
import { contactsEnvironment } from '../functions/contacts/environment.ts';
import { contactRoutes } from '../functions/contacts/routes.ts';
import { downstreamEntityAssociationsEnvironment } from '../functions/downstream-entity-associations/environment.ts';
import { downstreamEntityAssociationRoutes } from '../functions/downstream-entity-associations/routes.ts';
import { eventPublisherEnvironment } from '../functions/event-publisher/environment.ts';
import { fileDocumentsEnvironment } from '../functions/file-documents/environment.ts';
import { fileDocumentRoutes } from '../functions/file-documents/routes.ts';
import { importEnvironment } from '../functions/import/environment.ts';
import { licenseSweepEnvironment } from '../functions/license-sweep/environment.ts';
import { notFoundEnvironment } from '../functions/not-found/environment.ts';
import { notFoundRoutes } from '../functions/not-found/routes.ts';
import { policiesEnvironment } from '../functions/policies/environment.ts';
import { policyRoutes } from '../functions/policies/routes.ts';
import { registryReconciliationEnvironment } from '../functions/registry-reconciliation/environment.ts';
import { registrySyncEnvironment } from '../functions/registry-sync/environment.ts';
import { signingSecretRotationEnvironment } from '../functions/signing-secret-rotation/environment.ts';
import { surplusLinesFilingsEnvironment } from '../functions/surplus-lines-filings/environment.ts';
import { surplusLinesFilingRoutes } from '../functions/surplus-lines-filings/routes.ts';
import { webhookDeliveryEnvironment } from '../functions/webhook-delivery/environment.ts';
import { webhookFanoutEnvironment } from '../functions/webhook-fanout/environment.ts';
import { webhooksEnvironment } from '../functions/webhooks/environment.ts';
import { webhookRoutes } from '../functions/webhooks/routes.ts';
import { webhookTypes } from '../shared/resources/webhook.ts';
import { Alarms } from './constructs/alarms.ts';
import { ApiFunction } from './constructs/api-function.ts';
import { plain } from './constructs/binding.ts';
import { EventBus } from './constructs/event-bus.ts';
import { Firewall } from './constructs/firewall.ts';
import { Gateway } from './constructs/gateway.ts';
import { QueueWithDlq } from './constructs/queue-with-dlq.ts';
import { Schedules } from './constructs/schedules.ts';
import { ServiceFunction } from './constructs/service-function.ts';
import { StreamFunction } from './constructs/stream-function.ts';
import { WorkerFunction } from './constructs/worker-function.ts';
import type { DataStack } from './data-stack.ts';
import type { Environment } from './environments.ts';

interface ServiceStackProps extends StackProps {
  readonly environment: Environment;
  readonly data: DataStack;
}

/**
 * What can be rebuilt: gateway > authorizer > one function per route group > data; outbox > publisher > bus > queues >
 * workers; schedules, operators and rotation beside them.
 */
export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    super(scope, id, props);
    const { environment: deployment, data } = props;
    const { workers } = deployment.capacity;
    const common = { ENVIRONMENT: plain(deployment.name) };
    const api = { ...common, RESPONSE_CHECK: plain(deployment.responseCheck) };
    // What the pipeline itself keeps for routes that write.
    const writes = {
      IDEMPOTENCY_TABLE: data.idempotency.allows({
        items: ['BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
      }),
      RATE_COUNTERS_TABLE: data.rateCounters.allows({ items: ['UpdateItem'] }),
    };

    // `REGISTRY_SYNC_QUEUE_URL: registrySyncJobs.sends()` lets a function have a subscription synchronized.
    const registrySyncTimeout = Duration.minutes(1);
    const registrySyncJobs = new QueueWithDlq(this, 'registry-sync', {
      deployment,
      workerTimeout: registrySyncTimeout,
      // Every six minutes for half an hour: an outage of the registry that lasts longer is on-call's.
      maxReceiveCount: 5,
    });

    // Every three minutes for an hour: what is an outage of AWS's own passes by itself, and on-call hears of the queue's
    // age long before.
    const maxReceiveCount = 20;
    // An attempt lasts at most 15 seconds; its records and messages take the rest.
    const webhookDeliveryTimeout = Duration.seconds(30);
    const deliveries = { deployment, workerTimeout: webhookDeliveryTimeout, maxReceiveCount };
    const fastDeliveries = new QueueWithDlq(this, 'deliveries-fast', deliveries);
    const slowDeliveries = new QueueWithDlq(this, 'deliveries-slow', {
      ...deliveries,
      // A retry waits here for up to a quarter of an hour at a time.
      behindAfter: Duration.minutes(30),
    });
    const fanoutTimeout = Duration.seconds(30);
    const events = new QueueWithDlq(this, 'webhook-fanout', {
      deployment,
      workerTimeout: fanoutTimeout,
      maxReceiveCount,
    });
    const complianceChangesTimeout = Duration.minutes(1);
    const changes = new QueueWithDlq(this, 'compliance-changes', {
      deployment,
      workerTimeout: complianceChangesTimeout,
      maxReceiveCount,
    });
    // Jobs that a schedule queues all at once, and that are then worked off.
    const jobTimeout = Duration.minutes(5);
    const passes = { deployment, workerTimeout: jobTimeout, maxReceiveCount: 5 };
    const sweepJobs = new QueueWithDlq(this, 'license-sweep', { ...passes, behindAfter: Duration.hours(2) });
    const reconciliationJobs = new QueueWithDlq(this, 'registry-reconciliation', {
      ...passes,
      behindAfter: Duration.hours(6),
    });

    const bus = new EventBus(this, 'events', deployment);
    bus.carries(webhookTypes, events);
    bus.carries(['ENTITY_COMPLIANCE_DATA_SYNCHRONIZED', 'COMPLIANCE_INPUTS_CHANGED'], changes);

    const authorizer = new ServiceFunction(this, 'authorizer', {
      deployment,
      timeout: Duration.seconds(5),
      environment: authorizerEnvironment,
      uses: {
        ...common,
        ORGANIZATIONS_TABLE: data.organizations.allows({ items: ['GetItem', 'BatchGetItem'] }),
        SIGNING_SECRET_ARN: data.signingSecret.reads(),
      },
    });
    const auth = new ApiFunction(this, authRoutes, {
      deployment,
      environment: authEnvironment,
      uses: {
        ...api,
        ORGANIZATIONS_TABLE: data.organizations.allows({ items: ['GetItem'] }),
        RATE_COUNTERS_TABLE: data.rateCounters.allows({ items: ['UpdateItem'] }),
        SIGNING_SECRET_ARN: data.signingSecret.reads(),
      },
    });
    // Apart from the others: strangers reach it without a credential, and can keep nobody but themselves waiting.
    const notFound = new ApiFunction(this, notFoundRoutes, {
      deployment,
      environment: notFoundEnvironment,
      uses: api,
    });
    const policies = new ApiFunction(this, policyRoutes, {
      deployment,
      environment: policiesEnvironment,
      uses: {
        ...api,
        POLICIES_TABLE: data.policies.allows({
          items: ['GetItem'],
          query: ['by-number', 'by-status', 'by-state', 'by-ordinal'],
        }),
      },
    });
    const carriers = new ApiFunction(this, carrierRoutes, {
      deployment,
      environment: carriersEnvironment,
      uses: { ...api, CARRIERS_TABLE: data.carriers.allows({ query: ['table'] }) },
    });
    const downstreamEntityAssociations = new ApiFunction(this, downstreamEntityAssociationRoutes, {
      deployment,
      environment: downstreamEntityAssociationsEnvironment,
      uses: {
        ...api,
        ...writes,
        // Its answers fit the record itself.
        IDEMPOTENCY_TABLE: data.idempotency.allows({ items: ['PutItem', 'UpdateItem', 'DeleteItem'] }),
        AGENCY_APP_URL: plain(deployment.agencyAppUrl),
        ASSOCIATIONS_TABLE: data.associations.allows({
          items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
          query: ['table', 'by-npn'],
        }),
        COMPLIANCE_TABLE: data.compliance.allows({ items: ['GetItem'], query: ['table'] }),
        CONTACTS_TABLE: data.contacts.allows({
          items: ['GetItem', 'BatchGetItem', 'PutItem'],
          query: ['by-email', 'by-domain'],
        }),
        DOWNSTREAM_ENTITIES_TABLE: data.downstreamEntities.allows({
          items: ['BatchGetItem', 'PutItem', 'ConditionCheckItem'],
        }),
        ONE_TIME_LINKS_TABLE: data.oneTimeLinks.allows({ items: ['PutItem'] }),
        ORGANIZATIONS_TABLE: data.organizations.allows({ items: ['GetItem'] }),
        OUTBOX_TABLE: data.outbox.allows({ items: ['PutItem'] }),
        POLICIES_TABLE: data.policies.allows({ query: ['by-agency'] }),
        REGISTRY_RECORDS_TABLE: data.registryRecords.allows({
          items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
          query: ['table', 'by-license-number'],
        }),
        REGISTRY_SYNC_QUEUE_URL: registrySyncJobs.sends(),
      },
    });
    const contacts = new ApiFunction(this, contactRoutes, {
      deployment,
      environment: contactsEnvironment,
      uses: {
        ...api,
        ...writes,
        // Its answers fit the record itself.
        IDEMPOTENCY_TABLE: data.idempotency.allows({ items: ['PutItem', 'UpdateItem', 'DeleteItem'] }),
        CONTACTS_TABLE: data.contacts.allows({
          items: ['GetItem', 'BatchGetItem', 'PutItem'],
          query: ['table', 'by-list'],
        }),
        ASSOCIATIONS_TABLE: data.associations.allows({
          items: ['GetItem', 'BatchGetItem'],
          query: ['table'],
        }),
        DOWNSTREAM_ENTITIES_TABLE: data.downstreamEntities.allows({ items: ['GetItem'] }),
      },
    });
    const fileDocuments = new ApiFunction(this, fileDocumentRoutes, {
      deployment,
      environment: fileDocumentsEnvironment,
      uses: {
        ...api,
        ...writes,
        // Its answers fit the record itself.
        IDEMPOTENCY_TABLE: data.idempotency.allows({ items: ['PutItem', 'UpdateItem', 'DeleteItem'] }),
        ASSOCIATIONS_TABLE: data.associations.allows({ items: ['GetItem'] }),
        FILE_DOCUMENTS_TABLE: data.fileDocuments.allows({
          items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
          query: ['by-owner', 'by-entity'],
        }),
        DOWNSTREAM_ENTITIES_TABLE: data.downstreamEntities.allows({ items: ['GetItem'] }),
        OUTBOX_TABLE: data.outbox.allows({ items: ['PutItem'] }),
        FILES_BUCKET: data.files.allows({
          read: ['incoming', 'files'],
          write: ['incoming', 'files'],
          missing: true,
        }),
      },
    });
    const surplusLinesFilings = new ApiFunction(this, surplusLinesFilingRoutes, {
      deployment,
      environment: surplusLinesFilingsEnvironment,
      uses: {
        ...api,
        ...writes,
        FILINGS_TABLE: data.filings.allows({
          items: ['BatchGetItem', 'PutItem'],
          query: [
            'table',
            'by-downstream',
            'by-owner',
            'by-status',
            'by-state',
            'by-policy-number',
            'by-reference',
            'by-action',
            'by-entity',
          ],
        }),
        FILE_DOCUMENTS_TABLE: data.fileDocuments.allows({ items: ['BatchGetItem', 'UpdateItem'] }),
        DOWNSTREAM_ENTITIES_TABLE: data.downstreamEntities.allows({ items: ['GetItem'] }),
        OUTBOX_TABLE: data.outbox.allows({ items: ['PutItem'] }),
        FILES_BUCKET: data.files.allows({
          read: ['incoming', 'files'],
          write: ['files'],
          missing: true,
        }),
      },
    });
    const agents = new ApiFunction(this, agentRoutes, {
      deployment,
      environment: agentsEnvironment,
      uses: {
        ...api,
        AGENTS_TABLE: data.agents.allows({ items: ['GetItem', 'BatchGetItem'], query: ['table', 'by-npn'] }),
        COMPLIANCE_TABLE: data.compliance.allows({ items: ['GetItem'] }),
        REGISTRY_RECORDS_TABLE: data.registryRecords.allows({
          items: ['BatchGetItem'],
          query: ['table', 'by-license-number'],
        }),
      },
    });
    const compliance = new ApiFunction(this, complianceRoutes, {
      deployment,
      environment: complianceEnvironment,
      uses: {
        ...api,
        ...writes,
        // Its answers fit the record itself.
        IDEMPOTENCY_TABLE: data.idempotency.allows({ items: ['PutItem', 'UpdateItem', 'DeleteItem'] }),
        ...data.registry.asks(),
        COMPLIANCE_TABLE: data.compliance.allows({ items: ['UpdateItem'], query: ['table'] }),
        OUTBOX_TABLE: data.outbox.allows({ items: ['PutItem'] }),
        REGISTRY_RECORDS_TABLE: data.registryRecords.allows({
          items: ['GetItem', 'BatchGetItem'],
          query: ['table'],
        }),
      },
    });
    const webhooks = new ApiFunction(this, webhookRoutes, {
      deployment,
      environment: webhooksEnvironment,
      uses: {
        ...api,
        ...writes,
        // Its answers fit the record itself.
        IDEMPOTENCY_TABLE: data.idempotency.allows({ items: ['PutItem', 'UpdateItem', 'DeleteItem'] }),
        WEBHOOKS_TABLE: data.webhooks.allows({
          items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
          query: ['table', 'by-webhook'],
        }),
        FAST_DELIVERIES_QUEUE_URL: fastDeliveries.sends(),
        SLOW_DELIVERIES_QUEUE_URL: slowDeliveries.sends(),
        ALLOW_LOOPBACK_RECEIVERS: plain(deployment.loopbackReceivers),
      },
    });
    const agency = new ApiFunction(this, agencyRoutes, {
      deployment,
      environment: agencyEnvironment,
      uses: {
        ...api,
        ...writes,
        // Its answers fit the record itself.
        IDEMPOTENCY_TABLE: data.idempotency.allows({ items: ['PutItem', 'UpdateItem', 'DeleteItem'] }),
        DOWNSTREAM_ENTITIES_TABLE: data.downstreamEntities.allows({
          items: ['GetItem', 'BatchGetItem'],
          query: ['by-organization'],
        }),
        AGENTS_TABLE: data.agents.allows({ items: ['BatchGetItem'], query: ['by-list', 'by-npn'] }),
        ASSOCIATIONS_TABLE: data.associations.allows({
          items: ['BatchGetItem'],
          query: ['by-list', 'by-list-entity'],
        }),
        REGISTRY_RECORDS_TABLE: data.registryRecords.allows({
          items: ['BatchGetItem'],
          query: ['table', 'by-list', 'by-npn', 'by-state', 'by-status', 'by-license-number'],
        }),
        COMPLIANCE_TABLE: data.compliance.allows({ query: ['table'] }),
        LICENSING_TABLE: data.licensing.allows({
          items: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'],
          query: ['by-list', 'by-list-entity'],
        }),
        FILINGS_TABLE: data.filings.allows({ items: ['BatchGetItem'], query: ['by-action', 'by-entity'] }),
      },
    });
    const apiFunctions = [
      auth,
      notFound,
      policies,
      carriers,
      downstreamEntityAssociations,
      contacts,
      fileDocuments,
      surplusLinesFilings,
      agency,
      agents,
      compliance,
      webhooks,
    ];
    const gateway = new Gateway(this, 'Gateway', {
      environment: deployment,
      authorizer,
      functions: apiFunctions,
      fallback: notFound,
    });
    if (deployment.firewall) new Firewall(this, 'Firewall', gateway.api.deploymentStage, deployment);

    const registrySync = new WorkerFunction(this, 'registry-sync', {
      deployment,
      timeout: registrySyncTimeout,
      environment: registrySyncEnvironment,
      uses: {
        ...common,
        ...data.registry.asks(),
        REGISTRY_RECORDS_TABLE: data.registryRecords.allows({
          items: ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
          query: ['table'],
        }),
        OUTBOX_TABLE: data.outbox.allows({ items: ['PutItem'] }),
        DEAD_LETTER_QUEUE_URL: registrySyncJobs.deadLetters(),
        MAX_RECEIVE_COUNT: registrySyncJobs.receives(),
      },
      feeds: [{ queue: registrySyncJobs, batchSize: 5, maxConcurrency: workers['registry-sync'] }],
    });
    const publisher = new StreamFunction(this, 'event-publisher', {
      deployment,
      timeout: Duration.minutes(5),
      environment: eventPublisherEnvironment,
      uses: {
        ...common,
        OUTBOX_TABLE: data.outbox.allows({ items: ['BatchGetItem', 'UpdateItem'], query: ['unpublished'] }),
        EVENT_BUS_NAME: bus.puts(),
      },
      table: data.outbox,
      // New events alone: not what is noted on them later, nor the counters beside them.
      filter: {
        eventName: FilterRule.isEqual('INSERT'),
        dynamodb: { Keys: { sk: { S: FilterRule.beginsWith('EVENT#') } } },
      },
      batchSize: 100,
      // What still fails stays in the outbox, where the schedule finds it.
      retryAttempts: 5,
    });
    const webhookFanout = new WorkerFunction(this, 'webhook-fanout', {
      deployment,
      timeout: fanoutTimeout,
      environment: webhookFanoutEnvironment,
      uses: {
        ...common,
        WEBHOOKS_TABLE: data.webhooks.allows({ items: ['BatchGetItem', 'PutItem'], query: ['table'] }),
        FAST_DELIVERIES_QUEUE_URL: fastDeliveries.sends(),
        SLOW_DELIVERIES_QUEUE_URL: slowDeliveries.sends(),
        DEAD_LETTER_QUEUE_URL: events.deadLetters(),
        MAX_RECEIVE_COUNT: events.receives(),
      },
      feeds: [{ queue: events, batchSize: 10, maxConcurrency: workers['webhook-fanout'] }],
    });
    const webhookDelivery = new WorkerFunction(this, 'webhook-delivery', {
      deployment,
      timeout: webhookDeliveryTimeout,
      environment: webhookDeliveryEnvironment,
      uses: {
        ...common,
        WEBHOOKS_TABLE: data.webhooks.allows({ items: ['BatchGetItem', 'UpdateItem'] }),
        OUTBOX_TABLE: data.outbox.allows({ items: ['GetItem'] }),
        FAST_DELIVERIES_QUEUE_URL: fastDeliveries.sends(),
        SLOW_DELIVERIES_QUEUE_URL: slowDeliveries.sends(),
        // A message that can't be read says not even in which queue it was.
        DEAD_LETTER_QUEUE_URL: fastDeliveries.deadLetters(),
        MAX_RECEIVE_COUNT: fastDeliveries.receives(),
        ALLOW_LOOPBACK_RECEIVERS: plain(deployment.loopbackReceivers),
      },
      recursion: {
        reason:
          'A delivery waits for its next attempt as a message that is sent again every 15 minutes; the tenth attempt, days later, ends it.',
      },
      feeds: [
        // One at a time, so that none waits for the slow receiver of another.
        { queue: fastDeliveries, batchSize: 1, maxConcurrency: workers['deliveries-fast'] },
        { queue: slowDeliveries, batchSize: 10, maxConcurrency: workers['deliveries-slow'] },
      ],
    });
    const complianceChanges = new WorkerFunction(this, 'compliance-changes', {
      deployment,
      timeout: complianceChangesTimeout,
      environment: complianceChangesEnvironment,
      uses: {
        ...common,
        COMPLIANCE_TABLE: data.compliance.allows({
          items: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
          query: ['table'],
        }),
        REGISTRY_RECORDS_TABLE: data.registryRecords.allows({ query: ['table'] }),
        AGENTS_TABLE: data.agents.allows({ query: ['table', 'by-npn'] }),
        ASSOCIATIONS_TABLE: data.associations.allows({ items: ['BatchGetItem'], query: ['table', 'by-npn'] }),
        DOWNSTREAM_ENTITIES_TABLE: data.downstreamEntities.allows({ items: ['BatchGetItem'] }),
        OUTBOX_TABLE: data.outbox.allows({ items: ['PutItem'] }),
        COMPLIANCE_CHANGES_QUEUE_URL: changes.sends(),
        DEAD_LETTER_QUEUE_URL: changes.deadLetters(),
        MAX_RECEIVE_COUNT: changes.receives(),
      },
      recursion: {
        reason:
          'A change of a whole carrier walks 200 NPNs a message, and each change is reported when its window ends; the last NPN and the report end it.',
      },
      feeds: [{ queue: changes, batchSize: 5, maxConcurrency: workers['compliance-changes'] }],
    });
    const licenseSweep = new WorkerFunction(this, 'license-sweep', {
      deployment,
      timeout: jobTimeout,
      environment: licenseSweepEnvironment,
      uses: {
        ...common,
        REGISTRY_RECORDS_TABLE: data.registryRecords.allows({
          items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
          query: ['by-renewal'],
        }),
        AGENTS_TABLE: data.agents.allows({ items: ['BatchGetItem'] }),
        ASSOCIATIONS_TABLE: data.associations.allows({ query: ['by-npn'] }),
        OUTBOX_TABLE: data.outbox.allows({ items: ['PutItem'] }),
        LICENSE_SWEEP_QUEUE_URL: sweepJobs.sends(),
        DEAD_LETTER_QUEUE_URL: sweepJobs.deadLetters(),
        MAX_RECEIVE_COUNT: sweepJobs.receives(),
      },
      recursion: {
        reason: 'Called by its schedule, it sends the jobs that invoke it; a job sends nothing.',
      },
      feeds: [{ queue: sweepJobs, batchSize: 1, maxConcurrency: workers['license-sweep'] }],
    });
    const registryReconciliation = new WorkerFunction(this, 'registry-reconciliation', {
      deployment,
      timeout: jobTimeout,
      environment: registryReconciliationEnvironment,
      uses: {
        ...common,
        ...data.registry.asks(),
        REGISTRY_RECORDS_TABLE: data.registryRecords.allows({
          items: ['BatchGetItem', 'PutItem'],
          query: ['table', 'by-shard'],
        }),
        AGENTS_TABLE: data.agents.allows({ items: ['BatchGetItem'] }),
        ASSOCIATIONS_TABLE: data.associations.allows({ query: ['by-npn'] }),
        OUTBOX_TABLE: data.outbox.allows({ items: ['PutItem'] }),
        REGISTRY_RECONCILIATION_QUEUE_URL: reconciliationJobs.sends(),
        DEAD_LETTER_QUEUE_URL: reconciliationJobs.deadLetters(),
        MAX_RECEIVE_COUNT: reconciliationJobs.receives(),
      },
      recursion: {
        reason: 'Called by its schedule, it sends the jobs that invoke it; a job sends nothing.',
      },
      feeds: [
        { queue: reconciliationJobs, batchSize: 1, maxConcurrency: workers['registry-reconciliation'] },
      ],
    });

    const schedules = new Schedules(this, 'schedules', deployment);
    const newYork = TimeZone.AMERICA_NEW_YORK;
    schedules.calls(publisher, 'republish', ScheduleExpression.rate(Duration.minutes(5)));
    // Before the sweep, and after the hours that New York's clocks skip or repeat.
    schedules.calls(registryReconciliation, 'dispatch', daily(4, newYork));
    // Expiring and expired licenses (OpenAPI, "Events").
    schedules.calls(licenseSweep, 'dispatch', daily(5, newYork));

    const admin = new ServiceFunction(this, 'admin', {
      deployment,
      timeout: Duration.minutes(5),
      environment: adminEnvironment,
      uses: {
        ...common,
        ORGANIZATIONS_TABLE: data.organizations.allows({ items: ['GetItem', 'PutItem', 'UpdateItem'] }),
        FILINGS_TABLE: data.filings.allows({ items: ['GetItem', 'PutItem'], query: ['table'] }),
        FILE_DOCUMENTS_TABLE: data.fileDocuments.allows({
          items: ['BatchGetItem', 'PutItem', 'UpdateItem'],
        }),
        FILES_BUCKET: data.files.allows({
          read: ['incoming', 'files'],
          write: ['incoming', 'files'],
          missing: true,
        }),
        ASSOCIATIONS_TABLE: data.associations.allows({ items: ['GetItem', 'PutItem'], query: ['by-npn'] }),
        ONE_TIME_LINKS_TABLE: data.oneTimeLinks.allows({ items: ['UpdateItem'] }),
        AGENTS_TABLE: data.agents.allows({ items: ['BatchGetItem'] }),
        LICENSING_TABLE: data.licensing.allows({ items: ['GetItem', 'PutItem', 'DeleteItem'] }),
        REGISTRY_RECORDS_TABLE: data.registryRecords.allows({
          items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
          query: ['table', 'by-renewal', 'by-shard'],
        }),
        OUTBOX_TABLE: data.outbox.allows({ items: ['PutItem'] }),
        ...data.registry.asks(),
        QUEUES: QueueWithDlq.redrives(this, [
          registrySyncJobs,
          events,
          fastDeliveries,
          slowDeliveries,
          changes,
          sweepJobs,
          reconciliationJobs,
        ]),
      },
    });
    const imports = new ServiceFunction(this, 'import', {
      deployment,
      timeout: Duration.minutes(5),
      environment: importEnvironment,
      uses: {
        ...common,
        AGENTS_TABLE: data.agents.allows({ items: ['GetItem', 'PutItem', 'DeleteItem'] }),
        ASSOCIATIONS_TABLE: data.associations.allows({
          items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
          query: ['by-entity'],
        }),
        CARRIERS_TABLE: data.carriers.allows({ items: ['BatchGetItem', 'PutItem', 'DeleteItem'] }),
        COMPLIANCE_TABLE: data.compliance.allows({ items: ['BatchGetItem', 'PutItem'] }),
        CONTACTS_TABLE: data.contacts.allows({
          items: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'],
          query: ['table'],
        }),
        DOWNSTREAM_ENTITIES_TABLE: data.downstreamEntities.allows({
          items: ['BatchGetItem', 'PutItem', 'ConditionCheckItem'],
        }),
        FILINGS_TABLE: data.filings.allows({
          items: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'],
          query: ['table'],
        }),
        LICENSING_TABLE: data.licensing.allows({ items: ['BatchGetItem', 'PutItem'] }),
        ORGANIZATIONS_TABLE: data.organizations.allows({ items: ['GetItem'] }),
        OUTBOX_TABLE: data.outbox.allows({ items: ['PutItem'] }),
        POLICIES_TABLE: data.policies.allows({ items: ['BatchGetItem', 'PutItem'], query: ['table'] }),
        REGISTRY_RECORDS_TABLE: data.registryRecords.allows({
          items: ['BatchGetItem', 'PutItem', 'UpdateItem'],
        }),
      },
    });

    const rotation = new ServiceFunction(this, 'signing-secret-rotation', {
      deployment,
      timeout: Duration.seconds(30),
      environment: signingSecretRotationEnvironment,
      uses: common,
    });
    data.signingSecret.rotatedBy(rotation);

    new Alarms(this, 'Alarms', {
      environment: deployment,
      gateway,
      authorizer,
      apiFunctions,
      admin,
      imports,
      rotation,
      publisher,
      bus,
      schedules,
      workers: [
        registrySync,
        webhookFanout,
        webhookDelivery,
        complianceChanges,
        licenseSweep,
        registryReconciliation,
      ],
      tables: data.tables,
    });
  }
}

const daily = (hour: number, timeZone: TimeZone): ScheduleExpression =>
  ScheduleExpression.cron({ minute: '0', hour: String(hour), timeZone });
