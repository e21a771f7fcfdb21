import { agencyEnvironment } from '../../functions/agency/environment.ts';
import { agencyRoutes } from '../../functions/agency/routes.ts';
import { agentsEnvironment } from '../../functions/agents/environment.ts';
import { agentRoutes } from '../../functions/agents/routes.ts';
import { authEnvironment } from '../../functions/auth/environment.ts';
import { authRoutes } from '../../functions/auth/routes.ts';
import { carriersEnvironment } from '../../functions/carriers/environment.ts';
import { carrierRoutes } from '../../functions/carriers/routes.ts';
import { complianceEnvironment } from '../../functions/compliance/environment.ts';
import { complianceRoutes } from '../../functions/compliance/routes.ts';
import { contactsEnvironment } from '../../functions/contacts/environment.ts';
import { contactRoutes } from '../../functions/contacts/routes.ts';
import { downstreamEntityAssociationsEnvironment } from '../../functions/downstream-entity-associations/environment.ts';
import { downstreamEntityAssociationRoutes } from '../../functions/downstream-entity-associations/routes.ts';
import { fileDocumentsEnvironment } from '../../functions/file-documents/environment.ts';
import { fileDocumentRoutes } from '../../functions/file-documents/routes.ts';
import { notFoundEnvironment } from '../../functions/not-found/environment.ts';
import { notFoundRoutes } from '../../functions/not-found/routes.ts';
import { policiesEnvironment } from '../../functions/policies/environment.ts';
import { policyRoutes } from '../../functions/policies/routes.ts';
import { surplusLinesFilingsEnvironment } from '../../functions/surplus-lines-filings/environment.ts';
import { surplusLinesFilingRoutes } from '../../functions/surplus-lines-filings/routes.ts';
import { webhooksEnvironment } from '../../functions/webhooks/environment.ts';
import { webhookRoutes } from '../../functions/webhooks/routes.ts';
import { ApiFunction } from '../constructs/api-function.ts';
import { plain } from '../constructs/binding.ts';
import { apiUses, filesUses, type ServiceContext, writeUses } from './context.ts';
import type { Queues } from './queues.ts';

/** One function for each route group, and one for unknown paths and wrong methods. */
export function createApiFunctions(context: ServiceContext, queues: Queues) {
  const fallback = notFound(context);
  const functions: readonly ApiFunction[] = [
    auth(context),
    fallback,
    policies(context),
    carriers(context),
    downstreamEntityAssociations(context, queues),
    contacts(context),
    fileDocuments(context),
    surplusLinesFilings(context),
    agency(context),
    agents(context),
    compliance(context),
    webhooks(context, queues),
  ];
  return { functions, fallback };
}

function auth(context: ServiceContext) {
  const { scope, deployment, data } = context;
  return new ApiFunction(scope, authRoutes, {
    deployment,
    environment: authEnvironment,
    uses: {
      ...apiUses(context),
      ORGANIZATIONS_TABLE: data.organizations.allows({ items: ['GetItem'] }),
      RATE_COUNTERS_TABLE: data.rateCounters.allows({ items: ['UpdateItem'] }),
      SIGNING_SECRET_ARN: data.signingSecret.reads(),
      SUPPORT_URL: plain(deployment.supportUrl),
    },
  });
}

/** A separate function: it is reached without a credential, and a flood delays only its own callers. */
function notFound(context: ServiceContext) {
  const { scope, deployment } = context;
  return new ApiFunction(scope, notFoundRoutes, {
    deployment,
    environment: notFoundEnvironment,
    uses: apiUses(context),
  });
}

function policies(context: ServiceContext) {
  const { scope, deployment, data } = context;
  return new ApiFunction(scope, policyRoutes, {
    deployment,
    environment: policiesEnvironment,
    uses: {
      ...apiUses(context),
      POLICIES_TABLE: data.policies.allows({
        items: ['GetItem', 'BatchGetItem'],
        query: ['by-number', 'by-status', 'by-state', 'by-match', 'by-ordinal', 'by-change'],
      }),
    },
  });
}

