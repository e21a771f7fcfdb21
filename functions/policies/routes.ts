import * as z from 'zod/mini';
import { entityMatchStatus, policy, policyNumber, policyTransaction } from '#domain/policies/resource.ts';
import { recordOrDeleted, updatedSinceQuery, updatedUntilHeaders } from '#platform/contract/list-queries.ts';
import { pageQuery, stateCode } from '#platform/contract/primitives.ts';
import { getOne, listAll, type Route, routeGroup, v1 } from '#platform/contract/route.ts';

const access = { kind: 'upstream', feature: 'policies' } as const;

const listPolicyTransactions = {
  method: 'GET',
  path: '/v2/upstream/policies/{policyId}/transactions',
  access,
  query: pageQuery,
  answer: { status: 200, page: policyTransaction, as: 'transactions' },
} as const satisfies Route;

export const policyRoutes = routeGroup(
  'policies',
  {
    listPolicies: {
      ...listAll('/v2/upstream/policies', access, recordOrDeleted(policy)),
      query: z.object({
        policyNumber: z.optional(policyNumber),
        currentStatus: z.optional(policy.shape.currentStatus),
        riskStateCode: z.optional(stateCode),
        entityMatchStatus: z.optional(entityMatchStatus),
        productMatchStatus: z.optional(policy.shape.productMatchStatus),
        ...updatedSinceQuery.shape,
      }),
      followHeaders: updatedUntilHeaders,
    },
    getPolicy: getOne('/v2/upstream/policies/{policyId}', access, policy),
    listPolicyTransactions,
    listPolicyTransactionsV1: v1(listPolicyTransactions),
    getPolicyTransaction: getOne(
      '/v2/upstream/policies/{policyId}/transactions/{transactionId}',
      access,
      policyTransaction,
    ),
  },
  { openLists: 50 },
);
