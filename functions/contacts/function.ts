import { createRelationshipAt } from '../../shared/domain/associations/relationship-at.ts';
import { createContactStore } from '../../shared/domain/contacts/store.ts';
import { createMovesOf } from '../../shared/domain/downstream-entities/entity-moves.ts';
import { createOwnEntity, createStillOwn } from '../../shared/domain/downstream-entities/own-entity.ts';
import { tablesOf } from '../../shared/domain/tables.ts';
import type { ApiDependencies } from '../../shared/platform/config/dependencies.ts';
import { createPipeline, type Pipeline } from '../../shared/platform/request/pipeline.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import { createAgencyLists } from './agency-lists.ts';
import { createInvitedMarkets } from './invited-markets.ts';
import { contactOperations } from './operations.ts';
import { contactRoutes } from './routes.ts';
import { createCarrierRelations } from './store.ts';
import type { uses } from './uses.ts';

/** Serves the routes of contacts, for carriers and agencies. */
export const createContactsFunction = ({
  clients: { dynamo },
  tables: names,
  context,
}: ApiDependencies<typeof uses>): Pipeline => {
  const tables = tablesOf(dynamo, names);
  const movesOf = createMovesOf(tables.downstreamEntities);
  const invitedMarkets = createInvitedMarkets(tables.associations);
  return createPipeline({
    ...context,
    group: contactRoutes,
    operations: contactOperations,
    deps: {
      contacts: createContactStore(tables.contacts),
      relations: createCarrierRelations(tables.associations),
      lists: createAgencyLists(tables.contacts, invitedMarkets),
      invitedMarkets,
      relationshipAt: createRelationshipAt(tables.associations, movesOf),
      movesOf,
      stillOwn: createStillOwn(tables.downstreamEntities),
      ownEntity: createOwnEntity(tables.downstreamEntities),
    },
    ...writeGuards(dynamo, names),
  });
};
