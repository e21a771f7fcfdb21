import { apiFunction } from '../../shared/domain/api-function.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import * as book from './book.ts';
import * as configs from './compliance-configs.ts';
import { complianceDeps } from './deps.ts';
import * as receipts from './get-receipt.ts';
import * as npns from './look-up-npns.ts';
import * as previews from './preview.ts';
import * as registryChanges from './registry-changes.ts';
import * as sellers from './sellers.ts';
import * as subscriptions from './subscriptions.ts';
import { uses } from './uses.ts';

/** Serves the routes of compliance configurations and NPN lookups. */
export const createComplianceFunction = apiFunction({
  uses,
  deps: complianceDeps,
  guards: writeGuards,
  operations: {
    ...subscriptions,
    ...npns,
    ...configs,
    ...previews,
    ...book,
    ...registryChanges,
    ...receipts,
    ...sellers,
  },
});
