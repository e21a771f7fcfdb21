import { invalid } from '../../platform/contract/errors.ts';
import { compare } from '../../platform/data/keys.ts';
import type { Table } from '../../platform/data/table.ts';
import { retryOnConflict, type TransactionItem, timeAfter } from '../../platform/data/transact.ts';
import { type CalendarDate, newYorkDate, yearAfter } from '../../platform/dates/dates.ts';
import { DomainError, type Issue, limitReached } from '../../platform/errors/domain-error.ts';
import type { ComplianceConfig, VersionTimes } from '../decision/compliance-config.ts';
import { configHeads, decidingAmong, entriesOf, readVersions } from './store.ts';
import {
  complianceKeys,
  configEntryOf,
  configVersionItems,
  isDeleted,
  type StoredConfigEntry,
  type StoredConfigHead,
  storedConfigHead,
} from './stored.ts';

/** What a product is to require. */
interface ConfigChange {
  /** Without `validFrom`, from the day on which it is recorded. */
  readonly config: Omit<ComplianceConfig, 'validFrom'> & { readonly validFrom?: CalendarDate | undefined };
  readonly isDeleted?: boolean | undefined;
  /** Whether an import without events records it. */
  readonly isSilent: boolean;
  /** Of the line that is imported: one that was imported last changes nothing. */
  readonly recordHash?: string;
  /** Times that an import gives. */
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
  /** Whether there must be a config already. */
  readonly mustExist: boolean;
}

/**
 * Records what a product requires as a version, unless the version in force on its first day requires the same: one that begins
 * on that day, or, where no day is given, any. It is dated by the request, but never before what is recorded of the product: of
 * two changes, the later one counts, however the clocks of instances differ.
 *
 * @param itemsFor further items of the transaction, given the config and whether something else is required from now on.
 * @throws DomainError `not_found` where there must be a config and there is none, or a deleted one, and `state_conflict` where it
 * has `mostVersionsADay`; ApiError `validation_error` for a `validFrom` more than a year ahead; TransactionContention when others
 * keep writing the config.
 */
type RecordConfig = (
  owner: string,
  change: ConfigChange,
  now: Date,
  itemsFor: (config: ComplianceConfig, isChangedNow: boolean) => readonly TransactionItem[],
) => Promise<ComplianceConfig>;

/** Versions of a product that requests may add on one day in New York (OpenAPI, "replaceComplianceConfig"). */
export const mostVersionsADay = 20;

/** Products with a config that an organization can have: every list of them, and every report of what changed, has all. */
export const mostProducts = 200;

/** Deletions that are kept: what was reported before the first of so many is long reported again. */
export const keptDeletions = 100;

