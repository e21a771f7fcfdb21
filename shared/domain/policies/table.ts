import { businessTable, byChange, index } from '../../platform/data/table-design.ts';

/**
 * Policies with their transactions. Every partition starts with the owner, but for those of owners of transactions.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | policy | `<owner>#POLICY` | `<policyId>` |
 * | policy number, held by one policy | `<owner>#NUMBER` | `<policyNumber>` |
 * | transaction | `<owner>#TRANSACTION#<policyId>` | `<transactionId>` |
 * | transaction with an id of its own, by what identifies it otherwise | `<owner>#IDENTITY#<policyId>` | `<derived id>` |
 * | owner of a transaction and its policy, so that no other transaction has its id | `TRANSACTION_ID#<transactionId>` | `OWNER` |
 *
 * | index | serves | partition | sort |
 * |---|---|---|---|
 * | by-number | every policy; one number | `listKey` = `<owner>` | `policyNumber` |
 * | by-status | status; status and state | `statusKey` = `<owner>#<status>` | `statusSort` = `<state>#<policyNumber>` |
 * | by-state | state | `stateKey` = `<owner>#<state>` | `policyNumber` |
 * | by-agency | every policy, agency by agency; those of an agency relationship, or of an agency by its NPN alone | `listKey` = `<owner>` | `agencySort` = `ASSOCIATION#<associationId>#<policyNumber>`, else `NPN#<agencyNpn>#<policyNumber>`, else `UNKNOWN#<policyNumber>` |
 * | by-match | match statuses, then status and state | `matchKey` = `<owner>#<entityMatchStatus>#<productMatchStatus>` | `matchSort` = `<status>#<state>#<policyNumber>` |
 * | by-match, too | transactions whose agency or agents are not settled | `matchKey` = `<owner>#UNSETTLED` | `matchSort` = `<policyId>#<transactionId>` |
 * | by-ordinal | a page of a policy's transactions | `policyKey` = `<owner>#<policyId>` | `ordinal` from 1, without gaps |
 * | by-sale | sales, agency by agency | `saleKey` = `<owner>` | `saleSort` = `agencySort` without policy number, `<soldOn>#<transactionId>` |
 * | by-change | policies by the time of their last change, deleted ones too | `changeKey` = `<owner>#CHANGED#<shard of the id>` | `changedAt` |
 *
 * A soft-deleted policy has no `listKey`, `statusKey`, `stateKey` and `matchKey`, so it leaves the
 * indexes, except that of changes.
 */
export const policiesTable = businessTable('policies', {
  indexes: {
    'by-number': index('listKey', 'policyNumber', 'all'),
    'by-status': index('statusKey', 'statusSort', 'all'),
    'by-state': index('stateKey', 'policyNumber', 'all'),
    'by-agency': index('listKey', 'agencySort', 'all'),
    'by-match': index('matchKey', 'matchSort', 'all'),
    'by-ordinal': index('policyKey', { name: 'ordinal', type: 'N' }, 'all'),
    'by-sale': index('saleKey', 'saleSort', [
      'policyId',
      'policyNumber',
      'policyTransactionType',
      'effectiveDate',
      'premiumAmountInUSD',
      'sale',
    ]),
    'by-change': byChange,
  },
});
