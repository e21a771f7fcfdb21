import { apiEntry } from '../../shared/domain/api-entry.ts';
import { lambdaObjectStore } from '../../shared/domain/file-documents/lambda-object-store.ts';
import { createSurplusLinesFilingsFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = apiEntry('surplus-lines-filings', uses, ({ clients, ...common }, { values }) =>
  createSurplusLinesFilingsFunction({
    ...common,
    clients: { ...clients, objectStore: lambdaObjectStore(values.FILES_BUCKET, values.MALWARE_SCAN) },
  }),
);
