import { createAssociationStore } from '#domain/associations/store.ts';
import { createContactStore } from '#domain/contacts/store.ts';
import { associationsTable, contactsTable } from '#domain/tables.ts';
import type { OrganizationCategory } from '#platform/contract/route.ts';
import { tableOf, writesOf } from '#platform/data/table.ts';
import type { SendMessages } from '#platform/queue/send.ts';
import { uses as movesUses } from '../../functions/agency-moves/uses.ts';
import { downstreamEntityAssociationsFunction } from '../../functions/downstream-entity-associations/function.ts';
import { uses as associationsUses } from '../../functions/downstream-entity-associations/uses.ts';
import { uses as importUses } from '../../functions/import/uses.ts';
import { callerOf, type EventOptions, send } from './api-event.ts';
import { testContext } from './context.ts';
import { linkSecret } from './link-secret.ts';
import { organizationsIn, type Settings } from './organizations.ts';
import { createTables, dynamo, tablesUsedBy } from './tables.ts';

/** What tests replace: the clock, and how jobs are sent to the registry sync’s queue. */
interface Controls {
  now: () => Date;
  sendToRegistrySync: SendMessages;
}

/** The associations function on new tables. */
export async function associationsOnTables() {
  const tables = await createTables(tablesUsedBy(associationsUses, importUses, movesUses));
  const controls: Controls = { now: () => new Date(), sendToRegistrySync: async () => {} };
  const associations = createAssociationStore(tableOf(associationsTable, dynamo, tables.associations));
  const contacts = createContactStore(tableOf(contactsTable, dynamo, tables.contacts));
  const pipeline = downstreamEntityAssociationsFunction.compose({
    dynamo,
    linkSecret,
    sendToRegistrySync: (jobs) => controls.sendToRegistrySync(jobs),
    tables,
    agencyAppUrl: 'https://agency.example.com',
    questionsADay: 30,
    context: testContext({ now: () => controls.now() }),
  });

  return {
    tables,
    controls,
    associations,
    contacts,

    put: (table: keyof typeof tables, item: Record<string, unknown>) =>
      writesOf(dynamo, tables[table]).putAll([item]),

    /** Creates a carrier’s organization, or an agency’s; answers its id. */
    carrier: (
      planCeiling = 100,
      category: OrganizationCategory = 'upstreamEntity',
      settings: Settings = {},
    ) => organizationsIn(tables.organizations, undefined, planCeiling)(category, settings),

    ask: (organizationId: string, route: Parameters<typeof send>[1], options: EventOptions = {}) =>
      send(pipeline, route, { identity: callerOf(organizationId), ...options }),
  };
}
