import { apiFunction } from '../../shared/domain/api-function.ts';
import { createRelationshipAt } from '../../shared/domain/associations/relationship-at.ts';
import { createContactStore } from '../../shared/domain/contacts/store.ts';
import { createOwnEntities } from '../../shared/domain/downstream-entities/own-entity.ts';
import type { Resources } from '../../shared/domain/function.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import * as agencyContacts from './agency-contacts.ts';
import { createAgencyLists } from './agency-lists.ts';
import * as carrierContacts from './carrier-contacts.ts';
import * as changes from './change-contact.ts';
import * as creation from './create-contact.ts';
import { createInvitedMarkets } from './invited-markets.ts';
import { createCarrierRelations } from './store.ts';
import { uses } from './uses.ts';

/** What the operations of contacts work with. */
const deps = ({ tables }: Resources<typeof uses>) => {
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

export type Deps = ReturnType<typeof deps>;

type Routes = typeof uses.routes.routes;

/** The operation of a row, or of rows that share it. */
export type ContactOperation<Id extends keyof Routes> = Operation<Routes[Id], Deps>;

/** Serves the routes of contacts, for carriers and agencies. */
export const contactsFunction = apiFunction({
  uses,
  operations: { ...carrierContacts, ...agencyContacts, ...creation, ...changes },
  deps,
  guards: writeGuards,
  resources: () => ({}),
});
