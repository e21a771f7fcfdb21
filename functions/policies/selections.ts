import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { matchSort, policyPartitions, statusSort } from '../../shared/domain/policies/keys.ts';
import {
  entityMatchStatuses,
  type Policy,
  policyStatuses,
  productMatchStatuses,
} from '../../shared/domain/policies/resource.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';

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

/** An index, and what of it the filters select. */
interface FilteredIndex {
  readonly name: string;
  readonly partitionKey: string;
  /** Partitions that together hold everything that matches; none if the index does not serve the filters. */
  readonly partitions: (owner: string, filters: PolicyFilters) => readonly string[];
  /** A condition of the sort key, and its values, each for a query of its own; undefined for the whole partition. */
  readonly sort?: {
    readonly condition: string;
    readonly values: (filters: PolicyFilters) => readonly (string | undefined)[];
  };
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
    name: 'by-number',
    partitionKey: 'listKey',
    partitions: (owner, { policyNumber }) => given(policyNumber).map(() => policyPartitions.all(owner)),
    sort: { condition: 'policyNumber = :sort', values: ({ policyNumber }) => [policyNumber] },
  },
  {
    name: 'by-match',
    partitionKey: 'matchKey',
    partitions: (owner, { entityMatchStatus, productMatchStatus }) =>
      entityMatchStatus === undefined && productMatchStatus === undefined
        ? []
        : orEvery(entityMatchStatus, entityMatchStatuses).flatMap((entity) =>
            orEvery(productMatchStatus, productMatchStatuses).map((product) =>
              policyPartitions.ofMatch(owner, entity, product),
            ),
          ),
    sort: {
      condition: 'begins_with(matchSort, :sort)',
      values: ({ currentStatus, riskStateCode }) =>
        currentStatus === undefined && riskStateCode === undefined
          ? [undefined]
          : orEvery(currentStatus, policyStatuses).map((status) => matchSort(status, riskStateCode)),
    },
  },
  {
    name: 'by-status',
    partitionKey: 'statusKey',
    partitions: (owner, { currentStatus }) =>
      given(currentStatus).map((status) => policyPartitions.ofStatus(owner, status)),
    sort: {
      condition: 'begins_with(statusSort, :sort)',
      values: ({ riskStateCode }) => [riskStateCode === undefined ? undefined : statusSort(riskStateCode)],
    },
  },
  {
    name: 'by-state',
    partitionKey: 'stateKey',
    partitions: (owner, { riskStateCode }) =>
      given(riskStateCode).map((state) => policyPartitions.ofState(owner, state)),
  },
  { name: 'by-number', partitionKey: 'listKey', partitions: (owner) => [policyPartitions.all(owner)] },
];

/** A part of an index. */
type Selection = Pick<
  QueryCommandInput,
  'IndexName' | 'KeyConditionExpression' | 'ExpressionAttributeValues'
>;

/** The parts of the most selective index that hold what matches, and hardly anything else. */
export function selections(owner: string, filters: PolicyFilters): Selection[] {
  for (const { name, partitionKey, partitions, sort } of indexes) {
    const selected = partitions(owner, filters);
    if (selected.length === 0) continue;
    return selected.flatMap((partition) =>
      (sort?.values(filters) ?? [undefined]).map((value) => ({
        IndexName: name,
        KeyConditionExpression: [
          `${partitionKey} = :partition`,
          ...(value === undefined ? [] : [sort?.condition]),
        ].join(' AND '),
        ExpressionAttributeValues: toItem({ ':partition': partition, ':sort': value }),
      })),
    );
  }
  return [];
}
