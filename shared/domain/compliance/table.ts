import { pk, sk, type TableDesign } from '../../platform/data/table-design.ts';

/**
 * What carriers' products require of producers and agencies. An owner has some dozens, so a list reads them whole.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | config | `<upstream>#CONFIG` | `<productId>` |
 * | version of what it requires | `<upstream>#CONFIG` | `<productId>#<validFrom>#<recordedAt>` |
 * | change of an NPN's compliance that is not reported yet | `<upstream>#CHANGE` | `<npn>` |
 * | what was last reported of an NPN's compliance | `<upstream>#REPORTED#<npn>` | `REPORTED` |
 * | the same, recorded by an earlier version of the service | `<upstream>#REPORTED` | `<npn>` |
 * | how far the walk of an event through all NPNs is, until it is done | `<upstream>#WALK` | `<eventId>` |
 */
export const complianceTable = {
  name: 'compliance',
  partitionKey: pk,
  sortKey: sk,
  kind: 'business',
} as const satisfies TableDesign;
