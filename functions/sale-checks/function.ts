import { apiFunction } from '../../shared/domain/api-function.ts';
import { joiningBatches } from '../../shared/platform/data/joined-batches.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import * as saleChecks from './check-sales.ts';
import { saleCheckDeps } from './deps.ts';
import { uses } from './uses.ts';

const saleChecksFunction = apiFunction({
  uses,
  deps: saleCheckDeps,
  guards: writeGuards,
  operations: saleChecks,
});

/** Serves sale checks, and the keys that sign their receipts. What a check names and rests on is in six tables. */
export const createSaleChecksFunction: typeof saleChecksFunction = ({ clients, ...given }) =>
  saleChecksFunction({ ...given, clients: { ...clients, dynamo: joiningBatches(clients.dynamo) } });
