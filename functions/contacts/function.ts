import { apiFunction } from '#function/api-function.ts';
import { writeServices } from '#platform/request/write-services.ts';
import { contactChanges } from './change-contact.ts';
import { contactReads } from './read-contacts.ts';
import { createContactSources } from './store.ts';
import { uses } from './uses.ts';

/** Serves the routes of contacts, for carriers and agencies. */
export const contactsFunction = apiFunction({
  uses,
  operations: (resources) => {
    const sources = createContactSources(resources);
    return { ...contactReads(sources), ...contactChanges(sources) };
  },
  services: writeServices,
});
