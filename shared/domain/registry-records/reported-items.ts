import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod/mini';
import type { CompatibleSchema } from '../../platform/contract/compatible.ts';
import { itemKey, parseStored } from '../../platform/data/stored.ts';
import type { RegistryReport } from '../registry/registry.ts';
import type { RegistryDataSubscription } from './registry-data-subscription.ts';
import { regulatoryAction } from './regulatory-action.ts';
import { actionItem, appointmentItem, licenseItem, registryKeys, regulatoryActionIdOf } from './stored.ts';
import type { RecordChange } from './versioned-kinds.ts';
import { appointmentKind, licenseKind, type VersionedKind } from './versioned-kinds.ts';
import {
  expiryOfDeleted,
  historyOf,
  versionAttributes,
  versionAttributesOf,
  withChange,
} from './versions.ts';

/** An item as the table holds it. */
export type StoredItem = Readonly<Record<string, unknown>>;

interface Item extends StoredItem {
  readonly pk: string;
  readonly sk: string;
}

/** Whose records are brought up to date: the members of a subscription that its records need. */
export type Subscriber = Pick<RegistryDataSubscription, '_id' | 'dataOwnerId' | 'dataOwnerModel' | 'npn'>;

/** What is stored, and what changes it. */
interface Reporting {
  readonly stored: ReadonlyMap<string, StoredItem>;
  /** The time of the changes, as the records show it. */
  readonly at: Date;
  readonly by: RecordChange;
}

/**
 * The items of the registry's report, by sort key. A stored record keeps its times unless something
 * in it has changed, and a regulatory action its id, so an unchanged report yields the stored items.
 */
export function reportedItems(
  { dataOwnerId: owner, _id: registryDataSubscriptionId, npn }: Subscriber,
  {
    report: { licenses = [], appointments = [], actions },
    stored,
    at,
    by,
  }: Reporting & { readonly report: RegistryReport },
): ReadonlyMap<string, Item> {
  const ownFields = { registryDataSubscriptionId, npn };
  const now = at.toISOString();

  /** The record with the time of its last change. */
  const dated = <Schema extends CompatibleSchema<{ readonly updatedAt: string }>>(
    schema: Schema,
    sk: string,
    record: z.output<Schema>,
  ): z.output<Schema> => {
    const item = stored.get(sk);
    if (item === undefined) return record;
    const known = parseStored(schema, item);
    return isDeepStrictEqual({ ...record, updatedAt: known.updatedAt }, known) ? known : record;
  };

  /** The record with its versions; one that has not changed keeps its times and those that it has. */
  const versioned = <Record>(
    kind: VersionedKind<Record>,
    sk: string,
    record: Record,
    itemOf: (record: Record) => Item,
  ): Item => {
    const item = stored.get(sk);
    const history = item === undefined ? [] : historyOf(kind, item);
    const changed = withChange(kind, history, { record, by, at });
    const known = history.at(-1);
    return known !== undefined && changed === history
      ? { ...itemOf(known.record), ...versionAttributesOf(item ?? {}) }
      : { ...itemOf(record), ...versionAttributes(changed, item) };
  };

  const items = [
    ...licenses.map((reported): Item => {
      const record = { ...reported, ...ownFields, updatedAt: now };
      const { sk } = registryKeys.license(owner, record);
      const item = stored.get(sk);
      // The license sweep needs the time since which a license is known; one that was deleted is new.
      const createdAt = item?.['isDeleted'] === true ? now : (item?.['createdAt'] ?? now);
      return versioned(licenseKind, sk, record, (one) => ({ ...licenseItem(owner, one), createdAt }));
    }),
    ...appointments.map((reported): Item => {
      const record = { ...reported, ...ownFields, updatedAt: now };
      const { sk } = registryKeys.appointment(owner, record);
      return versioned(appointmentKind, sk, record, (one) => appointmentItem(owner, one));
    }),
    ...actions.map((reported): Item => {
      const { sk } = registryKeys.action(owner, { ...reported, npn });
      const item = stored.get(sk);
      const { _id, createdAt } =
        item === undefined
          ? { _id: regulatoryActionIdOf(owner, { ...reported, npn }), createdAt: now }
          : parseStored(regulatoryAction, item);
      const record = { _id, ...ownFields, ...reported, createdAt, updatedAt: now };
      return actionItem(owner, dated(regulatoryAction, sk, record));
    }),
  ];
  // Two reports under one key are one record: a transaction allows each key once.
  return new Map(items.map((item) => [item.sk, item]));
}

/**
 * The items of records that the registry no longer reports: without index keys, and with what they were before. Of those
 * that were deleted already there is nothing to write.
 */
export function deletedItems(
  items: readonly StoredItem[],
  { at, by }: Pick<Reporting, 'at' | 'by'>,
): readonly Item[] {
  const deleted = <Record extends object>(kind: VersionedKind<Record>, item: StoredItem): Item => {
    const history = historyOf(kind, item);
    const record = { ...parseStored(kind.schema, item), updatedAt: at.toISOString() };
    const changed = withChange(kind, history, { record, isDeleted: true, by, at });
    return {
      ...parseStored(itemKey, item),
      ...record,
      ...versionAttributes(changed, item),
      isDeleted: true,
      expiresAt: expiryOfDeleted(at),
    };
  };
  return items
    .filter(({ isDeleted }) => isDeleted !== true)
    .map((item) =>
      String(item['sk']).startsWith('LICENSE#') ? deleted(licenseKind, item) : deleted(appointmentKind, item),
    );
}
