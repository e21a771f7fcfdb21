import { organizationsTable } from '../platform/identity/table.ts';
import { idempotencyTable, rateCountersTable } from '../platform/request/tables.ts';
import { agentsTable } from './agents/table.ts';
import { associationsTable } from './associations/table.ts';
import { carriersTable } from './carriers/table.ts';
import { complianceTable } from './compliance/table.ts';
import { contactsTable } from './contacts/table.ts';
import { downstreamEntitiesTable } from './downstream-entities/table.ts';
import { outboxTable } from './events/table.ts';
import { fileDocumentsTable } from './file-documents/table.ts';
import { filingsTable } from './filings/table.ts';
import { licensingTable } from './licensing/table.ts';
import { oneTimeLinksTable } from './one-time-links/table.ts';
import { policiesTable } from './policies/table.ts';
import { registryRecordsTable } from './registry-records/table.ts';
import { webhooksTable } from './webhooks/table.ts';

/** Every table of the service, by the name under which functions use it. */
export const tables = {
  organizations: organizationsTable,
  policies: policiesTable,
  fileDocuments: fileDocumentsTable,
  filings: filingsTable,
  carriers: carriersTable,
  downstreamEntities: downstreamEntitiesTable,
  associations: associationsTable,
  agents: agentsTable,
  contacts: contactsTable,
  registryRecords: registryRecordsTable,
  compliance: complianceTable,
  licensing: licensingTable,
  webhooks: webhooksTable,
  oneTimeLinks: oneTimeLinksTable,
  outbox: outboxTable,
  idempotency: idempotencyTable,
  rateCounters: rateCountersTable,
} as const;

/** The designs alone, for what does the same with every table. */
export const tableDesigns = Object.values(tables);

/** The name of a table's design: of its construct, its environment variable, and its entry in `restoredTables`. */
export type TableName = (typeof tables)[keyof typeof tables]['name'];
