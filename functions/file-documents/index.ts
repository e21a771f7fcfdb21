import { apiEntry } from '../../shared/domain/api-entry.ts';
import { lambdaObjectStore } from '../../shared/domain/file-documents/lambda-object-store.ts';
import { createFileDocumentsFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = apiEntry('file-documents', uses, ({ clients, ...common }, { values }) =>
  createFileDocumentsFunction({
    ...common,
    clients: { ...clients, objectStore: lambdaObjectStore(values.FILES_BUCKET, values.MALWARE_SCAN) },
  }),
);
