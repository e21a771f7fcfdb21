import { getPolicy } from './get-policy.ts';
import { getPolicyTransaction } from './get-policy-transaction.ts';
import { listPolicies } from './list-policies.ts';
import { listPolicyTransactions } from './list-policy-transactions.ts';

/** What each row of the policies table does; twins share an operation. */
export const policyOperations = {
  listPolicies,
  getPolicy,
  listPolicyTransactions,
  listPolicyTransactionsV1: listPolicyTransactions,
  getPolicyTransaction,
};
