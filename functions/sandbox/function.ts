import { apiFunction } from '../../shared/domain/api-function.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import * as clock from './clock.ts';
import { sandboxDeps } from './deps.ts';
import * as registryRecords from './registry-records.ts';
import { uses } from './uses.ts';

/** Serves the routes with which customers rehearse. */
export const createSandboxFunction = apiFunction({
  uses,
  operations: { ...registryRecords, ...clock },
  guards: writeGuards,
  deps: sandboxDeps,
});
