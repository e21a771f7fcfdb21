import { apiFunction } from '../../shared/domain/api-function.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import * as agencyContacts from './agency-contacts.ts';
import * as carrierContacts from './carrier-contacts.ts';
import * as changes from './change-contact.ts';
import * as creation from './create-contact.ts';
import { contactDeps } from './deps.ts';
import { uses } from './uses.ts';

/** Serves the routes of contacts, for carriers and agencies. */
export const createContactsFunction = apiFunction({
  uses,
  deps: contactDeps,
  guards: writeGuards,
  operations: { ...carrierContacts, ...agencyContacts, ...creation, ...changes },
});
