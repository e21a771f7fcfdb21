import { entityMatchStatusDocs, policyDocs } from '#domain/policies/docs.ts';
import { followSentence, pageQueryDocs, updatedSinceQueryDocs } from '#platform/contract/docs.ts';
import { as, type GroupDocs } from '#platform/contract/documented.ts';
import type { policyRoutes } from './routes.ts';

export const docs = {
  description: 'Policies and their transactions.',
  routes: {
    listPolicies: {
      summary: 'List policies',
      description: `Returns all matching policies, streamed, without paging, ordered by policy number; if a filter is a status, they are grouped by status and state first.

${followSentence}`,
      query: {
        policyNumber: 'The policy number, matched exactly.',
        currentStatus: { ...policyDocs.fields.currentStatus, description: 'State of the policy.' },
        riskStateCode: 'State where the insured risk is located.',
        entityMatchStatus: as(
          entityMatchStatusDocs,
          'Whether the agency is known; `unmatched` and `manual review` need attention.',
        ),
        productMatchStatus: {
          ...policyDocs.fields.productMatchStatus,
          description: 'Whether the product is known.',
        },
        ...updatedSinceQueryDocs,
      },
    },
    getPolicy: {
      summary: 'Get a policy',
      description: `Returns one policy.

Its business fields are those of its newest transaction that is not deleted, by \`policyTransactionDate\`; what that does not have comes from the policy’s own record. Agency, agents, product, and company come from the newest transaction that names them, and \`effectiveDate\` from the newest \`New\` or \`Renewal\`. Without transactions, a policy has the fields of its own record; without a record that says the state of the risk, it is deleted.`,
    },
    listPolicyTransactions: {
      summary: 'List the transactions of a policy',
      description:
        'Returns transactions in the order in which they were received, oldest first, so that a page keeps its content while new ones arrive. One with `isDeleted` is still listed, and counted in `total`, not in the policy’s `transactionCount`.',
      query: pageQueryDocs,
    },
    getPolicyTransaction: {
      summary: 'Get a transaction of a policy',
      description:
        'Returns one transaction of the policy. If the policy has no such transaction, the response is 404.',
    },
  },
} satisfies GroupDocs<typeof policyRoutes.routes>;
