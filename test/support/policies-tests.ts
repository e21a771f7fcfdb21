// Shared by the tests of policies. Each file that imports it gets its own tables before its first test.

import type { ImportOutcome } from '../../functions/import/import-records.ts';
import type { MatchingTable } from '../../functions/import/matching/matching.ts';
import { createPolicyStore, type PolicyFilters } from '../../functions/policies/store.ts';
import { agentsTable } from '../../shared/domain/agents/table.ts';
import { associationsTable } from '../../shared/domain/associations/table.ts';
import { complianceTable } from '../../shared/domain/compliance/table.ts';
import type { Policy } from '../../shared/domain/policies/resource.ts';
import { policiesTable } from '../../shared/domain/policies/table.ts';
import { registryRecordsTable } from '../../shared/domain/registry-records/table.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { organizationsTable } from '../../shared/platform/identity/table.ts';
import { importInto } from './imports.ts';
import { organizationsIn } from './organizations.ts';
import { createTable, dynamo } from './tables.ts';

export let organizationsName: string;
export let policiesName: string;
/** Where the agencies, agents, and products of transactions are found; in these tests there are none. */
export let matchingTables: Readonly<Record<MatchingTable, string>>;
export let newOwner: () => Promise<string>;

beforeAll(async () => {
  [organizationsName, policiesName] = await Promise.all([
    createTable(organizationsTable),
    createTable(policiesTable),
  ]);
  const [agents, associations, compliance, registryRecords] = await Promise.all([
    createTable(agentsTable),
    createTable(associationsTable),
    createTable(complianceTable),
    createTable(registryRecordsTable),
  ]);
  matchingTables = { agents, associations, compliance, registryRecords };
  newOwner = organizationsIn(organizationsName);
});

export const importLines = (organizationId: string, records: readonly object[]): Promise<ImportOutcome> =>
  importInto(
    { policies: policiesName, organizations: organizationsName, ...matchingTables },
    () => new Date('2026-07-01T00:00:00.000Z'),
  )({ organizationId, firstLine: 1, lines: records.map((record) => JSON.stringify(record)) });

export const store = () => createPolicyStore(tableOf(policiesTable, dynamo, policiesName));

export async function list(owner: string, filters: PolicyFilters = {}): Promise<Policy[]> {
  const found: Policy[] = [];
  for await (const page of store().list(owner, filters)) found.push(...page);
  return found;
}

export const firstId = '65f0c1d2e3a4b5c6d7e8f901';
export const secondId = '65f0c1d2e3a4b5c6d7e8f902';
