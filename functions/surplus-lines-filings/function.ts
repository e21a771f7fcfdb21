import { apiFunction } from '../../shared/domain/api-function.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import * as changes from './customer-changes.ts';
import { filingDeps } from './deps.ts';
import * as reads from './read-filings.ts';
import { uses } from './uses.ts';

/** Serves the routes of surplus lines filings, for carriers and agencies. */
export const createSurplusLinesFilingsFunction = apiFunction({
  uses,
  deps: filingDeps,
  guards: writeGuards,
  operations: {
    ...reads,
    ...changes,
    getAgencyFiling: reads.getFiling,
    replaceAgencyFilingPolicyDocument: changes.replaceFilingPolicyDocument,
    attachAgencyFilingFiles: changes.attachFilingFiles,
    createAgencyFilingEscalationMessage: changes.createFilingEscalationMessage,
  },
});
