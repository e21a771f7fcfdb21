import { apiFunction } from '../../shared/domain/api-function.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import * as saleChecks from './check-sales.ts';
import { saleCheckDeps } from './deps.ts';
import { uses } from './uses.ts';

/** Serves sale checks, and the keys that sign their receipts. */
export const createSaleChecksFunction = apiFunction({
  uses,
  deps: saleCheckDeps,
  guards: writeGuards,
  operations: saleChecks,
});