function carriers(context: ServiceContext) {
  const { scope, deployment, data } = context;
  return new ApiFunction(scope, carrierRoutes, {
    deployment,
    environment: carriersEnvironment,
    uses: { ...apiUses(context), CARRIERS_TABLE: data.carriers.allows({ query: ['table'] }) },
  });
}

function downstreamEntityAssociations(context: ServiceContext, queues: Queues) {
  const { scope, deployment, data } = context;
  return new ApiFunction(scope, downstreamEntityAssociationRoutes, {
    deployment,
    environment: downstreamEntityAssociationsEnvironment,
    uses: {
      ...apiUses(context),
      ...writeUses(context),
      AGENCY_APP_URL: plain(deployment.agencyAppUrl),
      ASSOCIATIONS_TABLE: data.associations.allows({
        items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
        query: ['table', 'by-npn', 'by-change'],
      }),
      COMPLIANCE_TABLE: data.compliance.allows({ items: ['GetItem'], query: ['table'] }),
      CONTACTS_TABLE: data.contacts.allows({
        items: ['GetItem', 'BatchGetItem', 'PutItem'],
        query: ['by-email', 'by-domain'],
      }),
      DOWNSTREAM_ENTITIES_TABLE: data.downstreamEntities.allows({
        items: ['BatchGetItem', 'PutItem', 'ConditionCheckItem'],
        query: ['by-change'],
      }),
      ONE_TIME_LINKS_TABLE: data.oneTimeLinks.allows({ items: ['PutItem'] }),
      ORGANIZATIONS_TABLE: data.organizations.allows({ items: ['GetItem'] }),
      OUTBOX_TABLE: data.outbox.allows({ items: ['PutItem'] }),
      POLICIES_TABLE: data.policies.allows({ query: ['by-agency'] }),
      REGISTRY_RECORDS_TABLE: data.registryRecords.allows({
        items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
        query: ['table', 'by-license-number', 'by-change'],
      }),
      REGISTRY_SYNC_QUEUE_URL: queues.registrySync.sends(),
    },
  });
}

function contacts(context: ServiceContext) {
  const { scope, deployment, data } = context;
  return new ApiFunction(scope, contactRoutes, {
    deployment,
    environment: contactsEnvironment,
    uses: {
      ...apiUses(context),
      ...writeUses(context),
      CONTACTS_TABLE: data.contacts.allows({
        items: ['GetItem', 'BatchGetItem', 'PutItem'],
        query: ['table', 'by-list'],
      }),
      ASSOCIATIONS_TABLE: data.associations.allows({
        items: ['GetItem', 'BatchGetItem'],
        query: ['table'],
      }),
      DOWNSTREAM_ENTITIES_TABLE: data.downstreamEntities.allows({ items: ['GetItem', 'ConditionCheckItem'] }),
    },
  });
}

function fileDocuments(context: ServiceContext) {
  const { scope, deployment, data } = context;
  return new ApiFunction(scope, fileDocumentRoutes, {
    deployment,
    environment: fileDocumentsEnvironment,
    uses: {
      ...apiUses(context),
      ...writeUses(context),
      ASSOCIATIONS_TABLE: data.associations.allows({ items: ['GetItem'] }),
      FILE_DOCUMENTS_TABLE: data.fileDocuments.allows({
        items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
        query: ['by-owner', 'by-entity'],
      }),
      DOWNSTREAM_ENTITIES_TABLE: data.downstreamEntities.allows({ items: ['GetItem', 'ConditionCheckItem'] }),
      OUTBOX_TABLE: data.outbox.allows({ items: ['PutItem'] }),
      ...filesUses(context, ['incoming', 'files']),
    },
  });
}

