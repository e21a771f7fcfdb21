// Shared by the tests of policies and of the agencies, agents, and products that are found for them. Each file that imports it makes
// its own tables before its first test.

import * as z from 'zod/mini';
import type { ImportOutcome } from '../../functions/import/import-records.ts';
import { createPolicyStore, type PolicyFilters } from '../../functions/policies/store.ts';
import {
  type PolicyTransaction,
  policyTransaction,
} from '../../shared/domain/policies/policy-transaction.ts';
import type { Policy } from '../../shared/domain/policies/resource.ts';
import { policiesTable } from '../../shared/domain/policies/table.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { everyItem } from './every-item.ts';
import { transaction } from './import-lines.ts';
import { recordsInto } from './imports.ts';
import { organizationsIn } from './organizations.ts';
import { createTables, dynamo } from './tables.ts';

const used = [
  'agents',
  'associations',
  'carriers',
  'compliance',
  'contacts',
  'downstreamEntities',
  'organizations',
  'policies',
  'registryRecords',
] as const;
export let names: Readonly<Record<(typeof used)[number], string>>;
export let newOwner: ReturnType<typeof organizationsIn>;

/** Makes the tables that imports of agencies, agents, products, and policies need. */
export async function createMatchingTables(): Promise<void> {
  names = await createTables(used);
  newOwner = organizationsIn(names.organizations);
}

/** Imports records in chunks of the size that operators' files are sent in. */
export async function importLines(
  organizationId: string,
  records: readonly object[],
): Promise<Omit<ImportOutcome, 'notes' | 'commandId' | 'commandAt'>> {
  const importRecords = recordsInto(names, () => new Date('2026-07-01T00:00:00.000Z'));
  const outcomes: ImportOutcome[] = [];
  for (let start = 0; start < records.length; start += 500)
    outcomes.push(
      await importRecords(organizationId, records.slice(start, start + 500), { firstLine: start + 1 }),
    );
  const sumOf = (name: 'imported' | 'matched' | 'review' | 'unmatched') =>
    outcomes.reduce((sum, outcome) => sum + outcome[name], 0);
  return {
    imported: sumOf('imported'),
    matched: sumOf('matched'),
    review: sumOf('review'),
    unmatched: sumOf('unmatched'),
    rejected: outcomes.flatMap(({ rejected }) => rejected),
    ids: outcomes.flatMap(({ ids }) => ids),
  };
}

export const store = () => createPolicyStore(tableOf(policiesTable, dynamo, names.policies));

export const list = (owner: string, filters: PolicyFilters = {}): Promise<Policy[]> =>
  collect(store().list(owner, filters));

/** The only policy of an owner's with a number. */
export async function policyOf(owner: string, policyNumber: string): Promise<Policy> {
  const [policy] = await list(owner, { policyNumber });
  if (policy !== undefined) return policy;
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

export const firstId = '65f0c1d2e3a4b5c6d7e8f901';
export const secondId = '65f0c1d2e3a4b5c6d7e8f902';
