import * as z from 'zod/mini';
import { policyKeys, policyPartitions } from '../../shared/domain/policies/keys.ts';
import { policyTransaction } from '../../shared/domain/policies/policy-transaction.ts';
import { type Policy, policy } from '../../shared/domain/policies/resource.ts';
import { changedSince, tombstone } from '../../shared/platform/changes/change-index.ts';
import { object } from '../../shared/platform/contract/object.ts';
import type { DeletedRecord } from '../../shared/platform/contract/updated-since.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { between } from '../../shared/platform/data/expressions.ts';
import { anyItem, parseStored, storedItem } from '../../shared/platform/data/stored.ts';
import type { Table } from '../../shared/platform/data/table.ts';
import { type FilterIndex, matches, type PolicyFilters, selections } from './selections.ts';

/** Reads of one owner's policies; those of another organization cannot even be addressed. */
export type PolicyStore = ReturnType<typeof createPolicyStore>;

/**
 * Policies that a list reads at once. DynamoDB alone would fill a megabyte: half of that is sent earlier and needs less
 * memory, and DynamoDB Local, without a limit, reads the rest of the list for every page.
 */
const policiesAtOnce = 500;

/** Policies that a list reads at once of each of many parts. */
const policiesOfPart = 100;
const fewParts = 4;

/** A soft-deleted policy keeps its item, marked as deleted. */
const storedPolicy = storedItem(
  'policies/listed-policy',
  object(() => ({
    ...policy.shape,
    isDeleted: z.optional(z.boolean()),
    lastOrdinal: z.optional(z.int()),
  })),
);

/** A policy, and how many transactions it has with deleted ones; none where none was ever deleted. */
export type FoundPolicy = Policy & { readonly lastOrdinal?: number | undefined };

export function createPolicyStore(table: Table<FilterIndex | 'by-ordinal' | 'by-change'>) {
  return {
    /** Every policy that matches, one database page at a time, in the order of the index that the filters select. */
    async *list(owner: string, filters: PolicyFilters): AsyncIterable<Policy[]> {
      const parts = selections(owner, filters);
      const limit = parts.length > fewParts ? policiesOfPart : policiesAtOnce;
      const pages = parts.map(({ partition, ...part }) => table.query(policy, partition, { limit, ...part }));
      // The first pages are requested together, so that an empty part delays no other.
      const first = pages.map((part) => part.next());
      for (const one of first) one.catch(() => undefined);
      for (const [index, part] of pages.entries()) {
        for (let page = await first[index]; page?.done === false; page = await part.next()) {
          yield page.value.filter((found) => matches(found, filters));
        }
      }
    },

    /** The policies that changed at a time (`toISOString`) or later, deleted ones too, one database page at a time. */
    async *changedSince(owner: string, since: string): AsyncIterable<(Policy | DeletedRecord)[]> {
      for await (const keys of changedSince(table, owner, since)) {
        const items = await table.getInOrder(anyItem, keys);
        yield items.map((item) => {
          const { isDeleted } = parseStored(storedPolicy, item);
          return isDeleted === true ? tombstone(item) : parseStored(policy, item);
        });
      }
    },

    /** A policy that is not soft-deleted. */
    async find(owner: string, policyId: string): Promise<FoundPolicy | undefined> {
      const key = policyKeys.policy(owner, policyId);
      const found = await table.get(storedPolicy, key, { consistent: false });
      return found?.isDeleted === true ? undefined : found;
    },

    findTransaction(owner: string, policyId: string, transactionId: string) {
      const key = policyKeys.transaction(owner, policyId, transactionId);
      return table.get(policyTransaction, key, { consistent: false });
    },

    /** At most `count` transactions of a policy from ordinal `first` (from 1), in the order they were received. */
    async transactions(owner: string, policyId: string, first: number, count: number) {
      const ordinals = { index: 'by-ordinal', sort: between(first, first + count - 1) } as const;
      return collect(table.query(policyTransaction, policyPartitions.ofPolicy(owner, policyId), ordinals));
    },
  };
}
