import type { Policy, PolicyTransaction } from '#domain/policies/resource.ts';
import { policiesTable } from '#domain/tables.ts';
import { collect } from '#platform/data/concurrently.ts';
import { tableOf } from '#platform/data/table.ts';
import { policyOperations } from '../../functions/policies/function.ts';
import { createPolicyStore, type PolicyFilters } from '../../functions/policies/store.ts';
import { given, tables } from './carrier-records.ts';
import { transaction } from './import-lines.ts';
import { dynamo } from './tables.ts';

export const store = () => createPolicyStore(tableOf(policiesTable, dynamo, tables.policies));

/** The reads of policies, of which none that is tested asks what has changed. */
export const reads = () =>
  policyOperations({ policies: store(), unlessRestored: async (_since, pages) => pages });

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

let importedCount = 0;

/** Imports a transaction and answers it as it is stored. */
export async function imported(owner: string, fields: object): Promise<PolicyTransaction> {
  importedCount += 1;
  const policyNumber = `P-${importedCount}`;
  await given(owner, transaction(policyNumber, fields));
  const [only] = await transactionsOf(owner, policyNumber);
  if (only === undefined) throw new Error(`The transaction of ${policyNumber} was not imported.`);
  return only;
}

export const firstId = '65f0c1d2e3a4b5c6d7e8f901';
export const secondId = '65f0c1d2e3a4b5c6d7e8f902';
