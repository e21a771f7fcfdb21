import * as z from 'zod/mini';
import { derivedObjectId, sortText } from '#platform/data/keys.ts';
import { parseIfStored, storedItem } from '#platform/data/stored.ts';
import { newYorkDate } from '#platform/dates/dates.ts';
import type { LicenseHolding } from '../decision/coverage.ts';
import { always, never, writtenDate } from '../decision/dates.ts';
import { markOn } from '../decision/days.ts';
import { shownRows } from '../decision/held.ts';
import { stateOn } from '../decision/holdings.ts';
import {
  inForce,
  lastTermOf,
  leftOut,
  nextSweepDay,
  type RenewalRow,
  renewalDateAt,
  renewalDateOf,
  renewalOf,
  renewalRowOf,
  sweptBy,
} from '../decision/renewal.ts';
import { comparable } from '../identifiers/identifiers.ts';
import { statusKindOf } from '../registry/words.ts';
import { partitionOf, registryPartitions, renewalShard, shardOf } from './stored.ts';
import type { KeyedItem, RecordedLicense, Recorder, StoredItem } from './stored-records.ts';

// The entry of a license: by it the license is found by its number, in lists over all holders, and by the sweep. It has keys and no
// row, which the head has; it follows from what is recorded, but for the day by which the sweep finds the license, which follows
// from the entry before as well.

/** The members of a license that the key of its entry contains; a summary needs no more. */
export interface LicenseSort extends RenewalRow {
  readonly stateCode: string;
  readonly npn: string;
}

/** Parses `listSort` of an entry: the license that ends soonest comes first, one without an end last. */
export function readLicenseSort(sort: string): LicenseSort {
  const [ownEnd = never, begins = always, stateCode = '', status = '', npn = ''] = sort.split('#');
  return { ownEnd, begins, stateCode, status, npn };
}

/** Beginning of the sort keys of entries. */
export const entryPrefix = 'LICENSE#';

/** The state and the license that the sort key of an entry names. */
export const licenseOfEntry = (sk: string): { readonly stateCode: string; readonly licenseId: string } => {
  const [, stateCode = '', licenseId = ''] = sk.split('#');
  return { stateCode, licenseId };
};

/** The id of a license by which its entry names it. */
export const licenseIdOf = ({ key }: Pick<LicenseHolding, 'key'>): string => derivedObjectId(key);

/** Whether it is left out, and nothing that is known has it begin again. */
const isGone = ({ days }: LicenseHolding, today: string): boolean =>
  markOn(days, today)?.is === 'left out' &&
  !days.some(({ from, mark }) => from > today && (mark?.is === 'in force' || mark?.is === 'not known'));

/** The status of a license in lists of renewals: that of its row, unless its days say otherwise. */
function listedStatus(holding: LicenseHolding, row: RenewalRow, today: string): string {
  if (isGone(holding, today)) return leftOut;
  const isLive = statusKindOf(row.status, 'license') === 'live';
  if (stateOn(holding, today) === 'in force') return isLive ? row.status : inForce;
  const isSaidOtherwise = markOn(holding.days, today) !== undefined || renewalOf(row, today).isCurrent;
  return isLive && isSaidOtherwise ? leftOut : row.status;
}

const entryBefore = storedItem('registry-records/license-entry-before', {
  renewalDate: z._default(z.nullable(z.string()), null),
  renewalKey: z.optional(z.string()),
});

/**
 * The entry of a license; none where no row of it counts.
 * @param before what is stored already of the holder, by sort key, and whether what changes it is to send no events.
 */
export function licenseEntries(
  owner: string,
  holding: LicenseHolding<RecordedLicense>,
  at: Date,
  { items, isSilent }: Recorder & { readonly items: ReadonlyMap<string, StoredItem> },
): KeyedItem[] {
  const today = newYorkDate(at);
  const [license] = shownRows(holding, today);
  if (license === undefined) return [];
  const { npn, stateCode, licenseNumber, status } = license;
  const key = { pk: partitionOf(owner, npn), sk: `${entryPrefix}${stateCode}#${licenseIdOf(holding)}` };
  const term = lastTermOf(holding, license);
  const isLeftOut = isGone(holding, today);
  const renewalRow = renewalRowOf(license, term);
  const { ownEnd, begins } = renewalRow;
  const sortedStatus = sortText(listedStatus(holding, renewalRow, today)).replaceAll('#', ' ');
  const renewalDate = renewalDateOf(term);
  const before = parseIfStored(entryBefore, items.get(key.sk));
  const next = renewalDateAt('EXPIRED', nextSweepDay(at));
  const sweepDate = sweptBy(
    renewalDate,
    before && { ...before, sweptBy: before.renewalKey && writtenDate(before.renewalKey) },
    { isSilent, next },
  );
  // Once it is back, one that is left out is reported unless it had been before, or was never to be.
  const hasPassed = sweepDate !== null && sweepDate < next;
  const knownTimes = holding.said.map(({ row, statement }) => row.source.createdAt ?? statement.at);
  return [
    {
      ...key,
      listKey: registryPartitions.licenses(owner),
      npnKey: registryPartitions.licensesOfNpn(owner, npn),
      stateKey: registryPartitions.licensesOfState(owner, stateCode),
      statusKey: registryPartitions.licensesOfStatus(owner, status),
      listSort: [ownEnd, begins, stateCode, sortedStatus, npn, key.sk].join('#'),
      ...(comparable(licenseNumber) === ''
        ? {}
        : { licenseNumberKey: registryPartitions.ofLicenseNumber(owner, stateCode, licenseNumber) }),
      ...(renewalDate === null || (isLeftOut && !hasPassed) ? {} : { renewalDate }),
      ...(isLeftOut || sweepDate === null
        ? {}
        : { renewalKey: renewalShard(writtenDate(sweepDate), shardOf(key.pk)) }),
      createdAt: knownTimes.reduce((first, time) => (time < first ? time : first)),
    },
  ];
}
