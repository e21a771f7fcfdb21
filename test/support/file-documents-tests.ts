// Shared by the tests of file documents. Each file that imports it gets its own tables before its first test.

import { randomUUID } from 'node:crypto';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { createFileDocumentsFunction } from '../../functions/file-documents/function.ts';
import { fileDocumentRoutes } from '../../functions/file-documents/routes.ts';
import { associationsTable } from '../../shared/domain/associations/table.ts';
import { downstreamEntitiesTable } from '../../shared/domain/downstream-entities/table.ts';
import { outboxTable } from '../../shared/domain/events/table.ts';
import {
  type AttachableFiles,
  createAttachableFiles,
} from '../../shared/domain/file-documents/attachable.ts';
import { createUploadEventItems } from '../../shared/domain/file-documents/events.ts';
import { fileDocumentsTable } from '../../shared/domain/file-documents/table.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { itemsOf } from '../../shared/platform/data/table-items.ts';
import type { Pipeline } from '../../shared/platform/request/pipeline.ts';
import { idempotencyTable, rateCountersTable } from '../../shared/platform/request/tables.ts';
import { apiEvent, carrier, lambdaContext } from './api-event.ts';
import { testContext } from './context.ts';
import { memoryObjectStore } from './memory-object-store.ts';
import { risingClock } from './rising-clock.ts';
import { createTable, dynamo } from './tables.ts';

export const { routes } = fileDocumentRoutes;
export const owner = carrier.organizationId;
export const filing = '65f0c1d2e3a4b5c6d7e8f9ff';

let pipeline: Pipeline;
export let files: AttachableFiles;
export let memory: ReturnType<typeof memoryObjectStore>;
export let entities: string;
export let associations: string;
export let outbox: string;
export let table: string;

export const put = async (TableName: string, item: Record<string, unknown>): Promise<void> => {
  await dynamo.send(new PutItemCommand({ TableName, Item: toItem(item) }));
};

beforeAll(async () => {
  [entities, associations, outbox] = await Promise.all([
    createTable(downstreamEntitiesTable),
    createTable(associationsTable),
    createTable(outboxTable),
  ]);
  const [fileDocuments, idempotency, rateCounters] = await Promise.all([
    createTable(fileDocumentsTable),
    createTable(idempotencyTable),
    createTable(rateCountersTable),
  ]);
  table = fileDocuments;
  memory = memoryObjectStore();
  files = createAttachableFiles(
    tableOf(fileDocumentsTable, dynamo, table),
    memory.store,
    createUploadEventItems(itemsOf(outbox)),
  );
  pipeline = createFileDocumentsFunction({
    clients: { dynamo, objectStore: memory.store },
    tables: {
      associations,
      downstreamEntities: entities,
      fileDocuments: table,
      outbox,
      idempotency,
      rateCounters,
    },
    context: testContext({ now: risingClock() }),
  });
});

beforeEach(() => {
  delete memory.hooks.beforeCopy;
});

/** Each caller has its own credential, so that the tests do not reach the write limit. */
export const ask = async (
  route: Parameters<typeof apiEvent>[0],
  options: Parameters<typeof apiEvent>[1] = {},
): Promise<{ status: number; data: Record<string, unknown>; answer: Record<string, unknown> }> => {
  const identity = { ...carrier, credentialId: randomUUID() };
  const { status, body } = await pipeline(apiEvent(route, { identity, ...options }), lambdaContext);
  const answer = JSON.parse(typeof body === 'string' ? body : '{}') as Record<string, unknown>;
  return { status, data: answer['data'] as Record<string, unknown>, answer };
};

export const announce = async (bytes: Buffer, fields: object = {}): Promise<string> => {
  const body = {
    category: 'Surplus Lines',
    fileName: 'a.pdf',
    contentType: 'application/pdf',
    sizeInBytes: bytes.length,
    ...fields,
  };
  const { data } = await ask(routes.createFileDocument, { body });
  return String(data['_id']);
};

export const objectsOf = (id: string, folder: string): string[] =>
  [...memory.objects.keys()].filter((key) => key.startsWith(`${folder}/${id}/`));

/** Announces a file and uploads bytes to its URL. */
export const uploaded = async (bytes: Buffer, announced: Buffer = bytes): Promise<string> => {
  const body = {
    category: 'Surplus Lines',
    fileName: 'a.pdf',
    contentType: 'application/pdf',
    sizeInBytes: announced.length,
  };
  const { data } = await ask(routes.createFileDocument, { body });
  const { url } = data['upload'] as { url: string };
  memory.objects.set(new URL(url).pathname.slice(1), bytes);
  return String(data['_id']);
};

export const get = (id: string) => ask(routes.getFileDocument, { params: { fileDocumentId: id } });
