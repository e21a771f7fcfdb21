import { apiFunction } from '../../shared/domain/api-function.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import * as complianceStatuses from './compliance-statuses.ts';
import * as creations from './create-association.ts';
import { associationDeps } from './deps.ts';
import * as reads from './get-association.ts';
import * as lists from './list-associations.ts';
import * as registryRecords from './list-registry-records.ts';
import * as synchronization from './sync-association.ts';
import * as updates from './update-association.ts';
import { uses } from './uses.ts';

/** Serves the routes of a carrier's associations with agencies. */
export const createDownstreamEntityAssociationsFunction = apiFunction({
  uses,
  deps: associationDeps,
  guards: writeGuards,
  operations: {
    ...lists,
    ...reads,
    ...updates,
    ...creations,
    ...synchronization,
    ...registryRecords,
    ...complianceStatuses,
  },
});
