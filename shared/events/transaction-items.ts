import type * as z from 'zod/mini';
import { safeParse } from 'zod/mini';
import { toItem } from '../data/dynamo.ts';
import type { TransactionItem } from '../data/transact.ts';
import type { PayloadOf, WebhookType } from './payloads.ts';
import {
  type complianceInputsChanged,
  keptDays,
  newEventId,
  type OutboxType,
  outboxKeys,
  shardOf,
  unpublishedKey,
} from './stored.ts';

/** What is told, before it is an event: of which type, about what, and to whom. */
interface Told<Type extends string, Payload> {
  readonly type: Type;
  /** The upstream organization whose webhooks hear of it. */
  readonly upstreamEntityId: string;
  /** What it is about; `sequence` counts by it and the type. */
  readonly entityId: string;
  readonly payload: Payload;
  /** Given where the same event may be written by several attempts: see `derivedEventId`. */
  readonly eventId?: string;
}

type ToldOf<Type extends OutboxType> = Type extends WebhookType
  ? Told<Type, PayloadOf<Type>>
  : Told<Type, z.output<typeof complianceInputsChanged>>;

export type NewEvent<Type extends OutboxType = OutboxType> = { readonly [One in Type]: ToldOf<One> }[Type];

/** Takes part in the transaction of the change that the events tell of; of these types where not all are spoken. */
export type EventItems<Type extends OutboxType = OutboxType> = (
  events: readonly NewEvent<Type>[],
  now: Date,
) => readonly TransactionItem[];

/** The outbox holds an event of this `derivedEventId`: another attempt told of the change before. */
export class EventAlreadyTold extends Error {
  override readonly name = 'EventAlreadyTold';
}

/**
 * The outbox: an event is written in one transaction with the change that it tells of, or not at all. The table's stream
 * takes it from there. The transaction fails with `EventAlreadyTold` when an event of that id is there.
 *
 * @param schemas the payload's schema of each type; a function of few types has no more than those in its bundle.
 * @throws Error when a payload is not what its type says; that is a fault of the code, found before anything is written.
 */
export const eventItemsOf =
  <Type extends OutboxType>(
    table: string,
    schemas: Readonly<Record<Type, z.core.$ZodType>>,
  ): EventItems<Type> =>
  (events, now) =>
    events.map((event: Told<Type, unknown>) => {
      const result = safeParse(schemas[event.type], event.payload);
      if (!result.success) {
        const places = result.error.issues.map(({ path, code }) => `${path.join('.')} (${code})`);
        throw new Error(`An event ${event.type} breaks its schema at ${places.join(', ')}.`);
      }
      const eventId = event.eventId ?? newEventId();
      const at = now.toISOString();
      return {
        write: {
          Put: {
            TableName: table,
            Item: toItem({
              ...outboxKeys.event(event.upstreamEntityId, event.entityId, eventId),
              eventId,
              type: event.type,
              upstreamEntityId: event.upstreamEntityId,
              entityId: event.entityId,
              occurredAt: at,
              payload: result.data,
              createdAt: at,
              unpublishedKey: unpublishedKey(shardOf(eventId)),
              expiresAt: Math.floor(now.getTime() / 1_000) + keptDays * 86_400,
            }),
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
        refused: () => new EventAlreadyTold(),
      };
    });