function surplusLinesFilings(context: ServiceContext) {
  const { scope, deployment, data } = context;
  return new ApiFunction(scope, surplusLinesFilingRoutes, {
    deployment,
    environment: surplusLinesFilingsEnvironment,
    uses: {
      ...apiUses(context),
      ...writeUses(context),
      // A response with a filing can be larger than an item, so it is stored in parts, which a replay reads together.
      IDEMPOTENCY_TABLE: data.idempotency.allows({
        items: ['BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
      }),
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
      DOWNSTREAM_ENTITIES_TABLE: data.downstreamEntities.allows({ items: ['GetItem', 'ConditionCheckItem'] }),
      OUTBOX_TABLE: data.outbox.allows({ items: ['PutItem'] }),
      ...filesUses(context, ['files']),
    },
  });
}

function agency(context: ServiceContext) {
  const { scope, deployment, data } = context;
  return new ApiFunction(scope, agencyRoutes, {
    deployment,
    environment: agencyEnvironment,
    uses: {
      ...apiUses(context),
      ...writeUses(context),
      DOWNSTREAM_ENTITIES_TABLE: data.downstreamEntities.allows({
        items: ['GetItem', 'BatchGetItem', 'ConditionCheckItem'],
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
      ORGANIZATIONS_TABLE: data.organizations.allows({ items: ['GetItem'] }),
      LICENSING_TABLE: data.licensing.allows({
        items: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'],
        query: ['by-list', 'by-list-entity'],
      }),
      FILINGS_TABLE: data.filings.allows({ items: ['BatchGetItem'], query: ['by-action', 'by-entity'] }),
    },
  });
}

function agents(context: ServiceContext) {
  const { scope, deployment, data } = context;
  return new ApiFunction(scope, agentRoutes, {
    deployment,
    environment: agentsEnvironment,
    uses: {
      ...apiUses(context),
      AGENTS_TABLE: data.agents.allows({
        items: ['GetItem', 'BatchGetItem'],
        query: ['table', 'by-npn', 'by-change'],
      }),
      COMPLIANCE_TABLE: data.compliance.allows({ items: ['GetItem'] }),
      ORGANIZATIONS_TABLE: data.organizations.allows({ items: ['GetItem'] }),
      REGISTRY_RECORDS_TABLE: data.registryRecords.allows({
        items: ['BatchGetItem'],
        query: ['table', 'by-license-number', 'by-change'],
      }),
    },
  });
}

function compliance(context: ServiceContext) {
  const { scope, deployment, data } = context;
  return new ApiFunction(scope, complianceRoutes, {
    deployment,
    environment: complianceEnvironment,
    uses: {
      ...apiUses(context),
      ...writeUses(context),
      ...data.registry.asks(),
      COMPLIANCE_TABLE: data.compliance.allows({ items: ['UpdateItem'], query: ['table'] }),
      OUTBOX_TABLE: data.outbox.allows({ items: ['PutItem'] }),
      REGISTRY_RECORDS_TABLE: data.registryRecords.allows({
        items: ['GetItem', 'BatchGetItem'],
        query: ['table'],
      }),
    },
  });
}

function webhooks(context: ServiceContext, queues: Queues) {
  const { scope, deployment, data } = context;
  return new ApiFunction(scope, webhookRoutes, {
    deployment,
    environment: webhooksEnvironment,
    uses: {
      ...apiUses(context),
      ...writeUses(context),
      WEBHOOKS_TABLE: data.webhooks.allows({
        items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
        query: ['table', 'by-webhook'],
      }),
      OUTBOX_TABLE: data.outbox.allows({ items: ['GetItem', 'BatchGetItem'], query: ['table'] }),
      WEBHOOK_KEY_ARN: data.webhookKey.encrypts(),
      HEALTHY_DELIVERIES_QUEUE_URL: queues.healthyDeliveries.sends(),
      FAILING_DELIVERIES_QUEUE_URL: queues.failingDeliveries.sends(),
      ALLOW_LOOPBACK_RECEIVERS: plain(deployment.loopbackReceivers),
    },
  });
}
