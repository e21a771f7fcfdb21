import type { Key } from '../../platform/data/table-items.ts';
import type { QueuedDelivery } from './deliveries.ts';

/** Due entries of a webhook, soonest first. Their keys are all they have. */
export const dueEntries = (owner: string, webhookId: string): string => `${owner}#DUE#${webhookId}`;

/** The key of a due entry; `sk` is `<dueAt>#<deliveryId>#<attempt>`. */
export type DueEntry = Required<Key>;

/** What a delivery's due entry is made of. */
type Due = Pick<QueuedDelivery, '_id' | 'webhookId' | 'attempt' | 'status' | 'nextAttemptAt'>;

/**
 * The due entry of a delivery's next attempt; undefined when there is none. The attempt's number makes it unique: removing
 * the entry of an attempt that was made can't remove that of a redelivery requested for the same millisecond.
 */
export const dueEntryOf = (owner: string, delivery: Due): DueEntry | undefined => {
  const { _id, webhookId, attempt, status, nextAttemptAt } = delivery;
  if (status !== 'pending' || nextAttemptAt === null) return undefined;
  return { pk: dueEntries(owner, webhookId), sk: `${nextAttemptAt}#${_id}#${attempt}` };
};

/** When an entry is due, of which delivery it is, and the number of its attempt. */
export function readDueEntry({ sk }: DueEntry) {
  const [dueAt = '', deliveryId = '', attempt] = sk.split('#');
  return { dueAt, deliveryId, attempt: Number(attempt) };
}
