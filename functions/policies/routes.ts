import * as z from 'zod/mini';
import { policyTransaction } from '../../shared/domain/policies/policy-transaction.ts';
import { entityMatchStatus, policy, policyNumber } from '../../shared/domain/policies/resource.ts';
import { describedShape } from '../../shared/platform/contract/described.ts';
import { lazily } from '../../shared/platform/contract/lazily.ts';
import { pageQuery, stateCode } from '../../shared/platform/contract/primitives.ts';
import { type Route, routeGroup } from '../../shared/platform/contract/route.ts';
import { followed, orDeleted, updatedSinceQuery } from '../../shared/platform/contract/updated-since.ts';
import { updatedUntil } from '../../shared/platform/contract/updated-until.ts';
import { v1 } from '../../shared/platform/contract/v1.ts';

const access = { kind: 'upstream', feature: 'policies' } as const;

const listPolicyTransactions = {
  method: 'GET',
  path: '/v2/upstream/policies/{policyId}/transactions',
  access,
  summary: DOCUMENTED && 'List the transactions of a policy',
  description:
    DOCUMENTED &&
    'Returns transactions in the order in which they were received, oldest first, so that a page keeps its content while new ones arrive. The transactions of a soft-deleted policy are not returned either. A transaction’s own `isDeleted` is only a field: the transaction is still listed, and counted in `total`, not in the policy’s `transactionCount`.',
  success: DOCUMENTED && 'The transactions on this page, oldest first.',
  query: pageQuery,
  answer: { status: 200, page: policyTransaction, as: 'transactions' },
} as const satisfies Route;

export const policyRoutes = routeGroup('policies', DOCUMENTED && 'Policies and their transactions.', {
  listPolicies: {
    method: 'GET',
    path: '/v2/upstream/policies',
    access,
    summary: DOCUMENTED && 'List policies',
    description:
      DOCUMENTED &&
      `Returns all matching policies, streamed, without paging, ordered by policy number; if a filter is a status, they are grouped by statuses and states first. Filters can be combined. Soft-deleted policies are not returned.

${followed}`,
    success:
      DOCUMENTED && 'All matching policies; with `updatedSince`, those that changed or were deleted since.',
    query: lazily(() => ({
      ...describedShape(
        {
          policyNumber: z.optional(policyNumber),
          currentStatus: z.optional(policy.shape.currentStatus),
          riskStateCode: z.optional(stateCode),
          entityMatchStatus: z.optional(entityMatchStatus),
          productMatchStatus: z.optional(policy.shape.productMatchStatus),
        },
        DOCUMENTED && {
          policyNumber: 'The policy number, matched exactly.',
          currentStatus: 'State of the policy.',
          riskStateCode: 'State where the insured risk is located.',
          entityMatchStatus: 'Whether the agency is known; `unmatched` and `manual review` need attention.',
          productMatchStatus: 'Whether the product is known.',
        },
      ),
      ...updatedSinceQuery(),
    })),
    answer: { status: 200, all: orDeleted(policy) },
    followed: updatedUntil,
  },
  getPolicy: {
    method: 'GET',
    path: '/v2/upstream/policies/{policyId}',
    access,
    summary: DOCUMENTED && 'Get a policy',
    description:
      DOCUMENTED &&
      `Returns one policy.

Its business fields are those of its newest transaction: the one with the latest \`policyTransactionDate\`, and among equal dates the one received last. A field that this transaction does not have comes from the policy’s own record. A deleted transaction sets nothing.

What does not come from the newest transaction:

- Agency, agents, and product, each with all its fields, come from the newest transaction that names them, by ids or by the fields of which the section “Matching” tells. An endorsement that does not name them leaves them as they are.
- \`effectiveDate\` is that of the newest \`New\` or \`Renewal\`.

Once all transactions are deleted, the policy has the fields of its own record; without one that says the state of the risk, it is deleted, too, until another transaction comes.`,
    success: DOCUMENTED && 'The policy with the fields of its newest transaction.',
    answer: { status: 200, one: policy },
  },
  listPolicyTransactions,
  listPolicyTransactionsV1: v1(listPolicyTransactions),
  getPolicyTransaction: {
    method: 'GET',
    path: '/v2/upstream/policies/{policyId}/transactions/{transactionId}',
    access,
    summary: DOCUMENTED && 'Get a transaction of a policy',
    description:
      DOCUMENTED &&
      'Returns one transaction of the policy. If the policy has no such transaction, the response is 404.',
    success: DOCUMENTED && 'The transaction as it was received.',
    answer: { status: 200, one: policyTransaction },
  },
});
