import { randomUUID } from 'node:crypto';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { createPoliciesOfAgency } from '../../functions/downstream-entity-associations/agency-policies.ts';
import { downstreamEntityAssociationOperations } from '../../functions/downstream-entity-associations/operations.ts';
import { downstreamEntityAssociationRoutes } from '../../functions/downstream-entity-associations/routes.ts';
import type { SendSyncJob } from '../../functions/downstream-entity-associations/send-sync-job.ts';
import { createSynchronizationStore } from '../../functions/downstream-entity-associations/synchronizations.ts';
import { createTemplateStore } from '../../functions/downstream-entity-associations/templates.ts';
import { createAssociationStore } from '../../shared/associations/store.ts';
import { createAssociationEventSteps } from '../../shared/associations/told.ts';
import { createComplianceConfigs } from '../../shared/compliance/store.ts';
import { createContactStore } from '../../shared/contacts/store.ts';
import { toItem } from '../../shared/data/dynamo.ts';
import { newObjectId } from '../../shared/data/object-id.ts';
import {
  associationsTable,
  complianceTable,
  contactsTable,
  downstreamEntitiesTable,
  idempotencyTable,
  oneTimeLinksTable,
  organizationsTable,
  outboxTable,
  policiesTable,
  rateCountersTable,
  registryRecordsTable,
} from '../../shared/data/tables.ts';
import { createDownstreamEntities } from '../../shared/downstream-entities/store.ts';
import { organizationKeys } from '../../shared/identity/organization.ts';
import { createOrganizationStore } from '../../shared/identity/organization-store.ts';
import { createOneTimeLinks } from '../../shared/one-time-links/store.ts';
import { createRegistryRecords } from '../../shared/registry-records/store.ts';
import { createIdempotency } from '../../shared/request/idempotency.ts';
import { createPipeline } from '../../shared/request/pipeline.ts';
import { createRateLimiter } from '../../shared/request/rate-limit.ts';
import { apiEvent, lambdaContext } from './api-event.ts';
import { recordingLogger } from './recording-logger.ts';
import { createTable, dynamo } from './tables.ts';

/** A clock that tests move, and a queue that remembers, or refuses, what it is sent. */
export interface Stage {
  now: () => Date;
  sendSyncJob: SendSyncJob;
}

export interface Asked {
  readonly status: number;
  readonly errorType: unknown;
  readonly data: Record<string, unknown>;
  readonly json: Readonly<Record<string, unknown>>;
}

/** The associations' function on tables of its own. */
export async function associationsOnTables() {
  const designs = {
    associations: associationsTable,
    compliance: complianceTable,
    contacts: contactsTable,
    entities: downstreamEntitiesTable,
    idempotency: idempotencyTable,
    links: oneTimeLinksTable,
    organizations: organizationsTable,
    outbox: outboxTable,
    policies: policiesTable,
    rateCounters: rateCountersTable,
    registryRecords: registryRecordsTable,
  };
  const named = await Promise.all(
    Object.entries(designs).map(async ([name, design]) => [name, await createTable(design)] as const),
  );
  const tables = Object.fromEntries(named) as Record<keyof typeof designs, string>;
  const stage: Stage = { now: () => new Date(), sendSyncJob: async () => {} };
  const associations = createAssociationStore(dynamo, tables.associations);
  const contacts = createContactStore(dynamo, tables.contacts);
  const pipeline = createPipeline({
    environment: 'local',
    responseCheck: 'refuse',
    logger: recordingLogger(),
    now: () => stage.now(),
    group: downstreamEntityAssociationRoutes,
    operations: downstreamEntityAssociationOperations,
    deps: {
      associations,
      complianceConfigs: createComplianceConfigs(dynamo, tables.compliance),
      contacts,
      entities: createDownstreamEntities(dynamo, tables.entities),
      events: createAssociationEventSteps(tables.outbox),
      oneTimeLinks: createOneTimeLinks(dynamo, tables.links, 'https://agency.example.com'),
      organizations: createOrganizationStore(dynamo, tables.organizations),
      policiesOfAgency: createPoliciesOfAgency(dynamo, tables.policies),
      registryRecords: createRegistryRecords(dynamo, tables.registryRecords),
      sendSyncJob: (job: Parameters<SendSyncJob>[0]) => stage.sendSyncJob(job),
      synchronizations: createSynchronizationStore(dynamo, tables.registryRecords),
      templates: createTemplateStore(dynamo, tables.associations),
    },
    rateLimiter: createRateLimiter(dynamo, tables.rateCounters),
    idempotency: createIdempotency(dynamo, tables.idempotency),
  });

  return {
    tables,
    stage,
    associations,
    contacts,

    async put(table: keyof typeof tables, item: Record<string, unknown>): Promise<void> {
      await dynamo.send(new PutItemCommand({ TableName: tables[table], Item: toItem(item) }));
    },

    /** A carrier with an organization of its own. */
    async carrier(planCeiling = 100): Promise<string> {
      const organizationId = newObjectId(new Date());
      const at = new Date().toISOString();
      await this.put('organizations', {
        ...organizationKeys.organization(organizationId),
        organizationId,
        name: 'Beacon Specialty',
        category: 'upstreamEntity',
        features: [],
        subscription: 'active',
        planCeiling,
        createdAt: at,
        updatedAt: at,
      });
      return organizationId;
    },

    /** Each call has a credential of its own, or the tests would meet the limit of writes. */
    async ask(
      organizationId: string,
      route: Parameters<typeof apiEvent>[0],
      options: Parameters<typeof apiEvent>[1] = {},
    ): Promise<Asked> {
      const identity = { organizationId, category: 'upstreamEntity' as const, credentialId: randomUUID() };
      const { status, body } = await pipeline(apiEvent(route, { identity, ...options }), lambdaContext);
      let text = '';
      if (typeof body === 'string') text = body;
      else for await (const piece of body) text += Buffer.from(piece).toString('utf8');
      const json = JSON.parse(text) as { data?: Record<string, unknown>; errorType?: unknown };
      return { status, errorType: json.errorType, data: json.data ?? {}, json };
    },
  };
}
