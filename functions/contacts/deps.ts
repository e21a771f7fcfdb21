import type { ApiParts } from '../../shared/domain/api-function.ts';
import { createRelationshipAt } from '../../shared/domain/associations/relationship-at.ts';
import { createContactStore } from '../../shared/domain/contacts/store.ts';
import { createOwnEntities } from '../../shared/domain/downstream-entities/own-entity.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import { createAgencyLists } from './agency-lists.ts';
import { createInvitedMarkets } from './invited-markets.ts';
import { createCarrierRelations } from './store.ts';
import type { uses } from './uses.ts';

/** What the operations of contacts work with. */
export const contactDeps = ({ tables }: ApiParts<typeof uses>) => {
  const own = createOwnEntities(tables.downstreamEntities);
  const invitedMarkets = createInvitedMarkets(tables.associations);
  return {
    contacts: createContactStore(tables.contacts),
    relations: createCarrierRelations(tables.associations),
    lists: createAgencyLists(tables.contacts, invitedMarkets),
    invitedMarkets,
    relationshipAt: createRelationshipAt(tables.associations, own.movesOf),
    ...own,
  };
};

export type ContactDeps = ReturnType<typeof contactDeps>;

type Routes = typeof uses.routes.routes;

/** The operation of a row, or of rows that share it. */
export type ContactOperation<Id extends keyof Routes> = Operation<Routes[Id], ContactDeps>;
