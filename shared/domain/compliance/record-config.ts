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

/** Bytes of the entries of a product's versions, as JSON: some 1,000 of them (OpenAPI, "replaceComplianceConfig"). */
export const mostBytesOfVersions = 200 * KB;

/** Versions of a product's config that are recorded on one day. */
export const mostVersionsADay = 20;

/** Products with a config that an organization can have: every list of them, and every report of what changed, has all. */
export const mostProducts = 200;

/** Deletions that are kept: what was reported before the first of so many is long reported again. */
export const keptDeletions = 100;

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
export const createRecordConfig =
  (table: Table) =>
  (
    owner: string,
    change: ConfigChange,
    requestedAt: Date,
    itemsFor: (config: ComplianceConfig, isChangedNow: boolean) => readonly TransactionItem[],
  ): Promise<ComplianceConfig> => {
    const { productId, validFrom: givenDay } = change.config;
    if (givenDay !== undefined && givenDay > yearAfter(newYorkDate(requestedAt))) {
      throw invalid({ path: 'validFrom', message: 'must not be more than a year ahead' });
    }
    return retryOnConflict(async () => {
      const storedHead = await table.get(storedConfigHead, complianceKeys.config(owner, productId));
      if (change.mustExist && (storedHead === undefined || isDeleted(storedHead)))
        throw new DomainError('not_found');
      if (storedHead === undefined && (await configHeads(table, owner)).length >= mostProducts) {
        throw limitReached(
          `An organization can have at most ${mostProducts} products with a config.`,
          mostProducts,
        );
      }
      const now = timeAfter(requestedAt, lastChanged(storedHead));
      const today = newYorkDate(now);
      const config: ComplianceConfig = { ...change.config, validFrom: givenDay ?? today };
      const version = { ...config, recordedAt: now.toISOString(), isSilent: change.isSilent };
      const storedVersions = storedHead?.versions ?? [];
      const inForce = (versions: readonly ConfigEntry[], day: CalendarDate) =>
        decidingAmong(versions, [{ day, knownAt: version.recordedAt }])[0];
      const isImportedAgain = change.recordHash !== undefined && storedHead?.recordHash === change.recordHash;
      const wasDeleted = storedHead !== undefined && isDeleted(storedHead);
      const isGone = change.isDeleted ?? false;
      // A config that is restored has a version of its own, which says when.
      const isRestored = wasDeleted && !isGone;
      const entry = configEntryOf(version);
      const ofThatDay = inForce(storedVersions, config.validFrom);
      const isSame =
        isImportedAgain ||
        (!isRestored && ofThatDay !== undefined && requiresSame(ofThatDay, entry, givenDay !== undefined));
      const isChanged = !isImportedAgain && (!isSame || wasDeleted !== isGone);
      // Two of one millisecond for one day are one version, the later.
      const isReplaced = ({ validFrom, recordedAt }: VersionTimes) =>
        validFrom === entry.validFrom && recordedAt === entry.recordedAt;
      const versions = isSame
        ? storedVersions
        : [entry, ...storedVersions.filter((version) => !isReplaced(version))];
      const ofToday = versions.filter(({ recordedAt }) => newYorkDate(new Date(recordedAt)) === today);
      if (!isSame && ofToday.length > mostVersionsADay) {
        throw limitReached(
          `A product’s config can have at most ${mostVersionsADay} new versions a day.`,
          mostVersionsADay,
        );
      }
      if (Buffer.byteLength(JSON.stringify(versions)) > mostBytesOfVersions) {
        throw limitReached(
          `The versions of a product’s config have at most ${mostBytesOfVersions} bytes.`,
          mostBytesOfVersions,
        );
      }
      const head = { productId, ...headTimes(storedHead, change, version.recordedAt), versions };
      const key = complianceKeys.config(owner, productId);
      const items = [
        ...(isChanged || (!isImportedAgain && change.recordHash !== undefined)
          ? [table.items.put({ ...key, ...head }, { revision: storedHead?.revision })]
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

function requiresSame(inForce: ConfigEntry, entry: ConfigEntry, isDayGiven: boolean): boolean {
  // A day that was given is recorded even where it changes nothing: a version that comes to lie before it would.
  const isNoBeginning = isDayGiven
    ? inForce.validFrom === entry.validFrom
    : inForce.validFrom <= entry.validFrom;
  return isNoBeginning && inForce.hash === entry.hash;
}

/** Times and revision of a head after one more write. */
function headTimes(
  storedHead: StoredConfigHead | undefined,
  {
    isDeleted: isGone = false,
    isSilent,
    recordHash = storedHead?.recordHash,
    createdAt,
    updatedAt,
  }: ConfigChange,
  recordedAt: string,
) {
  const endedDeletions =
    storedHead?.deletions.map((deletion) => ({ ...deletion, until: deletion.until ?? recordedAt })) ?? [];
  const deletions =
    storedHead !== undefined && isDeleted(storedHead) === isGone
      ? storedHead.deletions
      : [...endedDeletions, ...(isGone ? [{ from: recordedAt, until: null, isSilent }] : [])];
  return {
    createdAt: createdAt ?? storedHead?.createdAt ?? recordedAt,
    updatedAt: updatedAt ?? recordedAt,
    deletions: deletions.slice(-keptDeletions),
    revision: (storedHead?.revision ?? 0) + 1,
    recordHash,
  };
}

/** The faults of a config's states: each state that is given twice. */
export const repeatedStates = (states: ComplianceConfig['states']): Issue[] =>
  states.flatMap(({ stateCode }, index) =>
    states.findIndex((otherState) => otherState.stateCode === stateCode) === index
      ? []
      : [{ path: `states[${index}].stateCode`, message: 'is given more than once' }],
  );
