// Shared by the tests of filings. Each file that imports it gets its own tables before its first test.

import { randomUUID } from 'node:crypto';
import { createSurplusLinesFilingsFunction } from '../../functions/surplus-lines-filings/function.ts';
import { surplusLinesFilingRoutes } from '../../functions/surplus-lines-filings/routes.ts';
import { downstreamEntitiesTable } from '../../shared/domain/downstream-entities/table.ts';
import { outboxTable } from '../../shared/domain/events/table.ts';
import { fileDocumentItem, type StoredFileDocument } from '../../shared/domain/file-documents/stored.ts';
import { fileDocumentsTable } from '../../shared/domain/file-documents/table.ts';
import type { Filing } from '../../shared/domain/filings/filing-detail.ts';
import { createFilingStore, type FilingStore } from '../../shared/domain/filings/store.ts';
import type { StoredFiling, StoredMessage } from '../../shared/domain/filings/stored.ts';
import { filingsTable } from '../../shared/domain/filings/table.ts';
import type { Route } from '../../shared/platform/contract/route.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { transact } from '../../shared/platform/data/transact.ts';
import { idempotencyTable, rateCountersTable } from '../../shared/platform/request/tables.ts';
import { apiEvent, lambdaContext } from './api-event.ts';
import { testContext } from './context.ts';
import { everyItem } from './every-item.ts';
import { category, checklistItem, escalation, filingOf, newId } from './filings.ts';
import { objectStore } from './no-objects.ts';
import { createTable, dynamo } from './tables.ts';

export let filingsName: string;
let filesName: string;
export let entitiesName: string;
let outbox: string;
let idempotencyName: string;
let rateCountersName: string;

beforeAll(async () => {
  [filingsName, filesName, entitiesName, outbox, idempotencyName, rateCountersName] = await Promise.all([
    createTable(filingsTable),
    createTable(fileDocumentsTable),
    createTable(downstreamEntitiesTable),
    createTable(outboxTable),
    createTable(idempotencyTable),
    createTable(rateCountersTable),
  ]);
});

/** Who sends a request. */
export interface Caller {
  readonly organizationId: string;
  readonly category: 'upstreamEntity' | 'downstreamEntity';
  readonly credentialId: string;
}

export const carrier = (organizationId = newId()): Caller => ({
  organizationId,
  category: 'upstreamEntity',
  credentialId: newId(),
});
export const agency = (organizationId = newId()): Caller => ({
  organizationId,
  category: 'downstreamEntity',
  credentialId: newId(),
});

export const store = (): FilingStore =>
  createFilingStore(tableOf(filingsTable, dynamo, filingsName), () => new Date());

export const { routes } = surplusLinesFilingRoutes;

interface Sent {
  readonly filingId?: string;
  readonly query?: Record<string, string>;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Sends one request through the group's pipeline. */
export async function send(route: Route, caller: Caller, sent: Sent = {}) {
  const pipeline = createSurplusLinesFilingsFunction({
    clients: { dynamo, objectStore },
    tables: {
      filings: filingsName,
      fileDocuments: filesName,
      downstreamEntities: entitiesName,
      outbox,
      idempotency: idempotencyName,
      rateCounters: rateCountersName,
    },
    context: testContext(),
  });
  const event = apiEvent(route, {
    identity: caller,
    requestId: randomUUID(),
    ...(sent.filingId === undefined ? {} : { params: { filingId: sent.filingId } }),
    ...(sent.query === undefined ? {} : { query: sent.query }),
    ...(sent.body === undefined ? {} : { body: sent.body }),
    ...(sent.headers === undefined ? {} : { headers: sent.headers }),
  });
  const response = await pipeline(event, lambdaContext);
  let text = '';
  if (typeof response.body === 'string') text = response.body;
  else for await (const part of response.body) text += part;
  const json = JSON.parse(text) as {
    data: Filing;
    errorType?: string;
    details?: { issues?: object[]; onFiling?: string[] };
  };
  return { status: response.status, headers: response.headers, json, data: json.data };
}

/** Stores a filing with its messages. */
export async function given(
  filing: StoredFiling,
  messages: readonly StoredMessage[] = [],
): Promise<StoredFiling> {
  await store().save(undefined, { filing, messages: messages.slice(0, 80) }, []);
  for (let start = 80; start < messages.length; start += 80) {
    const previous = await store().find('upstream', filing.upstreamEntityId, filing._id);
    await store().save(previous, { filing, messages: messages.slice(start, start + 80) }, []);
  }
  return filing;
}

/** Stores an uploaded file of this owner. */
export async function givenFile(owner: string, fields: Partial<StoredFileDocument> = {}): Promise<string> {
  const _id = newId();
  const file = { objectKey: `files/${_id}`, fileName: 'proof.pdf', contentType: 'application/pdf' } as const;
  const document: StoredFileDocument = {
    _id,
    category: 'Surplus Lines',
    versions: [{ version: 1, uploadedAt: '2026-03-01T14:05:09.123Z', sizeInBytes: 9, ...file }],
    ...fields,
  };
  const Item = toItem(fileDocumentItem(owner, document));
  await transact(dynamo, [
    { write: { Put: { TableName: filesName, Item } }, refused: () => new Error('refused') },
  ]);
  return _id;
}

/** All stored filings and files of these owners, to compare before and after a rejected request. */
export async function everythingOf(...owners: string[]): Promise<string> {
  const items = await Promise.all(
    [filingsName, filesName].map(async (table) => {
      const stored = await everyItem(dynamo, table);
      return stored.filter(({ pk }) => owners.some((owner) => String(pk).startsWith(owner)));
    }),
  );
  return JSON.stringify(items);
}

export const place = { sourceCategoryId: 'documents', sourceTaskId: 'affidavit' };

/** A filing with one escalation that waits for the customer. */
export const waiting = (upstream: string, fields: Partial<StoredFiling> = {}): StoredFiling =>
  filingOf(upstream, {
    checklist: [
      category('documents', [
        checklistItem('affidavit', { escalation: escalation() }),
        checklistItem('resolved', { escalation: escalation({ status: 'resolved' }) }),
        checklistItem('quiet'),
        checklistItem('private', { escalation: escalation({ category: 'private' }) }),
      ]),
      category('internal', [checklistItem('hidden', { escalation: escalation() })], { isInternal: true }),
    ],
    ...fields,
  });
