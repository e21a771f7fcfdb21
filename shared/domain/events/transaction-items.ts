import type * as z from 'zod/mini';
import { safeParse } from 'zod/mini';
import { isNew } from '#platform/data/expressions.ts';
import { faultPaths } from '#platform/data/json.ts';
import type { TableItems } from '#platform/data/table.ts';
import type { TransactionItem } from '#platform/data/transact.ts';
import { expiresAfterDays } from '#platform/dates/dates.ts';
import type { FeedType, PayloadOf, WebhookType } from './payloads.ts';
import {
  type complianceInputsChanged,
  itemsOfEvent,
  keptDays,
  newEventId,
  type OutboxType,
  outboxKeys,
} from './stored.ts';

/** An event before it is written: its type, subject, and receiver. */
interface EventDraft<Type extends string, Payload> {
  readonly type: Type;
  /** The upstream organization whose webhooks receive it. */
  readonly upstreamEntityId: string;
  /** Id of the entity that it is about; `sequence` counts by it and the type. */
  readonly entityId: string;
  readonly payload: Payload;
  /** Given where the same event may be written by several attempts: see `derivedEventId`. */
  readonly eventId?: string;
}

type EventDraftOf<Type extends OutboxType> = Type extends WebhookType | FeedType
  ? EventDraft<Type, PayloadOf<Type>>
  : EventDraft<Type, z.output<typeof complianceInputsChanged>>;

export type NewEvent<Type extends OutboxType = OutboxType> = {
  readonly [One in Type]: EventDraftOf<One>;
}[Type];

/** The items that emit events of these types, for the transaction of the change that they report. */
export type EventItems<Type extends OutboxType = OutboxType> = (
  events: readonly NewEvent<Type>[],
  now: Date,
) => readonly TransactionItem[];

/** Refuses a transaction of which everything is written already, or is no longer to be written. */
class NothingToWrite extends Error {}

export const nothingToWrite = (): Error => new NothingToWrite();

/** The outbox holds an event with this `derivedEventId`: an earlier attempt emitted it. */
export class EventAlreadyEmitted extends NothingToWrite {
  override readonly name = 'EventAlreadyEmitted';
}

/** Whether a transaction wrote its items; false where one was refused as `nothingToWrite`, or its event was emitted before. */
export const isWritten = (transaction: Promise<void>): Promise<boolean> =>
  transaction.then(
    () => true,
    (error: unknown) => {
      if (error instanceof NothingToWrite) return false;
      throw error;
    },
  );

/** Ignores that an event was emitted before; for the `catch` of a transaction that only emits events. */
export const ignoreAlreadyEmitted = (error: unknown): void => {
  if (!(error instanceof EventAlreadyEmitted)) throw error;
};

export interface EventItemsOptions {
  /** Whether the events are of an import, and marked so. */
  readonly areImported?: boolean;
}

/**
 * The outbox: an event is written in one transaction with the change that it reports, or not at all, as `mostItemsOfEvent`
 * items at most, of which the first is the event. The table’s stream carries it on. The transaction fails with
 * `EventAlreadyEmitted` when an event with that id exists.
 *
 * @param schemas the payload's schema of each type; a function bundles only the types that it emits.
 * @throws Error when a payload breaks the schema of its type: a bug, found before anything is written.
 */
export const eventItemsOf =
  <Type extends OutboxType>(
    outbox: TableItems,
    schemas: Readonly<Record<Type, z.core.$ZodType>>,
    { areImported = false }: EventItemsOptions = {},
  ): EventItems<Type> =>
  (events, now) =>
    events.flatMap((event: EventDraft<Type, unknown>) => {
      const result = safeParse(schemas[event.type], event.payload);
      if (!result.success) {
        const faults = faultPaths(result.error.issues);
        throw new Error(`An event ${event.type} does not match its schema at ${faults.join(', ')}.`);
      }
      const eventId = event.eventId ?? newEventId();
      const { upstreamEntityId, entityId } = event;
      const item = {
        ...outboxKeys.event(upstreamEntityId, entityId, eventId),
        ...(areImported ? { isImported: true as const } : {}),
        eventId,
        type: event.type,
        upstreamEntityId,
        entityId,
        occurredAt: now.toISOString(),
        payload: result.data,
      };
      return itemsOfEvent(item, expiresAfterDays(now, keptDays)).map((eventItem) =>
        outbox.put(eventItem, isNew, () => new EventAlreadyEmitted()),
      );
    });
