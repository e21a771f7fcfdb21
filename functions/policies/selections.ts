import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { toItem } from '../../shared/data/dynamo.ts';
import { matchSort, policyPartitions, statusSort } from '../../shared/policies/keys.ts';
import {
  entityMatchStatuses,
  type Policy,
  policyStatuses,
  productMatchStatuses,
} from '../../shared/resources/policy.ts';

/** Filters of a policy list; they combine. */
export interface PolicyFilters {
  readonly policyNumber?: string | undefined;
  readonly currentStatus?: Policy['currentStatus'] | undefined;
  readonly riskStateCode?: Policy['riskStateCode'] | undefined;
  readonly entityMatchStatus?: Policy['entityMatchStatus'] | undefined;
  readonly productMatchStatus?: Policy['productMatchStatus'] | undefined;
}

/** A part of an index. */
type Selection = Pick<
  QueryCommandInput,
  'IndexName' | 'KeyConditionExpression' | 'ExpressionAttributeValues'
>;

/**
 * The most selective index. By number at most one policy is left, so the other filters are applied to that one; by
 * status the state is the beginning of the sort key.
 */
function selection(owner: string, { policyNumber, currentStatus, riskStateCode }: PolicyFilters): Selection {
  if (policyNumber !== undefined) {
    return {
      IndexName: 'by-number',
      KeyConditionExpression: 'listKey = :partition AND policyNumber = :number',
      ExpressionAttributeValues: toItem({
        ':partition': policyPartitions.all(owner),
        ':number': policyNumber,
      }),
    };
  }
  if (currentStatus !== undefined) {
    const partition = policyPartitions.ofStatus(owner, currentStatus);
    return riskStateCode === undefined
      ? {
          IndexName: 'by-status',
          KeyConditionExpression: 'statusKey = :partition',
          ExpressionAttributeValues: toItem({ ':partition': partition }),
        }
      : {
          IndexName: 'by-status',
          KeyConditionExpression: 'statusKey = :partition AND begins_with(statusSort, :state)',
          ExpressionAttributeValues: toItem({ ':partition': partition, ':state': statusSort(riskStateCode) }),
        };
  }
  if (riskStateCode !== undefined) {
    return {
      IndexName: 'by-state',
      KeyConditionExpression: 'stateKey = :partition',
      ExpressionAttributeValues: toItem({ ':partition': policyPartitions.ofState(owner, riskStateCode) }),
    };
  }
  return {
    IndexName: 'by-number',
    KeyConditionExpression: 'listKey = :partition',
    ExpressionAttributeValues: toItem({ ':partition': policyPartitions.all(owner) }),
  };
}

/**
 * The parts of the indexes that hold what matches. By match statuses, there is a part for each value that the filters leave
 * open: every part holds only policies that match.
 */
export function selections(owner: string, filters: PolicyFilters): Selection[] {
  const { policyNumber, entityMatchStatus, productMatchStatus, currentStatus, riskStateCode } = filters;
  const isMatched = entityMatchStatus !== undefined || productMatchStatus !== undefined;
  if (policyNumber !== undefined || !isMatched) return [selection(owner, filters)];
  const entities = entityMatchStatus === undefined ? entityMatchStatuses : [entityMatchStatus];
  const products = productMatchStatus === undefined ? productMatchStatuses : [productMatchStatus];
  return entities.flatMap((entity) =>
    products.flatMap((product) => {
      const partition = policyPartitions.ofMatch(owner, entity, product);
      return sortsOf(currentStatus, riskStateCode).map((sort) => matchSelection(partition, sort));
    }),
  );
}

/** The beginnings of the sort keys of a state and a status; of one that is open, nothing or every status. */
function sortsOf(
  status: Policy['currentStatus'] | undefined,
  state: Policy['riskStateCode'] | undefined,
): (string | undefined)[] {
  if (status !== undefined) return [matchSort(status, state)];
  return state === undefined ? [undefined] : policyStatuses.map((one) => matchSort(one, state));
}

const matchSelection = (partition: string, sort: string | undefined): Selection => ({
  IndexName: 'by-match',
  KeyConditionExpression:
    sort === undefined ? 'matchKey = :partition' : 'matchKey = :partition AND begins_with(matchSort, :sort)',
  ExpressionAttributeValues: toItem({
    ':partition': partition,
    ...(sort === undefined ? {} : { ':sort': sort }),
  }),
});

/** Whether a policy, found by its number, passes the other filters. */
export const matches = (
  found: Policy,
  { currentStatus, riskStateCode, entityMatchStatus, productMatchStatus }: PolicyFilters,
): boolean =>
  (currentStatus === undefined || found.currentStatus === currentStatus) &&
  (riskStateCode === undefined || found.riskStateCode === riskStateCode) &&
  (entityMatchStatus === undefined || found.entityMatchStatus === entityMatchStatus) &&
  (productMatchStatus === undefined || found.productMatchStatus === productMatchStatus);
