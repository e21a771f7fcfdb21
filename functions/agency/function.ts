import { apiFunction } from '#function/api-function.ts';
import { writeServices } from '#platform/request/write-services.ts';
import { licenseRequestOperations } from './license-requests.ts';
import { agencyActions } from './list-actions-required.ts';
import { agencyLists } from './lists.ts';
import { createAgencySources } from './store.ts';
import { uses } from './uses.ts';

/** Serves the routes of an agency's own records. */
export const agencyFunction = apiFunction({
  uses,
  operations: (resources) => {
    const sources = createAgencySources(resources);
    return {
      ...agencyLists(sources),
      ...licenseRequestOperations(sources),
      ...agencyActions(sources),
    };
  },
  services: writeServices,
});
