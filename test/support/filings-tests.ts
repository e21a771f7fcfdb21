// Shared by the tests of filings, their imports and operators’ commands on them. Each file that imports it gets its own tables
// before its first test.

import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { fileDocumentItem, type StoredFileDocument } from '#domain/file-documents/stored.ts';
import type { FilingStatus } from '#domain/filings/resource.ts';
import { createFilingStore, type FilingStore } from '#domain/filings/store.ts';
import type { StoredFiling, StoredMessage } from '#domain/filings/stored.ts';
import { type Filing, filing as filingSchema } from '#domain/filings/view.ts';
import { filingsTable } from '#domain/tables.ts';
import type { Identity, Route } from '#platform/contract/route.ts';
import { tableOf, writesOf } from '#platform/data/table.ts';
import type { Pipeline } from '#platform/request/pipeline.ts';
import { surplusLinesFilingsFunction } from '../../functions/surplus-lines-filings/function.ts';
import { surplusLinesFilingRoutes } from '../../functions/surplus-lines-filings/routes.ts';
import { commandsOn } from './admin.ts';
import { callerOf, send } from './api-event.ts';
import { testContext } from './context.ts';
import { everyItem } from './every-item.ts';
import { category, checklistItem, escalation, filingOf, newId } from './filings.ts';
import { filing as filingLine } from './import-lines.ts';
import { recordsInto } from './imports.ts';
import { memoryObjectStore } from './memory-object-store.ts';
import { organizationsIn } from './organizations.ts';
import { createTables, dynamo } from './tables.ts';

const used = [
  'organizations',
  'associations',
  'contacts',
  'filings',
  'fileDocuments',
  'carriers',
  'downstreamEntities',
  'outbox',
  'registryRecords',
  'idempotency',
  'rateCounters',
] as const;
export let tables: Record<(typeof used)[number], string>;
let pipeline: Pipeline;
export let newOrganization: ReturnType<typeof organizationsIn>;
/** The carrier and the agency of imported filings. */
export let upstream: string;
export let downstream: string;
export const { store: objectStore } = memoryObjectStore();

beforeAll(async () => {
  tables = await createTables(used);
  pipeline = surplusLinesFilingsFunction.compose({
    dynamo,
    objectStore,
    tables,
    context: testContext(),
  });
  newOrganization = organizationsIn(tables.organizations);
  upstream = await newOrganization('upstreamEntity');
  downstream = await newOrganization('downstreamEntity');
});

export const carrier = (organizationId = newId()): Identity => callerOf(organizationId);
export const agency = (organizationId = newId()): Identity => callerOf(organizationId, 'downstreamEntity');

export const store = (): FilingStore =>
  createFilingStore(tableOf(filingsTable, dynamo, tables.filings), () => new Date());

export const { routes } = surplusLinesFilingRoutes;

interface Sent {
  readonly filingId?: string;
  readonly query?: Record<string, string>;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Sends one request through the group's pipeline. */
export async function ask(route: Route, identity: Identity, { filingId, ...sent }: Sent = {}) {
  const params = filingId === undefined ? {} : { params: { filingId } };
  const answer = await send(pipeline, route, { identity, requestId: randomUUID(), ...params, ...sent });
  const json = answer.json as {
    data: Filing;
    errorType?: string;
    details?: { issues?: object[]; onFiling?: string[] };
  };
  return { ...answer, json, data: json.data };
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
  await writesOf(dynamo, tables.fileDocuments).putAll([fileDocumentItem(owner, document)]);
  return _id;
}

/** All stored filings and files of these owners, to compare before and after a rejected request. */
export async function everythingOf(...owners: string[]): Promise<string> {
  const items = await Promise.all(
    [tables.filings, tables.fileDocuments].map(async (table) => {
      const stored = await everyItem(dynamo, table);
      return stored.filter(({ pk }) => owners.some((owner) => String(pk).startsWith(owner)));
    }),
  );
  return JSON.stringify(items);
}

/** The item whose escalation waits. */
export const affidavit = { sourceCategoryId: 'documents', sourceTaskId: 'affidavit' };

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

export const importLines = (records: readonly object[], organizationId = upstream) =>
  recordsInto(tables)(organizationId, records);

/** Runs an operator command that answers a filing. */
export const run = async (command: string, input: object): Promise<Filing> =>
  z.parse(filingSchema, await commandsOn(tables, { objectStore })(command, input));

export const operator = {
  setStatus: (filingId: string, status: FilingStatus) => run('set-filing-status', { filingId, status }),
  openEscalation: (place: object, body?: string, category?: string) =>
    run('open-escalation', { ...place, body, category }),
  messageEscalation: (place: object, body: string) => run('message-escalation', { ...place, body }),
  resolveEscalation: (place: object) => run('resolve-escalation', place),
};

/** A message of an imported escalation. */
export const question = (index: number) => ({
  authorType: 'service',
  body: `Question ${index}`,
  sentAt: new Date(Date.UTC(2026, 2, 1, 0, index)).toISOString(),
});

/** A line that imports a filing. */
export const filing = (fields: object = {}) =>
  filingLine(newId(), {
    checklist: [
      {
        sourceCategoryId: 'documents',
        name: 'Documents',
        items: [
          { sourceTaskId: 'affidavit', label: 'Signed affidavit' },
          { sourceTaskId: 'declarations', label: 'Declarations page', checked: true },
        ],
      },
      {
        sourceCategoryId: 'internal',
        name: 'Review',
        isInternal: true,
        items: [{ sourceTaskId: 'check', label: 'Check' }],
      },
    ],
    ...fields,
  });

/** An imported filing's id. */
export const imported = async (fields: object = {}): Promise<string> => {
  const record = filing(fields);
  expect(await importLines([record])).toMatchObject({ imported: 1, rejected: [] });
  return record._id;
};
