import { createRelationshipAt } from '../../shared/associations/relationship-at.ts';
import type { ApiDependencies } from '../../shared/config/dependencies.ts';
import { createContactStore } from '../../shared/contacts/store.ts';
import { createMovesOf } from '../../shared/downstream-entities/entity-moves.ts';
import { createOwnEntity, createStillOwn } from '../../shared/downstream-entities/own-entity.ts';
import { createPipeline, type Pipeline } from '../../shared/request/pipeline.ts';
import { type WriteGuardTables, writeGuards } from '../../shared/request/write-guards.ts';
import { createAgencyLists } from './agency-lists.ts';
import { contactOperations } from './operations.ts';
import { contactRoutes } from './routes.ts';
import { createCarrierRelations } from './store.ts';

type Tables = 'contacts' | 'associations' | 'downstreamEntities' | keyof WriteGuardTables;

/** Serves the routes of contacts, for carriers and agencies. */
export const createContactsFunction = ({
  clients: { dynamo },
  tables,
  context,
}: ApiDependencies<Tables>): Pipeline => {
  const movesOf = createMovesOf(dynamo, tables.downstreamEntities);
  return createPipeline({
    ...context,
    group: contactRoutes,
    operations: contactOperations,
    deps: {
      contacts: createContactStore(dynamo, tables.contacts),
      relations: createCarrierRelations(dynamo, tables),
      lists: createAgencyLists(dynamo, tables.contacts),
      relationshipAt: createRelationshipAt(dynamo, tables.associations, movesOf),
      movesOf,
      stillOwn: createStillOwn(tables.downstreamEntities),
      ownEntity: createOwnEntity(dynamo, tables.downstreamEntities),
    },
    ...writeGuards(dynamo, tables),
  });
};
