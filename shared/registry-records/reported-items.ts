import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod/mini';
import { parseStored } from '../data/stored.ts';
import type { RegistryReport } from '../registry/registry.ts';
import { appointment } from '../resources/appointment.ts';
import { license } from '../resources/license.ts';
import type { RegistryDataSubscription } from '../resources/registry-data-subscription.ts';
import { regulatoryAction } from '../resources/regulatory-action.ts';
import { actionItem, appointmentItem, licenseItem, registryKeys, regulatoryActionIdOf } from './stored.ts';

/** An item as the table holds it. */
export type StoredItem = Readonly<Record<string, unknown>>;

interface Item extends StoredItem {
  readonly pk: string;
  readonly sk: string;
}

/** Whose records are brought up to date: the members of a subscription that its records need. */
export type Subscriber = Pick<RegistryDataSubscription, '_id' | 'dataOwnerId' | 'dataOwnerModel' | 'npn'>;

/**
 * The items of the registry's report, by sort key. A stored record keeps its times unless something
 * in it has changed, and a regulatory action its id, so an unchanged report yields the stored items.
 */
export function reportedItems(
  { dataOwnerId: owner, _id: registryDataSubscriptionId, npn }: Subscriber,
  {
    report: { licenses = [], appointments = [], actions },
    stored,
    now,
  }: {
    readonly report: RegistryReport;
    readonly stored: ReadonlyMap<string, StoredItem>;
    readonly now: string;
  },
): ReadonlyMap<string, Item> {
  const ownFields = { registryDataSubscriptionId, npn };

  /** The record with the time of its last change. */
  const dated = <Schema extends z.core.$ZodType<{ readonly updatedAt: string }>>(
    schema: Schema,
    sk: string,
    record: z.output<Schema>,
  ): z.output<Schema> => {
    const item = stored.get(sk);
    if (item === undefined) return record;
    const known = parseStored(schema, item);
    return isDeepStrictEqual({ ...record, updatedAt: known.updatedAt }, known) ? known : record;
  };

  const items = [
    ...licenses.map((reported): Item => {
      const record = { ...reported, ...ownFields, updatedAt: now };
      const { sk } = registryKeys.license(owner, record);
      // The license sweep needs the time since which a license is known.
      const createdAt = stored.get(sk)?.['createdAt'] ?? now;
      return { ...licenseItem(owner, dated(license, sk, record)), createdAt };
    }),
    ...appointments.map((reported): Item => {
      const record = { ...reported, ...ownFields, updatedAt: now };
      return appointmentItem(owner, dated(appointment, registryKeys.appointment(owner, record).sk, record));
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
