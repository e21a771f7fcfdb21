import { businessTable, index } from '../../platform/data/table-design.ts';

/**
 * What carriers' products require of producers and agencies. An owner has some dozens, so a list reads all heads; of the versions, it
 * reads those that count.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | config | `<upstream>#CONFIG` | `<productId>` |
 * | entry of a version: that there is one | `<upstream>#CONFIG#<productId>` | `<validFrom>#<recordedAt>` |
 * | what a version requires | `<upstream>#REQUIRED#<productId>` | the same |
 * | what was said of classes of licenses, by an owner or for `EVERYBODY` | `<owner>#CLASS-KINDS` | `CLASS-KINDS` |
 * | change of an NPN's compliance that is not reported yet | `<upstream>#CHANGE` | `<npn>` |
 * | what was last reported of an NPN's compliance, and what of it is not emitted yet | `<upstream>#REPORTED#<npn>` | `REPORTED` |
 * | how far the walk of an event through all NPNs is, until it is done | `<upstream>#WALK` | `<eventId>` |
 *
 * | index | serves | partition | sort |
 * |---|---|---|---|
 * | by-start | entries of versions that begin on a day, of every owner; those that were recorded before it | `startKey` = `<validFrom>` | `pk` |
 */
export const complianceTable = businessTable('compliance', {
  indexes: { 'by-start': index('startKey', 'pk') },
});
