import * as z from 'zod/mini';
import { described } from '../../shared/contract/described.ts';
import { pageQuery, stateCode } from '../../shared/contract/primitives.ts';
import { type Route, routeGroup } from '../../shared/contract/route.ts';
import { policy, policyStatuses, policyTransaction } from '../../shared/resources/policy.ts';

const access = { kind: 'upstream', feature: 'policies' } as const;

const listPolicyTransactions = {
  method: 'GET',
  path: '/v2/upstream/policies/{policyId}/transactions',
  access,
  rate: 'none',
  summary: DOCUMENTED && 'List the transactions of a policy',
  description:
    DOCUMENTED &&
    'Returns transactions in the order in which they were received, oldest first, so that a page keeps its content while new ones arrive. The transactions of a soft-deleted policy are not returned either. A transaction’s own `isDeleted` is only a field: the transaction is still listed.',
  query: pageQuery,
  answer: { status: 200, page: policyTransaction, as: 'transactions' },
  errors: [],
} as const satisfies Route;

export const policyRoutes = routeGroup('policies', DOCUMENTED && 'Policies and their transactions.', {
  listPolicies: {
    method: 'GET',
    path: '/v2/upstream/policies',
    access,
    rate: 'none',
    summary: DOCUMENTED && 'List policies',
    description:
      DOCUMENTED &&
      'Returns all matching policies, ordered by policy number, streamed, without paging. Filters can be combined. Soft-deleted policies are not returned.',
    query: {
      policyNumber: z.optional(
        described(
          z.string().check(z.minLength(1), z.maxLength(200)),
          DOCUMENTED && { description: 'Exact policy number.' },
        ),
      ),
      currentStatus: z.optional(
        described(z.enum(policyStatuses), DOCUMENTED && { description: 'Current status.' }),
      ),
      riskStateCode: z.optional(stateCode),
    },
    answer: { status: 200, all: policy },
    errors: [],
  },
  getPolicy: {
    method: 'GET',
    path: '/v2/upstream/policies/{policyId}',
    access,
    rate: 'none',
    summary: DOCUMENTED && 'Get a policy',
    description:
      DOCUMENTED &&
      `Returns one policy.

Its business fields are those of its newest transaction: the one with the latest \`policyTransactionDate\`, and among equal dates the one received last. A field that this transaction does not have comes from the policy’s own record.`,
    answer: { status: 200, one: policy },
    errors: [],
  },
  listPolicyTransactions,
  listPolicyTransactionsV1: { ...listPolicyTransactions, path: '/v1/policies/{policyId}/transactions' },
  getPolicyTransaction: {
    method: 'GET',
    path: '/v2/upstream/policies/{policyId}/transactions/{transactionId}',
    access,
    rate: 'none',
    summary: DOCUMENTED && 'Get a transaction of a policy',
    description:
      DOCUMENTED &&
      'Returns one transaction of the policy. If the policy has no such transaction, the response is 404.',
    answer: { status: 200, one: policyTransaction },
    errors: [],
  },
});
