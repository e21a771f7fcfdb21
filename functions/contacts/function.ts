import { apiFunction } from '../../shared/domain/api-function.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import { getAgencyContact, listAgencyContacts } from './agency-contacts.ts';
import { getContact, listContacts } from './carrier-contacts.ts';
import { createContact } from './create-contact.ts';
import { contactDeps } from './deps.ts';
import { uses } from './uses.ts';

/** Serves the routes of contacts, for carriers and agencies. */
export const createContactsFunction = apiFunction({
  uses,
  deps: contactDeps,
  guards: writeGuards,
  operations: { listContacts, getContact, listAgencyContacts, getAgencyContact, createContact },
});
