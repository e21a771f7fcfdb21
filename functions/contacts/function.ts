import { type ApiParts, apiFunction } from '../../shared/domain/api-function.ts';
import { createRelationshipAt } from '../../shared/domain/associations/relationship-at.ts';
import { createContactStore } from '../../shared/domain/contacts/store.ts';
import { createMovesOf } from '../../shared/domain/downstream-entities/entity-moves.ts';
import { createOwnEntity, createStillOwn } from '../../shared/domain/downstream-entities/own-entity.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import { getAgencyContact, listAgencyContacts } from './agency-contacts.ts';
import { createAgencyLists } from './agency-lists.ts';
import { getContact, listContacts } from './carrier-contacts.ts';
import { createContact } from './create-contact.ts';
import { createInvitedMarkets } from './invited-markets.ts';
import { createCarrierRelations } from './store.ts';
import { uses } from './uses.ts';

/** Serves the routes of contacts, for carriers and agencies. */
export const createContactsFunction = apiFunction({
  uses,
  operations: {
    listContacts,
    getContact,
    listContactsV1: listContacts,
    getContactV1: getContact,
    listAgencyContacts,
    getAgencyContact,
    createContact,
  },
  guards: writeGuards,
  deps: ({ tables }: ApiParts<typeof uses>) => {
    const movesOf = createMovesOf(tables.downstreamEntities);
    const invitedMarkets = createInvitedMarkets(tables.associations);
    return {
      contacts: createContactStore(tables.contacts),
      relations: createCarrierRelations(tables.associations),
      lists: createAgencyLists(tables.contacts, invitedMarkets),
      invitedMarkets,
      relationshipAt: createRelationshipAt(tables.associations, movesOf),
      movesOf,
      stillOwn: createStillOwn(tables.downstreamEntities),
      ownEntity: createOwnEntity(tables.downstreamEntities),
    };
  },
});
