import * as z from 'zod/mini';
import {
  entityMatchStatuses,
  type Policy,
  policy,
  policyStatuses,
  policyTransaction,
  productMatchStatuses,
} from '#domain/policies/resource.ts';
import { matchSort, policyKeys, policyPartitions, statusSort } from '#domain/policies/stored.ts';
import { itemsChangedSince, tombstone } from '#platform/changes/change-index.ts';
import type { AppliedQuery, DeletedRecord, updatedSinceQuery } from '#platform/contract/list-queries.ts';
import { collect } from '#platform/data/concurrently.ts';
import { between, startsWith } from '#platform/data/expressions.ts';
import type { Query } from '#platform/data/query-pages.ts';
import { anyItem, parseStored, storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';

/** Fields by whose value a policy list can be filtered. */
const filterFields = [
  'policyNumber',
  'currentStatus',
  'riskStateCode',
  'entityMatchStatus',
  'productMatchStatus',
] as const satisfies readonly (keyof Policy)[];

/** Filters of a policy list; they combine. */
export type PolicyFilters = {
  readonly [Field in (typeof filterFields)[number]]?: Policy[Field] | undefined;
};

/** Whether a policy passes the filters. */
const matches = (listedPolicy: Policy, filters: PolicyFilters): boolean =>
  filterFields.every((field) => filters[field] === undefined || listedPolicy[field] === filters[field]);

/** Indexes that filters select. */
type FilterIndex = 'by-number' | 'by-match' | 'by-status' | 'by-state';

/** An index, and the part of it that the filters select. */
interface FilteredIndex {
  readonly index: FilterIndex;
  /** Partitions that together hold everything that matches; none if the index does not serve the filters. */
  readonly partitions: (owner: string, filters: PolicyFilters) => readonly string[];
  /** Conditions on the sort key, each for a query of its own; undefined for the whole partition. */
  readonly sorts?: (filters: PolicyFilters) => readonly unknown[];
}

/** The value of a filter; none of one that is left out. */
const givenValues = <Value>(value: Value | undefined): readonly Value[] =>
  value === undefined ? [] : [value];

/** The value of a filter; every value of one that is left out. */
const valueOrAll = <Value>(value: Value | undefined, allValues: readonly Value[]): readonly Value[] =>
  value === undefined ? allValues : [value];

/** Indexes, the most selective first: the first one that serves the filters is read. */
const indexes: readonly FilteredIndex[] = [
  {
    // At most one policy has the number.
    index: 'by-number',
    partitions: (owner, { policyNumber }) => givenValues(policyNumber).map(() => policyPartitions.all(owner)),
    sorts: ({ policyNumber }) => [policyNumber],
  },
  {
    index: 'by-match',
    partitions: (owner, { entityMatchStatus, productMatchStatus }) =>
      entityMatchStatus === undefined && productMatchStatus === undefined
        ? []
        : valueOrAll(entityMatchStatus, entityMatchStatuses).flatMap((entity) =>
            valueOrAll(productMatchStatus, productMatchStatuses).map((product) =>
              policyPartitions.ofMatch(owner, entity, product),
            ),
          ),
    sorts: ({ currentStatus, riskStateCode }) =>
      currentStatus === undefined && riskStateCode === undefined
        ? [undefined]
        : valueOrAll(currentStatus, policyStatuses).map((status) =>
            startsWith(matchSort(status, riskStateCode)),
          ),
  },
  {
    index: 'by-status',
    partitions: (owner, { currentStatus }) =>
      givenValues(currentStatus).map((status) => policyPartitions.ofStatus(owner, status)),
    sorts: ({ riskStateCode }) => [riskStateCode && startsWith(statusSort(riskStateCode))],
  },
  {
    index: 'by-state',
    partitions: (owner, { riskStateCode }) =>
      givenValues(riskStateCode).map((state) => policyPartitions.ofState(owner, state)),
  },
  { index: 'by-number', partitions: (owner) => [policyPartitions.all(owner)] },
];

/** A part of an index. */
type Selection = Pick<Query<FilterIndex>, 'index' | 'sort'> & { readonly partition: string };

/** The parts of the most selective index that hold what matches, and hardly anything else. */
function selections(owner: string, filters: PolicyFilters): Selection[] {
  for (const { index, partitions, sorts } of indexes) {
    const selectedPartitions = partitions(owner, filters);
    if (selectedPartitions.length === 0) continue;
    return selectedPartitions.flatMap((partition) =>
      (sorts?.(filters) ?? [undefined]).map((sort) => ({ index, partition, sort })),
    );
  }
  return [];
}

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
const storedPolicy = storedItem('policies/listed-policy', {
  ...policy.shape,
  isDeleted: z.optional(z.boolean()),
  lastOrdinal: z.optional(z.int()),
});

/** A policy, and how many transactions it has with deleted ones; none where none was ever deleted. */
type FoundPolicy = Policy & { readonly lastOrdinal?: number | undefined };

export function createPolicyStore(table: Table<FilterIndex | 'by-ordinal' | 'by-change'>) {
  return {
    /** Every policy that matches, one database page at a time, in the order of the index that the filters select. */
    async *list<Query extends PolicyFilters>(
      owner: string,
      filters: AppliedQuery<Query, keyof PolicyFilters | keyof typeof updatedSinceQuery.shape>,
    ): AsyncIterable<Policy[]> {
      const parts = selections(owner, filters);
      const limit = parts.length > fewParts ? policiesOfPart : policiesAtOnce;
      const pages = parts.map(({ partition, ...part }) => table.query(policy, partition, { limit, ...part }));
      // The first pages are requested together, so that an empty part delays no other.
      const first = pages.map((part) => part.next());
      for (const page of first) page.catch(() => undefined);
      for (const [index, part] of pages.entries()) {
        for (let page = await first[index]; page?.done === false; page = await part.next()) {
          yield page.value.filter((listedPolicy) => matches(listedPolicy, filters));
        }
      }
    },

    /** The policies that changed at a time (`toISOString`) or later, deleted ones too, one database page at a time. */
    async *itemsChangedSince(owner: string, since: string): AsyncIterable<(Policy | DeletedRecord)[]> {
      for await (const keys of itemsChangedSince(table, owner, since)) {
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
      const policyItem = await table.get(storedPolicy, key, { consistent: false });
      return policyItem?.isDeleted === true ? undefined : policyItem;
    },

    findTransaction(owner: string, policyId: string, transactionId: string) {
      const key = policyKeys.transaction(owner, policyId, transactionId);
      return table.get(policyTransaction, key, { consistent: false });
    },

    /** Reads at most `count` transactions of a policy from ordinal `first` (from 1), in the order they were received. */
    async transactions(owner: string, policyId: string, first: number, count: number) {
      const sort = between(first, first + count - 1);
      const ordinals = { index: 'by-ordinal', sort } as const;
      return collect(table.query(policyTransaction, policyPartitions.ofPolicy(owner, policyId), ordinals));
    },
  };
}
