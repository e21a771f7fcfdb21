// Shared by the tests of filing imports and of operators’ commands on filings. Each file that imports it gets its own
// tables before its first test.

import * as z from 'zod/mini';
import { associationsTable } from '../../shared/domain/associations/table.ts';
import { carriersTable } from '../../shared/domain/carriers/table.ts';
import { contactsTable } from '../../shared/domain/contacts/table.ts';
import { downstreamEntitiesTable } from '../../shared/domain/downstream-entities/table.ts';
import { outboxTable } from '../../shared/domain/events/table.ts';
import { fileDocumentsTable } from '../../shared/domain/file-documents/table.ts';
import { type Filing, filing as filingSchema } from '../../shared/domain/filings/filing-detail.ts';
import type { FilingStatus } from '../../shared/domain/filings/resource.ts';
import { createFilingStore } from '../../shared/domain/filings/store.ts';
import { filingsTable } from '../../shared/domain/filings/table.ts';
import { registryRecordsTable } from '../../shared/domain/registry-records/table.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { organizationsTable } from '../../shared/platform/identity/table.ts';
import { commandsOn } from './admin.ts';
import { importInto } from './imports.ts';
import { memoryObjectStore } from './memory-object-store.ts';
import { organizationsIn } from './organizations.ts';
import { createTables, dynamo } from './tables.ts';

export const { store: objectStore } = memoryObjectStore();

export const now = () => new Date();
export const carrierId = '65f0c1d2e3a4b5c6d7e8f9c1';
export const agencyId = '65f0c1d2e3a4b5c6d7e8f9c2';
const designs = {
  organizations: organizationsTable,
  associations: associationsTable,
  contacts: contactsTable,
  filings: filingsTable,
  fileDocuments: fileDocumentsTable,
  carriers: carriersTable,
  downstreamEntities: downstreamEntitiesTable,
  outbox: outboxTable,
  registryRecords: registryRecordsTable,
};
export let names: Record<keyof typeof designs, string>;
export let upstream: string;
export let downstream: string;
export let newOrganization: ReturnType<typeof organizationsIn>;

beforeAll(async () => {
  names = await createTables(designs);
  newOrganization = organizationsIn(names.organizations, now);
  upstream = await newOrganization('upstreamEntity');
  downstream = await newOrganization('downstreamEntity');
});

export const importLines = (records: readonly object[], organizationId = upstream) =>
  importInto(
    names,
    now,
  )({
    organizationId,
    firstLine: 1,
    lines: records.map((record) => JSON.stringify(record)),
  });

export const store = () => createFilingStore(tableOf(filingsTable, dynamo, names.filings), now);

/** Runs an operator command that answers a filing. */
export const run = async (command: string, input: object): Promise<Filing> =>
  z.parse(filingSchema, await commandsOn(names, { now, objectStore })(command, input));

export const operator = {
  setStatus: (filingId: string, status: FilingStatus) => run('set-filing-status', { filingId, status }),
  openEscalation: (place: object, body?: string, category?: string) =>
    run('open-escalation', { ...place, body, category }),
  messageEscalation: (place: object, body: string) => run('message-escalation', { ...place, body }),
  resolveEscalation: (place: object) => run('resolve-escalation', place),
};

export const message = (index: number) => ({
  authorType: 'service',
  body: `Question ${index}`,
  sentAt: new Date(Date.UTC(2026, 2, 1, 0, index)).toISOString(),
});

export const filing = (fields: object = {}) => ({
  type: 'filing',
  _id: newObjectId(now()),
  policyNumber: 'SL-1',
  stateCode: 'TX',
  policyTransactionType: 'bind',
  namedInsured: 'Acme Roofing LLC',
  carrier: 'Beacon Specialty',
  carrierNaicCode: '12345',
  grossPremium: 10_000,
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

export const affidavit = { sourceCategoryId: 'documents', sourceTaskId: 'affidavit' };

/** An imported filing's id. */
export const imported = async (fields: object = {}): Promise<string> => {
  const record = filing(fields);
  expect(await importLines([record])).toMatchObject({ imported: 1, rejected: [] });
  return record._id;
};
