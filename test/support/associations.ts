import { randomUUID } from 'node:crypto';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { createDownstreamEntityAssociationsFunction } from '../../functions/downstream-entity-associations/function.ts';
import { agentsTable } from '../../shared/domain/agents/table.ts';
import { createAssociationStore } from '../../shared/domain/associations/store.ts';
import { associationsTable } from '../../shared/domain/associations/table.ts';
import { complianceTable } from '../../shared/domain/compliance/table.ts';
import { createContactStore } from '../../shared/domain/contacts/store.ts';
import { contactsTable } from '../../shared/domain/contacts/table.ts';
import { downstreamEntitiesTable } from '../../shared/domain/downstream-entities/table.ts';
import { outboxTable } from '../../shared/domain/events/table.ts';
import { oneTimeLinksTable } from '../../shared/domain/one-time-links/table.ts';
import { policiesTable } from '../../shared/domain/policies/table.ts';
import { registryRecordsTable } from '../../shared/domain/registry-records/table.ts';
import type { OrganizationCategory } from '../../shared/platform/contract/access.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { organizationKeys } from '../../shared/platform/identity/organization-keys.ts';
import { organizationsTable } from '../../shared/platform/identity/table.ts';
import type { SendMessages } from '../../shared/platform/queue/send-messages.ts';
import { idempotencyTable, rateCountersTable } from '../../shared/platform/request/tables.ts';
import { apiEvent, lambdaContext } from './api-event.ts';
import { testContext } from './context.ts';
import { linkSecret } from './link-secret.ts';
import { createTables, dynamo } from './tables.ts';

/** What tests replace: the clock, and how jobs are sent to the registry sync’s queue. */
export interface Controls {
  now: () => Date;
  sendToRegistrySync: SendMessages;
}

export interface Asked {
  readonly status: number;
  readonly errorType: unknown;
  readonly data: Record<string, unknown>;
  readonly json: Readonly<Record<string, unknown>>;
}

/** The associations function on new tables. */
export async function associationsOnTables() {
  const tables = await createTables({
    agents: agentsTable,
    associations: associationsTable,
    compliance: complianceTable,
    contacts: contactsTable,
    downstreamEntities: downstreamEntitiesTable,
    idempotency: idempotencyTable,
    oneTimeLinks: oneTimeLinksTable,
    organizations: organizationsTable,
    outbox: outboxTable,
    policies: policiesTable,
    rateCounters: rateCountersTable,
    registryRecords: registryRecordsTable,
  });
  const controls: Controls = { now: () => new Date(), sendToRegistrySync: async () => {} };
  const associations = createAssociationStore(tableOf(associationsTable, dynamo, tables.associations));
  const contacts = createContactStore(tableOf(contactsTable, dynamo, tables.contacts));
  const pipeline = createDownstreamEntityAssociationsFunction({
    clients: { dynamo, linkSecret, sendToRegistrySync: (jobs) => controls.sendToRegistrySync(jobs) },
    tables,
    agencyAppUrl: 'https://agency.example.com',
    context: testContext({ now: () => controls.now() }),
  });

  return {
    tables,
    controls,
    associations,
    contacts,

    async put(table: keyof typeof tables, item: Record<string, unknown>): Promise<void> {
      await dynamo.send(new PutItemCommand({ TableName: tables[table], Item: toItem(item) }));
    },

    /** Creates a carrier’s organization, or an agency’s; answers its id. */
    async carrier(planCeiling = 100, category: OrganizationCategory = 'upstreamEntity'): Promise<string> {
      const organizationId = newObjectId(new Date());
      const at = new Date().toISOString();
      await this.put('organizations', {
        ...organizationKeys.organization(organizationId),
        organizationId,
        name: 'Beacon Specialty',
        category,
        features: [],
        subscription: 'active',
        planCeiling,
        createdAt: at,
        updatedAt: at,
      });
      return organizationId;
    },

    /** Each call has its own credential, so that the tests do not reach the write limit. */
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
