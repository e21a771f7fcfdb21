import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type TableHandle, tableOf } from '#platform/data/table.ts';
import { idempotencyTable, organizationsTable, rateCountersTable } from '#platform/data/table-design.ts';
import {
  agentsTable,
  associationsTable,
  carriersTable,
  complianceTable,
  contactsTable,
  downstreamEntitiesTable,
  fileDocumentsTable,
  filingsTable,
  licensingTable,
  oneTimeLinksTable,
  outboxTable,
  policiesTable,
  registryRecordsTable,
  saleReceiptsTable,
  webhooksTable,
} from './table-designs.ts';

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
  saleReceipts: saleReceiptsTable,
  licensing: licensingTable,
  webhooks: webhooksTable,
  oneTimeLinks: oneTimeLinksTable,
  outbox: outboxTable,
  idempotency: idempotencyTable,
  rateCounters: rateCountersTable,
} as const;

/** Handles of some tables. */
export type Tables<Name extends keyof typeof tables> = {
  readonly [Key in Name]: TableHandle<(typeof tables)[Key]>;
};

/** The handles of tables with these names. */
export const tablesOf = <Name extends keyof typeof tables>(
  client: DynamoDBClient,
  names: Readonly<Record<Name, string>>,
): Tables<Name> =>
  // The types say of each key what the designs are.
  Object.fromEntries(
    Object.entries<string>(names).map(([key, name]) => [key, tableOf(tables[key as Name], client, name)]),
  ) as unknown as Tables<Name>;

/** The designs alone, for what does the same with every table. */
export const tableDesigns = Object.values(tables);

/** The name of a table's design: of its construct, its environment variable, and its entry in `restoredTables`. */
export type TableName = (typeof tables)[keyof typeof tables]['name'];

type NamesOf<Design> = Design extends {
  readonly name: infer Name extends string;
  readonly indexes: infer Indexes;
}
  ? Name | `${Name}/${keyof Indexes & string}`
  : never;

/** The name of a table, or `<table>/<index>`: each of them has a throughput of its own. */
export type TableOrIndexName = TableName | NamesOf<(typeof tables)[keyof typeof tables]>;
