// Shared by the tests of matching. Each file that imports it gets its own tables before its first test.

import * as z from 'zod/mini';
import type { ImportOutcome } from '../../functions/import/import-records.ts';
import { createPolicyStore } from '../../functions/policies/store.ts';
import { agentsTable } from '../../shared/domain/agents/table.ts';
import { associationsTable } from '../../shared/domain/associations/table.ts';
import { complianceTable } from '../../shared/domain/compliance/table.ts';
import { contactsTable } from '../../shared/domain/contacts/table.ts';
import { downstreamEntitiesTable } from '../../shared/domain/downstream-entities/table.ts';
import {
  type PolicyTransaction,
  policyTransaction,
} from '../../shared/domain/policies/policy-transaction.ts';
import type { Policy } from '../../shared/domain/policies/resource.ts';
import { policiesTable } from '../../shared/domain/policies/table.ts';
import { registryRecordsTable } from '../../shared/domain/registry-records/table.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { organizationsTable } from '../../shared/platform/identity/table.ts';
import { everyItem } from './every-item.ts';
import { transaction } from './import-lines.ts';
import { importInto } from './imports.ts';
import { organizationsIn } from './organizations.ts';
import { createTable, dynamo } from './tables.ts';

export let names: Readonly<
  Record<
    | 'agents'
    | 'associations'
    | 'compliance'
    | 'contacts'
    | 'downstreamEntities'
    | 'organizations'
    | 'policies'
    | 'registryRecords',
    string
  >
>;
export let newOwner: () => Promise<string>;

/** Makes the tables that imports of agencies, agents, products, and policies need. */
export async function createMatchingTables(): Promise<void> {
  const [agents, associations, compliance, contacts, downstreamEntities, organizations, policies, registry] =
    await Promise.all([
      createTable(agentsTable),
      createTable(associationsTable),
      createTable(complianceTable),
      createTable(contactsTable),
      createTable(downstreamEntitiesTable),
      createTable(organizationsTable),
      createTable(policiesTable),
      createTable(registryRecordsTable),
    ]);
  names = {
    agents,
    associations,
    compliance,
    contacts,
    downstreamEntities,
    organizations,
    policies,
    registryRecords: registry,
  };
  newOwner = organizationsIn(organizations);
}

/** Imports records in chunks of the size that operators' files are sent in. */
export async function importLines(
  organizationId: string,
  records: readonly object[],
): Promise<Pick<ImportOutcome, 'imported' | 'rejected' | 'ids'>> {
  const importRecords = importInto(names, () => new Date('2026-07-01T00:00:00.000Z'));
  const outcomes: ImportOutcome[] = [];
  for (let start = 0; start < records.length; start += 500) {
    const lines = records.slice(start, start + 500).map((record) => JSON.stringify(record));
    outcomes.push(await importRecords({ organizationId, firstLine: start + 1, lines }));
  }
  return {
    imported: outcomes.reduce((sum, { imported }) => sum + imported, 0),
    rejected: outcomes.flatMap(({ rejected }) => rejected),
    ids: outcomes.flatMap(({ ids }) => ids),
  };
}

export const store = () => createPolicyStore(tableOf(policiesTable, dynamo, names.policies));

/** The only policy of an owner's with a number. */
export async function policyOf(owner: string, policyNumber: string): Promise<Policy> {
  for await (const [policy] of store().list(owner, { policyNumber })) if (policy !== undefined) return policy;
  throw new Error(`There is no policy ${policyNumber}.`);
}

export async function transactionsOf(owner: string, policyNumber: string): Promise<PolicyTransaction[]> {
  const { _id } = await policyOf(owner, policyNumber);
  return store().transactions(owner, _id, 1, 100);
}

/** Every transaction of an owner's policies. */
export async function allTransactions(owner: string): Promise<PolicyTransaction[]> {
  const items = await everyItem(dynamo, names.policies);
  return items
    .filter(({ pk }) => String(pk).startsWith(`${owner}#TRANSACTION#`))
    .map((item) => z.parse(policyTransaction, item));
}

let importedCount = 0;

/** Imports a transaction and answers it as it is stored. */
export async function imported(owner: string, fields: object): Promise<PolicyTransaction> {
  importedCount += 1;
  const policyNumber = `P-${importedCount}`;
  const { rejected } = await importLines(owner, [transaction(policyNumber, fields)]);
  if (rejected.length > 0) throw new Error(JSON.stringify(rejected));
  const [only] = await transactionsOf(owner, policyNumber);
  if (only === undefined) throw new Error(`The transaction of ${policyNumber} was not imported.`);
  return only;
}
