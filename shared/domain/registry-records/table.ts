import { businessTable, byChange, index } from '../../platform/data/table-design.ts';

/**
 * The registry's records as an organization of either kind holds them. Those of an NPN are one partition.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | subscription, with the mark of the last visit of the registry | `<owner>#SUBSCRIPTION` | `<subscriptionId>` |
 * | number of the last change of an NPN | `<owner>#NPN#<npn>` | `#VERSION` |
 * | day on which the compliance of an NPN may change next | the same | `NEXT-CHANGE` |
 * | day from which an appointment may be overdue, which the sweep finds like the former | the same | `DUE#<day>` |
 * | row of a license that is held | the same | `LICENSE#<stateCode>#<licenseNumber>#<licenseClassCode>#<issueDate>#<row>` |
 * | row of an appointment that is held | the same | `APPOINTMENT#<stateCode>#<hash of what identifies the status change>#<row>` |
 * | regulatory action | the same | `ACTION#<stateCode>#<actionId>` |
 * | fact: what a command stated, left out, or retracted of a license or an appointment | the same | `FACT#<stateCode>#LICENSE#<hash of the term>#<commandAt>#<commandId>#<hash>`, likewise `#APPOINTMENT#` |
 * | that a list of a state, of a poll or a complete import, is recorded as a whole | the same | `FACT#<stateCode>#CLOSED#<license or appointment>#<commandAt>#<commandId>` |
 * | row of a license or an appointment that cannot be read, as far as it was understood | the same | `FACT#<stateCode>#UNREAD#<commandAt>#<commandId>#<hash>` |
 * | when visits and complete imports confirmed what is known as a whole, and when they no longer found the NPN | the same | `FACT#VISITS` |
 * | what was written in a row that cannot be read, for 90 days | `<owner>#SET-ASIDE` | `<npn>#<hash>` |
 * | sale where the carrier appoints on binding, or its retraction | the same | `FACT#<stateCode>#SALE#<transactionId>#<commandAt>#<commandId>` |
 * | version of a regulatory action, or its retraction | the same | `FACT#<stateCode>#ACTION#<actionId>#<commandAt>#<commandId>` |
 * | the facts of licenses and regulatory actions of the states where the holder has resident licenses, repeated | the same | `HOME` |
 * | renewal date for which a boundary of a license was reported | the same | `SWEPT#<boundary>#<stateCode>#<licenseNumber>#<licenseClassCode>` |
 * | what was last reported of a regulatory action | the same | `REPORTED#<stateCode>#<actionId>` |
 * | first day that the license sweep swept | `SWEEP` | `STATE` |
 * | days of a year that the license sweep has completed | `SWEEP` | `YEAR#<year>` |
 * | jobs of a day that the license sweep has done, until the day is complete | `SWEEP` | `DAY#<day>` |
 * | NPN that anybody subscribes to, with `lastPolledAt`, and `namedAt` if something of it was said to have changed | `NPN#<npn>` | `NPN` |
 * | first poll of an NPN that is due | `NPN#<npn>` | `FIRST#<owner>` |
 * | when the next poll of the registry may begin | `POLLS` | `PACE` |
 * | how far the registry's lists of changes were read | `POLLS` | `CHANGES` |
 * | record of the simulated registry that an operator set | `SIMULATOR#<npn>` | `RECORD` |
 * | record of it that a customer put for itself alone | `SIMULATOR#<owner>` | `<npn>` |
 * | clock of an organization that rehearses | `SIMULATOR-CLOCKS` | `<owner>` |
 * | that an operator set one, for 90 days | `SIMULATOR-CHANGES` | `<time>#<npn>` |
 *
 * | index | serves | partition | sort |
 * |---|---|---|---|
 * | by-list | an owner's licenses, or appointments | `listKey` = `<owner>#LICENSE` or `<owner>#APPOINTMENT` | `listSort` |
 * | by-npn | those of one NPN | `npnKey` = `listKey#<npn>` | `listSort` |
 * | by-state | those of a state | `stateKey` = `listKey#<stateCode>` | `listSort` |
 * | by-status | those of a status | `statusKey` = `listKey#<status>` | `listSort` |
 * | by-license-number | the NPN of a license | `licenseNumberKey` = `<owner>#<stateCode>#<licenseNumber>` | `pk` |
 * | by-renewal | licenses to be renewed on a day, of every owner | `renewalKey` = `<renewal date>#<shard>` | `pk` |
 * | by-renewal, too | NPNs whose compliance may change on a day, of every owner | `renewalKey` = `CHANGE#<day>#<shard>` | `pk` |
 * | by-npn, too | subscribers of an NPN, of every owner | `npnKey` = `SUBSCRIBERS#<npn>` | `listSort` = `<owner>` |
 * | by-poll | NPNs, the one that waits for longest first | `pollKey` = `CHANGED#<shard>`, for one that was never polled `NEW#<shard>`, else `NPN#<shard>` | `pollSort` = when it was named, first subscribed to, or polled |
 * | by-poll, too | first polls that are due | `pollKey` = `FIRST#<shard>` | `pollSort` = since when |
 * | by-change | subscriptions, with `npn`, by the time of their last change | `changeKey` = `<owner>#CHANGED#<shard of the id>` | `changedAt` |
 * | by-change, too | facts and versions, of what was left out the closing, in the order of recording | `changeKey` = `<owner>#VERSIONS#CHANGED#<shard of the NPN>` | `changedAt` = `recordedAt` |
 *
 * A subscription is made in one transaction with the item of its NPN, so the daily reconciliation finds every NPN once and its
 * subscribers in one query.
 *
 * Facts are only ever added (`shared/domain/decision/facts.ts`), each with the time of its write (`recordedAt`), the command that
 * it came with, and who recorded it. What is held is derived from them and in the indexes: lists of the present read it alone.
 * Each transaction raises the number of the NPN's last change, by which writers notice each other.
 *
 * `listSort` of a license = `<last day>#<issueDate>#<stateCode>#<status>#<npn>#<sk>#<LAST or nothing>`: the one that ends soonest
 * comes first, and a summary of all of them reads only keys. `LAST` is the row that counts of the last term of its license. Of an
 * appointment = `<stateCode>#<carrier name>#<npn>#<sk>`. Only that row of a license has a `renewalKey`: of one whose date was
 * corrected into the past that of the next sweep.
 */
export const registryRecordsTable = businessTable('registry-records', {
  indexes: {
    'by-list': index('listKey', 'listSort'),
    'by-npn': index('npnKey', 'listSort'),
    'by-state': index('stateKey', 'listSort'),
    'by-status': index('statusKey', 'listSort'),
    'by-license-number': index('licenseNumberKey', 'pk'),
    'by-renewal': index('renewalKey', 'pk'),
    'by-poll': index('pollKey', 'pollSort'),
    'by-change': { ...byChange, projection: ['npn'] },
  },
  timeToLive: 'expiresAt',
});
