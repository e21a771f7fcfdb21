import { createHash, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { stateCode, timestamp } from '../../platform/contract/primitives.ts';
import { absentOr, atMost } from '../../platform/data/expressions.ts';
import { shardAmong } from '../../platform/data/keys.ts';
import { storedItem } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import { formerIdentity } from '../decision/carrier.ts';
import type { FeedType, WebhookType } from './payloads.ts';

/**
 * An event for other parts of the service, never for receivers: something changed on which the compliance of an
 * entity depends.
 */
export const internalTypes = ['COMPLIANCE_INPUTS_CHANGED'] as const;

export const complianceInputsChanged = object(() => ({
  /** The NPN whose records changed; without one, the requirements of the owner's products changed for every NPN. */
  npn: z.optional(z.string()),
  /** The state whose licenses the change concerns; without one, it may be any. */
  stateCode: z.optional(stateCode),
  /** What the registry knew the carrier by, where that changed. */
  carrierBefore: z.optional(formerIdentity),
}));

export type OutboxType = WebhookType | FeedType | (typeof internalTypes)[number];

/** An event in the outbox, written once, with its change. Its keys are described in `shared/domain/table-designs.ts`. */
export const outboxEvent = storedItem('outbox/event', () => ({
  pk: z.string(),
  sk: z.string(),
  eventId: z.string(),
  type: z.string(),
  upstreamEntityId: z.string(),
  entityId: z.string(),
  occurredAt: timestamp,
  payload: z.unknown(),
  /** Whether it waits for its slot: the table's stream passes it by. */
  deferred: z.optional(z.boolean()),
  /** When it is deleted: `keptDays` after it was written, in seconds since 1970. */
  expiresAt: z.optional(z.int()),
}));

export type OutboxEvent = z.output<typeof outboxEvent>;

/** What says of an event that it is not published; it is deleted when the bus has the event. */
export type UnpublishedEntry = Pick<OutboxEvent, 'upstreamEntityId' | 'entityId' | 'eventId' | 'occurredAt'>;

type Unpublished = UnpublishedEntry & Pick<OutboxEvent, 'deferred'>;

/** Sort keys of an entity's events begin with this, and those of the entries of its deferred ones with the other. */
export const eventPrefix = 'EVENT#';
export const deferredPrefix = 'DEFERRED#';

export const outboxKeys = {
  event: (upstream: string, entityId: string, eventId: string) => ({
    pk: `${upstream}#${entityId}`,
    sk: `${eventPrefix}${eventId}`,
  }),
  deferred: (upstream: string, entityId: string, eventId: string) => ({
    pk: `${upstream}#${entityId}`,
    sk: `${deferredPrefix}${eventId}`,
  }),
  sequence: (upstream: string, entityId: string, type: OutboxType) => ({
    pk: `${upstream}#${entityId}`,
    sk: `SEQUENCE#${type}`,
  }),
  unpublished: ({ upstreamEntityId, entityId, eventId, occurredAt, deferred }: Unpublished) => ({
    pk:
      deferred === true
        ? deferredPartition(shardOf(upstreamEntityId))
        : unpublishedPartition(shardOf(`${upstreamEntityId}#${entityId}`)),
    sk: `${occurredAt}#${eventId}`,
  }),
  pace: () => ({ pk: 'DEFERRED', sk: 'PACE' }),
  release: () => ({ pk: 'DEFERRED', sk: 'RELEASE' }),
};

/** The keys of what says of an event that it is not published. */
export const unpublishedKeys = (event: Unpublished) => [
  outboxKeys.unpublished(event),
  ...(event.deferred === true
    ? [outboxKeys.deferred(event.upstreamEntityId, event.entityId, event.eventId)]
    : []),
];

/** Items of an event at most. */
export const mostItemsOfEvent = 3;

/** The items of a new event: itself, and what says that it is not published. */
export function itemsOfEvent(event: OutboxEvent, expiresAt: number) {
  const { upstreamEntityId, entityId, eventId, occurredAt } = event;
  const entry = { upstreamEntityId, entityId, eventId, occurredAt, expiresAt };
  return [{ ...event, expiresAt }, ...unpublishedKeys(event).map((key) => ({ ...key, ...entry }))];
}

/** Partitions of the entries of unpublished events, so that no single partition carries every event. */
export const unpublishedShards = 64;

/** The partition for an entity's events: a worker that numbers one finds those before it that have no number yet. */
export const unpublishedPartition = (shard: number): string => `UNPUBLISHED#${shard}`;

export const shardOf = (id: string): number => shardAmong(id, unpublishedShards);

/**
 * The partition for a carrier's deferred events. One carrier's are together, in the order in which they were written,
 * and those of several carriers take turns.
 */
export const deferredPartition = (shard: number): string => `DEFERRED#${shard}`;

/** Days for which the feed has an event, and a delivery can be made again (OpenAPI, "Webhooks", "listEvents"). */
export const feedDays = 30;

/** Days for which an event is stored: some to spare. */
export const keptDays = feedDays + 5;

/** The id of an event that several attempts may write: the same words always give the same id. */
export function derivedEventId(...words: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(words)).digest('hex');
  // UUID version 8: for custom generation rules (RFC 9562, section 5.8).
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `${((Number.parseInt(hash.slice(16, 17), 16) % 4) + 8).toString(16)}${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}

export const newEventId = (): string => randomUUID();

/** How long a run publishes deferred events: the schedule begins the next one a minute after this one. */
export const releaseMs = 55_000;

/**
 * How long one does that the stream begins: no other event of the same shard is published meanwhile. It suffices for a small
 * import; what a large one leaves, the schedule's next run publishes.
 */
export const askedReleaseMs = 2_000;

/**
 * Runs that publish deferred events, one at a time. Who defers events requests a run: the table's stream invokes the publisher,
 * or a run that is under way begins again before it ends. So no request is lost, and many requests start one run.
 */
export type Releases = ReturnType<typeof createReleases>;

export function createReleases(table: Table) {
  const key = outboxKeys.release();
  return {
    /** Asks for a run, after the events are written. What was asked for and has not begun yet finds them, too. */
    async ask(now: Date): Promise<void> {
      await table.update(key, { wantedAt: now.toISOString() }, { wantedAt: undefined });
    },

    /** Begins a run; answers its end, which names it, or undefined while another one is under way. */
    async begin(now: Date): Promise<string | undefined> {
      const runsUntil = new Date(now.getTime() + releaseMs).toISOString();
      const isFree = { runsUntil: absentOr(atMost(now.toISOString())) };
      return (await table.update(key, { runsUntil, wantedAt: undefined }, isFree)) ? runsUntil : undefined;
    },

    /** Ends a run that found nothing more, unless somebody has asked since: then it goes on, and is answered. */
    async next(runsUntil: string): Promise<string | undefined> {
      if (await table.update(key, { runsUntil: undefined }, { runsUntil, wantedAt: undefined }))
        return undefined;
      return (await table.update(key, { wantedAt: undefined }, { runsUntil })) ? runsUntil : undefined;
    },

    /** Ends a run that has left something; the stream begins another one at once if somebody has asked since. */
    async stop(runsUntil: string): Promise<void> {
      await table.update(key, { runsUntil: undefined }, { runsUntil });
    },
  };
}

/** The changes of the item on which a run begins: somebody asks, and none is under way. A pattern of Lambda's event filtering. */
export const releaseAsked = {
  dynamodb: {
    Keys: { sk: { S: [outboxKeys.release().sk] } },
    NewImage: { wantedAt: { S: [{ exists: true }] }, runsUntil: { S: [{ exists: false }] } },
  },
};
