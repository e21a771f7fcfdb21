import { matchSort, policyPartitions, statusSort } from '../../shared/domain/policies/keys.ts';
import {
  entityMatchStatuses,
  type Policy,
  policyStatuses,
  productMatchStatuses,
} from '../../shared/domain/policies/resource.ts';
import { startsWith } from '../../shared/platform/data/expressions.ts';
import type { Query } from '../../shared/platform/data/query-pages.ts';

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
export const matches = (found: Policy, filters: PolicyFilters): boolean =>
  filterFields.every((field) => filters[field] === undefined || found[field] === filters[field]);

/** Indexes that filters select. */
export type FilterIndex = 'by-number' | 'by-match' | 'by-status' | 'by-state';

/** An index, and what of it the filters select. */
interface FilteredIndex {
  readonly index: FilterIndex;
  /** Partitions that together hold everything that matches; none if the index does not serve the filters. */
  readonly partitions: (owner: string, filters: PolicyFilters) => readonly string[];
  /** What the sort key must be, each for a query of its own; undefined for the whole partition. */
  readonly sorts?: (filters: PolicyFilters) => readonly unknown[];
}

/** The value of a filter; none of one that is left out. */
const given = <Value>(value: Value | undefined): readonly Value[] => (value === undefined ? [] : [value]);

/** The value of a filter; every value of one that is left out. */
const orEvery = <Value>(value: Value | undefined, all: readonly Value[]): readonly Value[] =>
  value === undefined ? all : [value];

/** By how few policies they leave: the first one that serves the filters is read. */
const indexes: readonly FilteredIndex[] = [
  {
    // At most one policy has the number.
    index: 'by-number',
    partitions: (owner, { policyNumber }) => given(policyNumber).map(() => policyPartitions.all(owner)),
    sorts: ({ policyNumber }) => [policyNumber],
  },
  {
    index: 'by-match',
    partitions: (owner, { entityMatchStatus, productMatchStatus }) =>
      entityMatchStatus === undefined && productMatchStatus === undefined
        ? []
        : orEvery(entityMatchStatus, entityMatchStatuses).flatMap((entity) =>
            orEvery(productMatchStatus, productMatchStatuses).map((product) =>
              policyPartitions.ofMatch(owner, entity, product),
            ),
          ),
    sorts: ({ currentStatus, riskStateCode }) =>
      currentStatus === undefined && riskStateCode === undefined
        ? [undefined]
        : orEvery(currentStatus, policyStatuses).map((status) =>
            startsWith(matchSort(status, riskStateCode)),
          ),
  },
  {
    index: 'by-status',
    partitions: (owner, { currentStatus }) =>
      given(currentStatus).map((status) => policyPartitions.ofStatus(owner, status)),
    sorts: ({ riskStateCode }) => [riskStateCode && startsWith(statusSort(riskStateCode))],
  },
  {
    index: 'by-state',
    partitions: (owner, { riskStateCode }) =>
      given(riskStateCode).map((state) => policyPartitions.ofState(owner, state)),
  },
  { index: 'by-number', partitions: (owner) => [policyPartitions.all(owner)] },
];

/** A part of an index. */
type Selection = Pick<Query<FilterIndex>, 'index' | 'sort'> & { readonly partition: string };

/** The parts of the most selective index that hold what matches, and hardly anything else. */
export function selections(owner: string, filters: PolicyFilters): Selection[] {
  for (const { index, partitions, sorts } of indexes) {
    const selected = partitions(owner, filters);
    if (selected.length === 0) continue;
    return selected.flatMap((partition) =>
      (sorts?.(filters) ?? [undefined]).map((sort) => ({ index, partition, sort })),
    );
  }
  return [];
}
