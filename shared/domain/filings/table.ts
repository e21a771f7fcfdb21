import { businessTable, byChange, index } from '../../platform/data/table-design.ts';

/**
 * Surplus-lines filings. `<downstream>` is `recordOwnerOf` the agency, here as in other tables: its first organization, else the
 * agency; `own-records.ts` says whose the record is. A filing and its messages are one partition, read in one query; it starts with the upstream
 * owner, and the downstream owner finds the same items through an index that starts with its id.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | filing with its checklist | `<upstream>#FILING#<filingId>` | `FILING` |
 * | message of an escalation | the same | `MESSAGE#<sentAt>#<messageId>` |
 * | list entry, one for each of the two owners | `<owner>#FILINGS` | `<filingId>` |
 * | owner of a filing, for operators who know only its id | `FILING_ID#<filingId>` | `OWNER` |
 *
 * | index | serves | partition | sort |
 * |---|---|---|---|
 * | by-downstream | a filing and its messages, for the agency | `downstreamKey` = `<downstream>#FILING#<filingId>` | `sk` |
 * | by-owner | pages of list entries | `listKey` = `<owner>` | `sk` |
 * | by-status | entries of a status | `statusKey` = `<owner>#<status>` | `sk` |
 * | by-state | entries of a state | `stateKey` = `<owner>#<stateCode>` | `sk` |
 * | by-policy-number | entries of a policy | `policyNumberKey` = `<owner>#<policyNumber>` | `sk` |
 * | by-reference | entries of a reference | `referenceKey` = `<owner>#<externalReference>` | `sk` |
 * | by-action | entries that wait for the customer, or do not | `actionKey` = `<owner>#<true or false>` | `sk` |
 * | by-entity | entries of an agency's entity | `entityKey` = `<owner>#<downstreamEntityId>` | `sk` |
 * | by-change | filings by the time of their last change, deleted ones too, for the carrier | `changeKey` = `<upstream>#CHANGED#<shard of the id>` | `changedAt` |
 *
 * The indexes of list entries hold only keys: filters are intersected by id, and only items that are returned are read.
 */
export const filingsTable = businessTable('filings', {
  indexes: {
    'by-downstream': index('downstreamKey', 'sk', 'all'),
    'by-owner': index('listKey', 'sk'),
    'by-status': index('statusKey', 'sk'),
    'by-state': index('stateKey', 'sk'),
    'by-policy-number': index('policyNumberKey', 'sk'),
    'by-reference': index('referenceKey', 'sk'),
    'by-action': index('actionKey', 'sk'),
    'by-entity': index('entityKey', 'sk'),
    'by-change': byChange,
  },
});
