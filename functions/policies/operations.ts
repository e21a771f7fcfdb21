import { getPolicy } from './get-policy.ts';
import { getPolicyTransaction } from './get-policy-transaction.ts';
import { listPolicies } from './list-policies.ts';
import { listPolicyTransactions } from './list-policy-transactions.ts';

/** The operation of each row of the policies table; v1 and v2 share operations. */
export const policyOperations = {
  listPolicies,
  getPolicy,
  listPolicyTransactions,
  listPolicyTransactionsV1: listPolicyTransactions,
  getPolicyTransaction,
};
