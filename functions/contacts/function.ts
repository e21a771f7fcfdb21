import { apiFunctionWithDeps, type OperationWith } from '#domain/api-function.ts';
import { createRelationshipAt } from '#domain/associations/relationship.ts';
import { createContactStore } from '#domain/contacts/store.ts';
import { createOwnEntities } from '#domain/downstream-entities/own-entities.ts';
import type { Resources } from '#domain/function.ts';
import { writeServices } from '#platform/request/write-services.ts';
import * as changes from './change-contact.ts';
import * as reads from './read-contacts.ts';
import { createAgencyLists, createCarrierRelations, createInvitedMarkets } from './store.ts';
import { uses } from './uses.ts';

/** Stores that the operations of contacts work with. */
const deps = ({ tables }: Resources<typeof uses>) => {
  const ownEntities = createOwnEntities(tables.downstreamEntities);
  const invitedMarkets = createInvitedMarkets(tables.associations);
  return {
    contacts: createContactStore(tables.contacts),
    relations: createCarrierRelations(tables.associations),
    lists: createAgencyLists(tables.contacts, invitedMarkets),
    invitedMarkets,
    relationshipAt: createRelationshipAt(tables.associations),
    ...ownEntities,
  };
};

export type Deps = ReturnType<typeof deps>;

type Routes = typeof uses.routes.routes;

/** The operation of a row, or of rows that share it. */
export type ContactOperation<Id extends keyof Routes> = OperationWith<Routes[Id], Deps>;

/** Serves the routes of contacts, for carriers and agencies. */
export const contactsFunction = apiFunctionWithDeps({
  uses,
  operations: { ...reads, ...changes },
  deps,
  services: writeServices,
});
