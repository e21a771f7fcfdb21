import { invalid } from '../../platform/contract/errors.ts';
import { isDeepStrictEqual } from '../../platform/data/node-util.ts';
import { retryOnConflict, timeAfter } from '../../platform/data/optimistic-lock.ts';
import type { Table } from '../../platform/data/table.ts';
import type { TableItems } from '../../platform/data/table-items.ts';
import type { TransactionItem } from '../../platform/data/transact.ts';
import { type CalendarDate, newYorkDate, yearAfter } from '../../platform/dates/calendar.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import type { ComplianceConfig } from './resource.ts';
import { inForceOn, type RecordedConfig, recordedConfigs } from './store.ts';
import {
  complianceKeys,
  configVersionItem,
  isDeleted,
  type StoredConfigHead,
  type StoredConfigVersion,
} from './stored.ts';

/** What a product is to require. */
export interface ConfigChange {
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
 * @throws DomainError `not_found` where there must be a config and there is none, or a deleted one; ApiError
 *   `validation_error` for a `validFrom` more than a year ahead; TransactionContention when others keep writing the config.
 */
export type RecordConfig = (
  owner: string,
  change: ConfigChange,
  now: Date,
  itemsFor: (config: ComplianceConfig, isChangedNow: boolean) => readonly TransactionItem[],
) => Promise<ComplianceConfig>;

/** Its content apart from its times. */
const contentOf = ({ productName, productCode, carrierNaicCodes, states }: ConfigChange['config']) => ({
  productName,
  productCode,
  carrierNaicCodes,
  states,
});

export const createRecordConfig =
  (table: Table): RecordConfig =>
  (owner, change, asked, itemsFor) => {
    const { productId, validFrom: givenDay } = change.config;
    if (givenDay !== undefined && givenDay > yearAfter(newYorkDate(asked))) {
      throw invalid({ path: 'validFrom', message: 'must not be more than a year ahead' });
    }
    return retryOnConflict(async () => {
      const [recorded] = await recordedConfigs(table, { owner, productId, isConsistent: true });
      if (change.mustExist && (recorded === undefined || isDeleted(recorded.head)))
        throw new DomainError('not_found');
      const now = timeAfter(asked, lastRecorded(recorded));
      const config: ComplianceConfig = { ...change.config, validFrom: givenDay ?? newYorkDate(now) };
      const version = { ...config, recordedAt: now.toISOString(), isSilent: change.isSilent };
      const isImportedAgain =
        change.recordHash !== undefined && recorded?.head.recordHash === change.recordHash;
      const wasDeleted = recorded !== undefined && isDeleted(recorded.head);
      const isGone = change.isDeleted ?? false;
      // One that is restored has a version of its own, which says when.
      const isRestored = wasDeleted && !isGone;
      const isSame =
        isImportedAgain ||
        (recorded !== undefined &&
          !isRestored &&
          requiresSame(recorded, config, { isDayGiven: givenDay !== undefined, now }));
      const isChanged = !isImportedAgain && (!isSame || wasDeleted !== isGone);
      const items = [
        ...(isChanged || (!isImportedAgain && change.recordHash !== undefined)
          ? [headWrite(table.items, owner, recorded?.head, config, change, now)]
          : []),
        ...(isSame ? [] : [versionWrite(table.items, owner, version, now)]),
        ...itemsFor(config, isChanged && (wasDeleted !== isGone || isInForce(recorded, version, now))),
      ];
      if (items.length > 0) await table.transact(items);
      return config;
    });
  };

/** When a config was last changed; empty where there is none. */
const lastRecorded = (recorded: RecordedConfig | undefined): string =>
  [
    ...(recorded?.versions.map(({ recordedAt }) => recordedAt) ?? []),
    ...(recorded?.head.deletions.flatMap(({ from, until }) => until ?? from) ?? []),
  ].reduce((last, time) => (time > last ? time : last), '');

function requiresSame(
  { versions: [first, ...others] }: RecordedConfig,
  config: ComplianceConfig,
  { isDayGiven, now }: { readonly isDayGiven: boolean; readonly now: Date },
): boolean {
  if (first === undefined) return false;
  const inForce = inForceOn([first, ...others], now, config.validFrom);
  // A day that was given is recorded even where it changes nothing: a version that comes to lie before it would.
  const isNoBeginning = isDayGiven
    ? inForce.validFrom === config.validFrom
    : inForce.validFrom <= config.validFrom;
  return isNoBeginning && isDeepStrictEqual(contentOf(inForce), contentOf(config));
}

function headWrite(
  items: TableItems,
  owner: string,
  before: StoredConfigHead | undefined,
  { productId }: ComplianceConfig,
  {
    isDeleted: isGone = false,
    isSilent,
    recordHash = before?.recordHash,
    createdAt,
    updatedAt,
  }: ConfigChange,
  now: Date,
): TransactionItem {
  const at = now.toISOString();
  const ended = before?.deletions.map((one) => ({ ...one, until: one.until ?? at })) ?? [];
  const deletions =
    before !== undefined && isDeleted(before) === isGone
      ? before.deletions
      : [...ended, ...(isGone ? [{ from: at, until: null, isSilent }] : [])];
  const head: StoredConfigHead = {
    productId,
    createdAt: createdAt ?? before?.createdAt ?? at,
    updatedAt: updatedAt ?? at,
    deletions,
    revision: (before?.revision ?? 0) + 1,
    recordHash,
  };
  return items.put({ ...complianceKeys.config(owner, productId), ...head }, { revision: before?.revision });
}

/** Whether a version is what is required today: also the first one ever, which stands in until it begins. */
const isInForce = (recorded: RecordedConfig | undefined, version: StoredConfigVersion, now: Date): boolean =>
  inForceOn([version, ...(recorded?.versions ?? [])], now) === version;

const versionWrite = (
  items: TableItems,
  owner: string,
  version: StoredConfigVersion,
  now: Date,
): TransactionItem =>
  // Two of one millisecond are one version: the head, which is written with it, lets no other writer come between.
  items.put(configVersionItem(owner, version, newYorkDate(now)));
