import {
  type QueuedDelivery,
  queuedDelivery,
  rememberedAttempts,
} from '../../shared/domain/webhooks/deliveries.ts';
import type { WebhookDelivery } from '../../shared/domain/webhooks/resource.ts';
import { webhookKeys } from '../../shared/domain/webhooks/stored.ts';
import { appended, type Changes, type Condition } from '../../shared/platform/data/expressions.ts';
import type { Table } from '../../shared/platform/data/table.ts';
import type { DeliveryOutcome } from './schedule.ts';

/** An attempt that was made, and what follows from it. */
export interface AttemptRecord {
  readonly delivery: QueuedDelivery;
  readonly attempt: WebhookDelivery['attempts'][number];
  readonly outcome: DeliveryOutcome;
  readonly at: Date;
}

/** An attempt of an organization's delivery. */
export interface OwnedRecord {
  readonly owner: string;
  readonly made: AttemptRecord;
}

const isFull = ({ attempts }: QueuedDelivery): boolean => attempts.length >= rememberedAttempts;

/** What the delivery becomes; a full log loses its oldest attempt. */
const changesOf = ({ delivery, attempt, outcome, at }: AttemptRecord): Changes => ({
  attempts: isFull(delivery)
    ? [...delivery.attempts.slice(1 - rememberedAttempts), attempt]
    : appended([attempt]),
  status: outcome.status,
  nextAttemptAt: outcome.nextAttemptAt?.toISOString() ?? null,
  attempt: delivery.attempt + 1,
  retry: delivery.retry + 1,
  updatedAt: at.toISOString(),
});

/** Nothing was written of the attempt's number before. */
const isNext = ({ delivery }: AttemptRecord): Condition => ({ attempt: delivery.attempt, status: 'pending' });

const keyOf = ({ owner, made: { delivery } }: OwnedRecord) =>
  webhookKeys.delivery(owner, delivery.webhookId, delivery._id);

/** Whether an attempt was written; if not, the delivery has gone on without it, as it is stored, or is deleted. */
export type Advanced =
  | { readonly isWritten: true }
  | { readonly isWritten: false; readonly stored: QueuedDelivery | undefined };

/** Writes an attempt, as long as nothing was written of its number before. */
export async function advance(table: Table, record: OwnedRecord): Promise<Advanced> {
  const { made } = record;
  const { delivery, attempt } = made;
  const changed = await table.change(queuedDelivery, keyOf(record), changesOf(made), isNext(made));
  if (changed.isWritten) return { isWritten: true };
  // The answer to the write may have been lost, and its repetition refused.
  const { item: stored } = changed;
  const isOwn =
    stored?.attempt === delivery.attempt + 1 && stored.attempts.at(-1)?.attemptedAt === attempt.attemptedAt;
  return isOwn ? { isWritten: true } : { isWritten: false, stored };
}

/**
 * Writes attempts in one call, each under its own condition and for itself, as `advance` does: a call for each costs more
 * processor time than the delivery.
 * @returns for each whether it was certainly written; the others are left to `advance`, which finds out why.
 */
export async function advanceTogether(
  table: Table,
  records: readonly OwnedRecord[],
): Promise<readonly boolean[]> {
  if (records.length === 1) return [false];
  try {
    return await table.updateTogether(
      records.map((record) => ({
        key: keyOf(record),
        changes: changesOf(record.made),
        condition: isNext(record.made),
      })),
    );
  } catch {
    // `advance` meets the same failure, if it lasts, and throws it.
    return records.map(() => false);
  }
}
