import { businessTable, index } from '../../platform/data/table-design.ts';

/**
 * What carriers' products require of producers and agencies. An owner has some dozens, so a list reads them whole.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | config | `<upstream>#CONFIG` | `<productId>` |
 * | version of what it requires | `<upstream>#CONFIG` | `<productId>#<validFrom>#<recordedAt>` |
 * | change of an NPN's compliance that is not reported yet | `<upstream>#CHANGE` | `<npn>` |
 * | what was last reported of an NPN's compliance, and what of it is not emitted yet | `<upstream>#REPORTED#<npn>` | `REPORTED` |
 * | how far the walk of an event through all NPNs is, until it is done | `<upstream>#WALK` | `<eventId>` |
 *
 * | index | serves | partition | sort |
 * |---|---|---|---|
 * | by-start | versions that begin on a day, of every owner; those that were recorded before it | `startKey` = `<validFrom>` | `pk` |
 */
export const complianceTable = businessTable('compliance', {
  indexes: { 'by-start': index('startKey', 'pk') },
});
