// Shared by the tests of file documents. Each file that imports it gets its own tables before its first test.

import { type AttachableFiles, createAttachableFiles } from '#domain/file-documents/first-use.ts';
import { createUploadEventItems } from '#domain/file-documents/stored.ts';
import { fileDocumentsTable } from '#domain/tables.ts';
import { itemsOf, tableOf, writesOf } from '#platform/data/table.ts';
import type { Pipeline } from '#platform/request/pipeline.ts';
import { fileDocumentsFunction } from '../../functions/file-documents/function.ts';
import { fileDocumentRoutes } from '../../functions/file-documents/routes.ts';
import { uses } from '../../functions/file-documents/uses.ts';
import { type Answer, callerOf, carrier, type EventOptions, send } from './api-event.ts';
import { testContext } from './context.ts';
import { memoryObjectStore } from './memory-object-store.ts';
import { recordingLogger } from './recording-logger.ts';
import { risingClock } from './rising-clock.ts';
import { createTables, dynamo, tablesUsedBy } from './tables.ts';

export const { routes } = fileDocumentRoutes;
export const owner = carrier.organizationId;
export const filing = '65f0c1d2e3a4b5c6d7e8f9ff';

let pipeline: Pipeline;
export const logger = recordingLogger();
export let files: AttachableFiles;
export let memory: ReturnType<typeof memoryObjectStore>;
const used = tablesUsedBy(uses);
export let tables: Record<(typeof used)[number], string>;

export const put = (table: keyof typeof tables, item: Record<string, unknown>): Promise<void> =>
  writesOf(dynamo, tables[table]).putAll([item]);

beforeAll(async () => {
  tables = await createTables(used);
  memory = memoryObjectStore();
  files = createAttachableFiles(
    tableOf(fileDocumentsTable, dynamo, tables.fileDocuments),
    memory.store,
    createUploadEventItems(itemsOf(tables.outbox)),
  );
  pipeline = fileDocumentsFunction.compose({
    dynamo,
    objectStore: memory.store,
    tables,
    context: testContext({ now: risingClock(), logger }),
  });
});

beforeEach(() => {
  delete memory.hooks.beforeCopy;
});

export const ask = (route: Parameters<typeof send>[1], options: EventOptions = {}): Promise<Answer> =>
  send(pipeline, route, { identity: callerOf(owner), ...options });

const announced = (bytes: Buffer, fields: object = {}): Promise<Answer> =>
  ask(routes.createFileDocument, {
    body: {
      category: 'Surplus Lines',
      fileName: 'a.pdf',
      contentType: 'application/pdf',
      sizeInBytes: bytes.length,
      ...fields,
    },
  });

export const announce = async (bytes: Buffer, fields: object = {}): Promise<string> =>
  String((await announced(bytes, fields)).data['_id']);

export const objectsOf = (id: string, folder: string): string[] =>
  [...memory.objects.keys()].filter((key) => key.startsWith(`${folder}/${id}/`));

/** Announces a file and uploads bytes to its URL. */
export const uploaded = async (bytes: Buffer, said: Buffer = bytes): Promise<string> => {
  const { data } = await announced(said);
  const { url } = data['upload'] as { url: string };
  memory.objects.set(new URL(url).pathname.slice(1), bytes);
  return String(data['_id']);
};

export const get = (id: string) => ask(routes.getFileDocument, { params: { fileDocumentId: id } });
