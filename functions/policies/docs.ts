import { entityMatchStatusDocs, policyDocs } from '../../shared/domain/policies/docs.ts';
import { followed, pageQueryDocs, updatedSinceQueryDocs } from '../../shared/platform/contract/docs.ts';
import { as, type GroupDocs } from '../../shared/platform/contract/documented.ts';
import type { policyRoutes } from './routes.ts';

const transactionList = {
  summary: 'List the transactions of a policy',
  description:
    'Returns transactions in the order in which they were received, oldest first, so that a page keeps its content while new ones arrive. The transactions of a soft-deleted policy are not returned either. A transaction’s own `isDeleted` is only a field: the transaction is still listed, and counted in `total`, not in the policy’s `transactionCount`.',
  query: pageQueryDocs,
} as const;

export const docs = {
  description: 'Policies and their transactions.',
  routes: {
    listPolicies: {
      summary: 'List policies',
      description: `Returns all matching policies, streamed, without paging, ordered by policy number; if a filter is a status, they are grouped by status and state first. Filters can be combined. Soft-deleted policies are not returned.

${followed}`,
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

Its business fields are those of its newest transaction: the one with the latest \`policyTransactionDate\`, and among equal dates the one received last. A field that this transaction does not have comes from the policy’s own record. A deleted transaction sets nothing.

What does not come from the newest transaction:

- Agency, agents, and product, each with all its fields, come from the newest transaction that names them, by ids or by the fields that the section “Matching” lists. An endorsement that does not name them leaves them as they are.
- \`effectiveDate\` is that of the newest \`New\` or \`Renewal\`.

Once all transactions are deleted, the policy has the fields of its own record; without a record that says the state of the risk, it is also deleted until another transaction arrives.`,
    },
    listPolicyTransactions: transactionList,
    getPolicyTransaction: {
      summary: 'Get a transaction of a policy',
      description:
        'Returns one transaction of the policy. If the policy has no such transaction, the response is 404.',
    },
  },
} satisfies GroupDocs<typeof policyRoutes.routes>;