export const createRecordConfig =
  (table: Table): RecordConfig =>
  (owner, change, asked, itemsFor) => {
    const { productId, validFrom: givenDay } = change.config;
    if (givenDay !== undefined && givenDay > yearAfter(newYorkDate(asked))) {
      throw invalid({ path: 'validFrom', message: 'must not be more than a year ahead' });
    }
    return retryOnConflict(async () => {
      const before = await table.get(storedConfigHead, complianceKeys.config(owner, productId));
      if (change.mustExist && (before === undefined || isDeleted(before))) throw new DomainError('not_found');
      if (before === undefined && (await configHeads(table, owner)).length >= mostProducts) {
        throw limitReached(
          `An organization can have at most ${mostProducts} products with a config.`,
          mostProducts,
        );
      }
      const now = timeAfter(asked, lastChanged(before));
      const today = newYorkDate(now);
      const config: ComplianceConfig = { ...change.config, validFrom: givenDay ?? today };
      const version = { ...config, recordedAt: now.toISOString(), isSilent: change.isSilent };
      const momentOf = (day: CalendarDate) => ({ day, knownAt: version.recordedAt });
      // Those in force on the version's day and today, and all to come.
      const days = [config.validFrom, today, yearAfter(today)];
      const entries =
        before === undefined
          ? []
          : await entriesOf(table, owner, before, days.map(momentOf), { consistent: true });
      const isImportedAgain = change.recordHash !== undefined && before?.recordHash === change.recordHash;
      const wasDeleted = before !== undefined && isDeleted(before);
      const isGone = change.isDeleted ?? false;
      // A config that is restored has a version of its own, which says when.
      const isRestored = wasDeleted && !isGone;
      const entry = configEntryOf(version);
      const [ofThatDay] = decidingAmong(entries, [momentOf(config.validFrom)]);
      const isSame =
        isImportedAgain ||
        (!isRestored && ofThatDay !== undefined && requiresSame(ofThatDay, entry, givenDay !== undefined));
      const isChanged = !isImportedAgain && (!isSame || wasDeleted !== isGone);
      // Two of one millisecond for one day are one version, the later.
      const isReplaced = ({ validFrom, recordedAt }: VersionTimes) =>
        validFrom === entry.validFrom && recordedAt === entry.recordedAt;
      const after = isSame ? entries : [entry, ...entries.filter((one) => !isReplaced(one))];
      const [inForce = entry] = decidingAmong(after, [momentOf(today)]);
      const isAsBefore = before?.present.recordedAt === inForce.recordedAt;
      const known = inForce === entry ? config : isAsBefore ? before.present : undefined;
      const ofProduct = { ...inForce, productId };
      const named = known ?? (await readVersions(table, owner, [ofProduct]))(ofProduct);
      const begins = after.map(({ validFrom }) => validFrom).filter((day) => day > today);
      const head: StoredConfigHead = {
        productId,
        ...headTimes(before, change, version.recordedAt),
        ...recordings(before, isSame ? undefined : version.recordedAt),
        present: { ...inForce, productName: named.productName, productCode: named.productCode },
        isFirst:
          before === undefined || (before.isFirst && isAsBefore && (isSame || config.validFrom > today)),
        nextFrom: begins.sort(compare)[0] ?? null,
      };
      if (!isSame && change.mustExist && head.recordedThatDay > mostVersionsADay) {
        throw limitReached(
          `A product can have at most ${mostVersionsADay} new versions a day.`,
          mostVersionsADay,
        );
      }
      const key = complianceKeys.config(owner, productId);
      const items = [
        ...(isChanged || (!isImportedAgain && change.recordHash !== undefined)
          ? [table.items.put({ ...key, ...head }, { revision: before?.revision })]
          : []),
        // The head, which is written with it, lets no other writer come between.
        ...(isSame ? [] : configVersionItems(owner, version, today)).map((item) => table.items.put(item)),
        ...itemsFor(config, isChanged && (wasDeleted !== isGone || inForce === entry)),
      ];
      await table.transact(items);
      return config;
    });
  };

/** When a config was last changed; empty where there is none. */
const lastChanged = (head: StoredConfigHead | undefined): string =>
  [head?.recordedAt ?? '', ...(head?.deletions ?? []).map(({ from, until }) => until ?? from)].reduce(
    (last, time) => (time > last ? time : last),
  );

function requiresSame(inForce: StoredConfigEntry, another: StoredConfigEntry, isDayGiven: boolean): boolean {
  // A day that was given is recorded even where it changes nothing: a version that comes to lie before it would.
  const isNoBeginning = isDayGiven
    ? inForce.validFrom === another.validFrom
    : inForce.validFrom <= another.validFrom;
  return isNoBeginning && inForce.hash === another.hash;
}

/** What a head says of writes, after one more. */
function headTimes(
  before: StoredConfigHead | undefined,
  {
    isDeleted: isGone = false,
    isSilent,
    recordHash = before?.recordHash,
    createdAt,
    updatedAt,
  }: ConfigChange,
  at: string,
) {
  const ended = before?.deletions.map((one) => ({ ...one, until: one.until ?? at })) ?? [];
  const deletions =
    before !== undefined && isDeleted(before) === isGone
      ? before.deletions
      : [...ended, ...(isGone ? [{ from: at, until: null, isSilent }] : [])];
  return {
    createdAt: createdAt ?? before?.createdAt ?? at,
    updatedAt: updatedAt ?? at,
    deletions: deletions.slice(-keptDeletions),
    revision: (before?.revision ?? 0) + 1,
    recordHash,
  };
}

/** What a head says of when versions were recorded, one more among them if there is one. */
function recordings(
  before: StoredConfigHead | undefined,
  recordedAt: string | undefined,
): Pick<StoredConfigHead, 'recordedAt' | 'recordedThatDay'> {
  const { recordedAt: last = '', recordedThatDay = 0 } = before ?? {};
  if (recordedAt === undefined) return { recordedAt: last, recordedThatDay };
  const isThatDay = last !== '' && newYorkDate(new Date(last)) === newYorkDate(new Date(recordedAt));
  return { recordedAt, recordedThatDay: isThatDay ? recordedThatDay + 1 : 1 };
}

/** The faults of a config's states: each state that is given twice. */
export const repeatedStates = (states: ComplianceConfig['states']): Issue[] =>
  states.flatMap(({ stateCode }, index) =>
    states.findIndex((other) => other.stateCode === stateCode) === index
      ? []
      : [{ path: `states[${index}].stateCode`, message: 'is given more than once' }],
  );
