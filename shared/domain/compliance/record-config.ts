import { KB } from '#platform/aws/limits.ts';
import { invalid } from '#platform/contract/errors.ts';
import type { Table } from '#platform/data/table.ts';
import { retryOnConflict, type TransactionItem, timeAfter } from '#platform/data/transact.ts';
import { type CalendarDate, newYorkDate, yearAfter } from '#platform/dates/dates.ts';
import { DomainError, type Issue, limitReached } from '#platform/errors/domain-error.ts';
import type { ComplianceConfig, VersionTimes } from '../decision/compliance-config.ts';
import { configHeads, decidingAmong } from './store.ts';
import {
  type ConfigEntry,
  complianceKeys,
  configEntryOf,
  configVersionItem,
  isDeleted,
  type StoredConfigHead,
  storedConfigHead,
} from './stored.ts';

/** A change of a product's requirements. */
interface ConfigChange {
  /** The config; without `validFrom`, it counts from the day on which it is recorded. */
  readonly config: Omit<ComplianceConfig, 'validFrom'> & { readonly validFrom?: CalendarDate | undefined };
  readonly isDeleted?: boolean | undefined;
  /** Whether an import without events records it. */
  readonly isSilent: boolean;
  /** Hash of the imported line: the one that was imported last changes nothing. */
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
 * has too many versions; ApiError `validation_error` for a `validFrom` more than a year ahead; TransactionContention when others
 * keep writing the config.
 */
type RecordConfig = (
  owner: string,
  change: ConfigChange,
  now: Date,
  itemsFor: (config: ComplianceConfig, isChangedNow: boolean) => readonly TransactionItem[],
) => Promise<ComplianceConfig>;

/** Bytes of the entries of a product's versions, as JSON: some 1,000 of them (OpenAPI, "replaceComplianceConfig"). */
export const mostBytesOfVersions = 200 * KB;

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
      const known = before?.versions ?? [];
      const inForce = (versions: readonly ConfigEntry[], day: CalendarDate) =>
        decidingAmong(versions, [{ day, knownAt: version.recordedAt }])[0];
      const isImportedAgain = change.recordHash !== undefined && before?.recordHash === change.recordHash;
      const wasDeleted = before !== undefined && isDeleted(before);
      const isGone = change.isDeleted ?? false;
      // A config that is restored has a version of its own, which says when.
      const isRestored = wasDeleted && !isGone;
      const entry = configEntryOf(version);
      const ofThatDay = inForce(known, config.validFrom);
      const isSame =
        isImportedAgain ||
        (!isRestored && ofThatDay !== undefined && requiresSame(ofThatDay, entry, givenDay !== undefined));
      const isChanged = !isImportedAgain && (!isSame || wasDeleted !== isGone);
      // Two of one millisecond for one day are one version, the later.
      const isReplaced = ({ validFrom, recordedAt }: VersionTimes) =>
        validFrom === entry.validFrom && recordedAt === entry.recordedAt;
      const versions = isSame ? known : [entry, ...known.filter((version) => !isReplaced(version))];
      if (Buffer.byteLength(JSON.stringify(versions)) > mostBytesOfVersions) {
        throw limitReached(
          `The versions of a product’s config have at most ${mostBytesOfVersions} bytes.`,
          mostBytesOfVersions,
        );
      }
      const head = { productId, ...headTimes(before, change, version.recordedAt), versions };
      const key = complianceKeys.config(owner, productId);
      const items = [
        ...(isChanged || (!isImportedAgain && change.recordHash !== undefined)
          ? [table.items.put({ ...key, ...head }, { revision: before?.revision })]
          : []),
        // The head, which is written with it, lets no other writer come between.
        ...(isSame ? [] : [table.items.put(configVersionItem(owner, version, today))]),
        ...itemsFor(config, isChanged && (wasDeleted !== isGone || inForce(versions, today) === entry)),
      ];
      await table.transact(items);
      return config;
    });
  };

/** The time when a config was last changed; empty where there is none. */
const lastChanged = (head: StoredConfigHead | undefined): string =>
  [
    head?.versions[0]?.recordedAt ?? '',
    ...(head?.deletions ?? []).map(({ from, until }) => until ?? from),
  ].reduce((last, time) => (time > last ? time : last));

function requiresSame(inForce: ConfigEntry, another: ConfigEntry, isDayGiven: boolean): boolean {
  // A day that was given is recorded even where it changes nothing: a version that comes to lie before it would.
  const isNoBeginning = isDayGiven
    ? inForce.validFrom === another.validFrom
    : inForce.validFrom <= another.validFrom;
  return isNoBeginning && inForce.hash === another.hash;
}

/** Times and revision of a head after one more write. */
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
  const ended = before?.deletions.map((deletion) => ({ ...deletion, until: deletion.until ?? at })) ?? [];
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

/** The faults of a config's states: each state that is given twice. */
export const repeatedStates = (states: ComplianceConfig['states']): Issue[] =>
  states.flatMap(({ stateCode }, index) =>
    states.findIndex((other) => other.stateCode === stateCode) === index
      ? []
      : [{ path: `states[${index}].stateCode`, message: 'is given more than once' }],
  );
