import { apiFunction } from '../../shared/domain/api-function.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import { attachFiles, replyToEscalation, setPolicyDocument } from './customer-changes.ts';
import { filingDeps } from './deps.ts';
import { getFiling, listAgencyFilings, listFilings } from './read-filings.ts';
import { uses } from './uses.ts';

/** Serves the routes of surplus lines filings, for carriers and agencies. */
export const createSurplusLinesFilingsFunction = apiFunction({
  uses,
  deps: filingDeps,
  guards: writeGuards,
  operations: {
    listFilings,
    getFiling,
    setPolicyDocument,
    attachFiles,
    replyToEscalation,
    listAgencyFilings,
    getAgencyFiling: getFiling,
    setAgencyPolicyDocument: setPolicyDocument,
    attachAgencyFiles: attachFiles,
    replyToAgencyEscalation: replyToEscalation,
  },
});
