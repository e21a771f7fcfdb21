import { lambdaObjectStore } from '#domain/file-documents/lambda-object-store.ts';
import { apiFunction } from '#function/api-function.ts';
import { writeServices } from '#platform/request/write-services.ts';
import { createFilingSources, filingChanges, filingReads } from './operations.ts';
import { uses } from './uses.ts';

/** Serves the routes of surplus lines filings, for carriers and agencies. */
export const surplusLinesFilingsFunction = apiFunction({
  uses,
  resources: ({ values }) => ({ objectStore: lambdaObjectStore(values.FILES_BUCKET, values.MALWARE_SCAN) }),
  operations: (resources) => {
    const sources = createFilingSources(resources);
    const reads = filingReads(sources);
    const changes = filingChanges(sources);
    return {
      ...reads,
      ...changes,
      getAgencyFiling: reads.getFiling,
      replaceAgencyFilingPolicyDocument: changes.replaceFilingPolicyDocument,
      attachAgencyFilingFiles: changes.attachFilingFiles,
      createAgencyFilingEscalationMessage: changes.createFilingEscalationMessage,
    };
  },
  services: writeServices,
});
