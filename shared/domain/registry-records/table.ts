import { byChange, pk, sk, type TableDesign } from '../../platform/data/table-design.ts';

/**
 * The registry's records as an organization of either kind holds them. Those of an NPN are one partition.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | subscription | `<owner>#SUBSCRIPTION` | `<subscriptionId>` |
 * | license | `<owner>#NPN#<npn>` | `LICENSE#<stateCode>#<licenseNumber>#<licenseClassCode>` |
 * | appointment | the same | `APPOINTMENT#<stateCode>#<hash of what identifies it>` |
 * | regulatory action | the same | `ACTION#<stateCode>#<actionId>` |
 * | renewal date for which a boundary of a license was reported | the same | `SWEPT#<boundary>#<stateCode>#<licenseNumber>#<licenseClassCode>` |
 * | what was last reported of a regulatory action | the same | `REPORTED#<stateCode>#<actionId>` |
 * | first day that the license sweep swept | `SWEEP` | `STATE` |
 * | days of a year that the license sweep has completed | `SWEEP` | `YEAR#<year>` |
 * | jobs of a day that the license sweep has done, until the day is complete | `SWEEP` | `DAY#<day>` |
 * | NPN that anybody subscribes to, with `lastVisitedAt` | `NPN#<npn>` | `NPN` |
 * | first visit of an NPN that is due | `NPN#<npn>` | `FIRST#<owner>` |
 * | when the next visit of the registry may begin | `VISITS` | `PACE` |
 * | record of the simulated registry that an operator set | `SIMULATOR#<npn>` | `RECORD` |
 *
 * | index | serves | partition | sort |
 * |---|---|---|---|
 * | by-list | an owner's licenses, or appointments | `listKey` = `<owner>#LICENSE` or `<owner>#APPOINTMENT` | `listSort` |
 * | by-npn | those of one NPN | `npnKey` = `listKey#<npn>` | `listSort` |
 * | by-state | those of a state | `stateKey` = `listKey#<stateCode>` | `listSort` |
 * | by-status | those of a status | `statusKey` = `listKey#<status>` | `listSort` |
 * | by-license-number | the NPN of a license | `licenseNumberKey` = `<owner>#<stateCode>#<licenseNumber>` | `pk` |
 * | by-renewal | licenses to be renewed on a day, of every owner | `renewalKey` = `<renewal date>#<shard>` | `pk` |
 * | by-renewal | appointments that end on a day, of every owner | `renewalKey` = `APPOINTMENT#<renewal date>#<shard>` | `pk` |
 * | by-npn, too | subscribers of an NPN, of every owner | `npnKey` = `SUBSCRIBERS#<npn>` | `listSort` = `<owner>` |
 * | by-visit | NPNs, the one that was not visited for longest first | `visitKey` = `NPN#<shard>` | `visitSort` = `lastVisitedAt`, else when it was first subscribed to |
 * | by-visit, too | first visits that are due | `visitKey` = `FIRST#<shard>` | `visitSort` = since when |
 * | by-shard | upstream organizations' subscriptions of an earlier version | `shardKey` = `SUBSCRIPTION#<shard>` | `sk` |
 * | by-change | subscriptions, with `npn`, by the time of their last change | `changeKey` = `<owner>#CHANGED#<shard of the id>` | `changedAt` |
 *
 * A subscription is made in one transaction with the item of its NPN, so the daily reconciliation finds every NPN once
 * and its subscribers in one query. Subscriptions that were made before there were such items are in `by-shard`: the
 * reconciliation first makes the items, whereupon they leave it. An agency's own ones are in no index; the next import
 * that refers to their NPN makes theirs.
 *
 * A license or an appointment holds its earlier versions, as JSON that is deflated (`earlierVersions`), so that a question
 * about a former day reads what one about today reads. One that the registry no longer reports stays for ten years,
 * marked as deleted and in no index, for questions about former days.
 *
 * `listSort` of a license = `<renewal date>#<stateCode>#<status>#<npn>#<sk>`: the one that expires soonest comes first, and a
 * summary of all of them reads only keys. Of an appointment = `<stateCode>#<carrier name>#<npn>#<sk>`.
 */
export const registryRecordsTable = {
  name: 'registry-records',
  partitionKey: pk,
  sortKey: sk,
  indexes: {
    'by-list': {
      partitionKey: { name: 'listKey', type: 'S' },
      sortKey: { name: 'listSort', type: 'S' },
      projection: 'keys',
    },
    'by-npn': {
      partitionKey: { name: 'npnKey', type: 'S' },
      sortKey: { name: 'listSort', type: 'S' },
      projection: 'keys',
    },
    'by-state': {
      partitionKey: { name: 'stateKey', type: 'S' },
      sortKey: { name: 'listSort', type: 'S' },
      projection: 'keys',
    },
    'by-status': {
      partitionKey: { name: 'statusKey', type: 'S' },
      sortKey: { name: 'listSort', type: 'S' },
      projection: 'keys',
    },
    'by-license-number': {
      partitionKey: { name: 'licenseNumberKey', type: 'S' },
      sortKey: pk,
      projection: 'keys',
    },
    'by-renewal': { partitionKey: { name: 'renewalKey', type: 'S' }, sortKey: pk, projection: 'keys' },
    'by-visit': {
      partitionKey: { name: 'visitKey', type: 'S' },
      sortKey: { name: 'visitSort', type: 'S' },
      projection: 'keys',
    },
    'by-shard': { partitionKey: { name: 'shardKey', type: 'S' }, sortKey: sk, projection: 'keys' },
    'by-change': { ...byChange, projection: ['npn'] },
  },
  timeToLive: 'expiresAt',
  kind: 'business',
} as const satisfies TableDesign;
