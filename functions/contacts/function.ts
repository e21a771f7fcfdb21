import type { ApiDependencies } from '../../shared/config/dependencies.ts';
import { createContactStore } from '../../shared/contacts/store.ts';
import { createOwnEntity } from '../../shared/downstream-entities/own-entity.ts';
import { createPipeline, type Pipeline } from '../../shared/request/pipeline.ts';
import { type WriteGuardTables, writeGuards } from '../../shared/request/write-guards.ts';
import { contactOperations } from './operations.ts';
import { contactRoutes } from './routes.ts';
import { createAgencyLists, createCarrierRelations } from './store.ts';

type Tables = 'contacts' | 'associations' | 'downstreamEntities' | keyof WriteGuardTables;

/** Serves the routes of contacts, for carriers and agencies. */
export const createContactsFunction = ({
  clients: { dynamo },
  tables,
  context,
}: ApiDependencies<Tables>): Pipeline =>
  createPipeline({
    ...context,
    group: contactRoutes,
    operations: contactOperations,
    deps: {
      contacts: createContactStore(dynamo, tables.contacts),
      relations: createCarrierRelations(dynamo, tables),
      lists: createAgencyLists(dynamo, tables),
      ownEntity: createOwnEntity(dynamo, tables.downstreamEntities),
    },
    ...writeGuards(dynamo, tables),
  });
