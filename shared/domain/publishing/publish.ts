import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand, type PutEventsResultEntry } from '@aws-sdk/client-eventbridge';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { clientDefaults, isTransient } from '#platform/aws/calls.ts';
import {
  KB,
  putEventsBytes,
  putEventsEntries,
  putEventsTimeBytes,
  queueMessageBytes,
} from '#platform/aws/limits.ts';
import { chunks, concurrently } from '#platform/data/concurrently.ts';
import { messageJson } from '#platform/data/json.ts';
import { compare } from '#platform/data/keys.ts';
import { parseStoredOrError, StoredItemError } from '#platform/data/stored.ts';
import { TransactionContention } from '#platform/data/transact.ts';
import { type Log, toError } from '#platform/log/log.ts';
import { mostInRun } from '../events/feed.ts';
import { eventSource } from '../events/payloads.ts';
import { type OutboxEvent, outboxEvent } from '../events/stored.ts';
import { byTime, type OutboxStore } from './outbox-store.ts';

/** The outcome of an entry: the bus accepted it, may accept it later, or will never accept it as it is. */
type PutOutcome =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'failed' | 'refused'; readonly reason: string };

/** The bus that carries events to their consumers. */
export type EventBus = ReturnType<typeof createEventBus>;

/**
 * The bus rejected a call as a whole, fault of
 * - `entries`: the content of the call; an entry that is alone in it will never be accepted;
 * - `unknown`: something that may or may not be the fault of one of the entries;
 * - `elsewhere`: no response, throttling, permissions; another call would fail as well.
 */
export class CallRejected extends Error {
  override readonly name = 'CallRejected';
  readonly fault: 'entries' | 'unknown' | 'elsewhere';

  constructor(fault: CallRejected['fault'], cause: unknown) {
    const error = toError(cause);
    // Messages about a value often quote it, and the content of events must not be logged.
    if (fault === 'elsewhere') super(`${error.name}: ${error.message}`, { cause });
    else super(error.name);
    this.fault = fault;
  }
}

/** An event as the bus carries it; rules choose by `type`. */
export interface BusEvent {
  readonly type: string;
  readonly occurredAt: string;
  /** JSON of an object. */
  readonly detail: string;
}

/** Bytes of an entry as EventBridge counts them: https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevent-size.html. */
export const entryBytes = ({ type, detail }: BusEvent): number =>
  putEventsTimeBytes + Buffer.byteLength(eventSource) + Buffer.byteLength(type) + Buffer.byteLength(detail);

/** Most bytes of a call's entries together: their size must be less than the limit. */
export const callBytes = putEventsBytes - 1;

/** More than the bus adds to an entry in a queue's message: names, account, region, an id. */
const envelopeBytes = KB;

/** The largest entry that fits into a call and, with the bus's envelope, into a queue's message. */
export const largestEntryBytes = Math.min(callBytes, queueMessageBytes - envelopeBytes);

/** Entries that the bus does not accept are published again. */
export function createEventBus(busName: string) {
  const client = new EventBridgeClient(clientDefaults('eventBridge'));
  return {
    /**
     * Puts entries that fit into one call, and returns the outcome of each.
     *
     * @throws CallRejected when the bus accepted none of them.
     */
    async put(entries: readonly BusEvent[]): Promise<readonly PutOutcome[]> {
      const command = new PutEventsCommand({
        Entries: entries.map(({ type, occurredAt, detail }) => ({
          EventBusName: busName,
          Source: eventSource,
          DetailType: type,
          Time: new Date(occurredAt),
          Detail: detail,
        })),
      });
      const { Entries = [] } = await client.send(command).catch((error: unknown) => {
        throw new CallRejected(faultOf(error), error);
      });
      return entries.map((_, index) => outcomeOf(Entries[index]));
    },
  };
}

/** Errors of an entry that are its own fault; all others may pass, or are fixed elsewhere. */
const entryFaults = new Set(['InvalidArgument', 'MalformedDetail', 'RedactionFailure']);

/** https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEventsResultEntry.html */
function outcomeOf(entry: PutEventsResultEntry | undefined): PutOutcome {
  if (entry?.EventId !== undefined) return { outcome: 'accepted' };
  const { ErrorCode = '', ErrorMessage = '' } = entry ?? {};
  if (entryFaults.has(ErrorCode)) return { outcome: 'refused', reason: ErrorCode };
  return {
    outcome: 'failed',
    reason: `The bus did not accept the event. ${ErrorCode} ${ErrorMessage}`.trim(),
  };
}

/** Errors of a call that are its own fault. */
const callFaults = new Set([
  'InvalidArgument',
  'RequestEntityTooLargeException',
  'SerializationException',
  'ValidationError',
  'ValidationException',
]);

/** Errors of a call that do not depend on its content. */
const faultsElsewhere = new Set([
  'AccessDeniedException',
  'ExpiredTokenException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'RequestThrottledException',
  'ResourceNotFoundException',
  'ServiceUnavailable',
  'SlowDown',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
  'UnrecognizedClientException',
]);

/** An error of the bus; without a status there was no response. */
const busError = z.object({ name: z.string(), $metadata: z.object({ httpStatusCode: z.int() }) });

function faultOf(error: unknown): CallRejected['fault'] {
  const { data } = z.safeParse(busError, error);
  const status = data?.$metadata.httpStatusCode;
  if (data === undefined || status === 429 || status === 503) return 'elsewhere';
  if (faultsElsewhere.has(data.name)) return 'elsewhere';
  return status === 413 || callFaults.has(data.name) ? 'entries' : 'unknown';
}

export interface PublishDeps {
  readonly outbox: OutboxStore;
  readonly bus: EventBus;
  readonly now: () => Date;
  /** Has each event that was not published: it stays in the outbox, to be retried, or corrected if the bus can't accept it. */
  readonly log: Log;
}

/** The events that were not published, by id: of those given, and of earlier ones that were taken along. */
interface PublishFailures {
  /** Worth a retry. */
  readonly failures: ReadonlySet<string>;
  /** Failed events that something of their own made fail: they may fail until it is mended, and nothing should wait for them. */
  readonly stuck: ReadonlySet<string>;
  /** Rejected by the bus as they are: nothing should wait for them. */
  readonly refusals: ReadonlySet<string>;
}

/** Concurrent calls of the bus. */
const callsAtOnce = 10;

/** An event as it is stored, and as it is sent. */
interface SentEvent {
  readonly event: OutboxEvent;
  readonly busEvent: BusEvent;
}

/**
 * Publishes events of the outbox: each gets its sequence number and its position in the organization's feed, goes to the bus,
 * and then loses its entry among the unpublished ones: what has none is in the feed and on the bus, whatever crashed on the way.
 * See `numberEvents` for the order. Events that fail stay in the outbox; those that are already published are skipped. An event
 * that the bus refuses holds back no other one.
 */
export async function publish(
  events: readonly OutboxEvent[],
  { outbox, bus, now, log }: PublishDeps,
): Promise<PublishFailures> {
  const failures = new Set<string>();
  const stuck = new Set<string>();
  const refusals = new Set<string>();
  const fail = (event: OutboxEvent, error: unknown): void => {
    failures.add(event.eventId);
    log.error('An event was not published; it stays in the outbox.', {
      event: 'event_not_published',
      eventId: event.eventId,
      eventType: event.type,
      error: toError(error),
    });
  };
  const refuse = (event: OutboxEvent, reason: string): void => {
    const { eventId, type: eventType, upstreamEntityId, entityId } = event;
    refusals.add(eventId);
    log.error('The bus cannot accept an event as it is; it stays in the outbox.', {
      event: 'event_refused',
      eventId,
      eventType,
      upstreamEntityId,
      entityId,
      reason,
    });
  };

  /** Whether the bus can accept an event. */
  const fits = (event: OutboxEvent): boolean => {
    const bytes = entryBytes(busEventOf(event, Number.MAX_SAFE_INTEGER));
    if (bytes > largestEntryBytes) refuse(event, `${bytes} bytes are too many`);
    return bytes <= largestEntryBytes;
  };

  const settle = async (
    batch: readonly SentEvent[],
    outcomes: readonly (PutOutcome | undefined)[],
  ): Promise<void> => {
    const acceptedEvents: OutboxEvent[] = [];
    for (const [index, { event }] of batch.entries()) {
      const result = outcomes[index];
      if (result?.outcome === 'accepted') acceptedEvents.push(event);
      else if (result?.outcome === 'refused') refuse(event, result.reason);
      else fail(event, new Error(result?.reason ?? 'The bus returned no result for the event.'));
    }
    await outbox.markPublished(acceptedEvents).catch((error: unknown) => {
      for (const event of acceptedEvents) fail(event, error);
    });
  };

  const send = async (batch: readonly SentEvent[]): Promise<void> => {
    try {
      await settle(batch, await bus.put(batch.map(({ busEvent }) => busEvent)));
    } catch (error) {
      const fault = error instanceof CallRejected ? error.fault : 'elsewhere';
      if (fault !== 'elsewhere' && batch.length > 1) {
        // One of them may be at fault: sent alone, it can't hold the others back.
        await Promise.all(batch.map((item) => send([item])));
      } else if (fault === 'entries') for (const { event } of batch) refuse(event, toError(error).message);
      else for (const { event } of batch) fail(event, error);
    }
  };

  const leave = (event: OutboxEvent, error: unknown): void => {
    fail(event, error);
    if (!isElsewhere(error)) stuck.add(event.eventId);
  };
  const deps = { outbox, now, fits, leave };
  // The stream may repeat an event, also within a batch.
  const distinct = [...new Map(events.map((event) => [event.eventId, event])).values()];
  const organizations = Map.groupBy(distinct.filter(fits), ({ upstreamEntityId }) => upstreamEntityId);
  const numberedLists = await Promise.all(
    Array.from(organizations.values(), (givenEvents) => numberEvents(givenEvents, deps)),
  );
  const numberedEvents = numberedLists
    .flat()
    .map(({ event, sequence }) => ({ event, busEvent: busEventOf(event, sequence) }));
  const size = { bytes: callBytes, of: ({ busEvent }: SentEvent) => entryBytes(busEvent) };
  await concurrently(chunks(numberedEvents, { count: putEventsEntries, size }), send, callsAtOnce);
  return { failures, stuck, refusals };
}

/** The event as receivers will get it, and its owner. */
const busEventOf = (event: OutboxEvent, sequence: number): BusEvent => ({
  type: event.type,
  occurredAt: event.occurredAt,
  // Of the payload, consumers use what is no free text; receivers get it from the outbox, as it was written.
  detail: messageJson({
    eventId: event.eventId,
    webhookType: event.type,
    upstreamEntityId: event.upstreamEntityId,
    entityId: event.entityId,
    occurredAt: event.occurredAt,
    sequence,
    ...(event.isImported === true ? { isImported: true } : {}),
    payload: event.payload,
  }),
});

/** An event with its number. */
interface NumberedEvent {
  readonly event: OutboxEvent;
  readonly sequence: number;
}

interface NumberingDeps {
  readonly outbox: Pick<OutboxStore, 'assignNumbers' | 'precedingUnpublished'>;
  readonly now: () => Date;
  /** Whether an event can be published; one that can't gets no number, so that receivers do not miss one. */
  readonly fits: (event: OutboxEvent) => boolean;
  /** Called for each event that gets no number now. */
  readonly leave: (event: OutboxEvent, error: unknown) => void;
}

/** Whether an event that has this error may get its number later as it is; else something of its own is wrong. */
const isElsewhere = (error: unknown): boolean => isTransient(error) || error instanceof TransactionContention;

/**
 * Numbers the events of one organization and places them in its feed: those of an entity in the order in which they are given, and
 * before them any earlier one that has no number since the stream has given up on it. Those that are already published are left
 * out, and so are those that are not given and have a number: the worker that gave it to them publishes them.
 */
async function numberEvents(
  givenEvents: readonly OutboxEvent[],
  { outbox, now, fits, leave }: NumberingDeps,
): Promise<NumberedEvent[]> {
  const givenIds = new Set(givenEvents.map(({ eventId }) => eventId));
  let preceding: readonly OutboxEvent[];
  try {
    // An event that can't be read must not hold up the others; the worker that publishes what the stream missed reports it.
    preceding = (await outbox.precedingUnpublished(givenEvents))
      .flatMap((item) => z.safeParse(outboxEvent, item).data ?? [])
      .filter(fits);
  } catch (error) {
    for (const event of givenEvents) leave(event, error);
    return [];
  }
  const precedingOf = Map.groupBy(preceding, ({ pk }) => pk);
  const entities = Map.groupBy(givenEvents, ({ pk }) => pk);

  const numberedEvents: NumberedEvent[] = [];
  /** Entities of which an event failed, with the error: their next events would take its number. */
  const heldUp = new Map<string, unknown>();

  const assign = async (events: readonly OutboxEvent[]): Promise<void> => {
    const free = events.filter(({ pk }) => !heldUp.has(pk));
    for (const event of events) if (heldUp.has(event.pk)) leave(event, heldUp.get(event.pk));
    if (free.length === 0) return;
    try {
      const numbers = await outbox.assignNumbers(free, now());
      for (const event of free) {
        const number = numbers.get(event.eventId);
        const isOurs = number?.isNew === true || givenIds.has(event.eventId);
        if (number !== undefined && isOurs) numberedEvents.push({ event, sequence: number.sequence });
      }
    } catch (error) {
      if (isElsewhere(error) || free.length === 1) {
        for (const event of free) {
          leave(event, error);
          heldUp.set(event.pk, error);
        }
        return;
      }
      // One of them may be at fault: numbered alone, it can't hold up other entities.
      for (const event of free) await assign([event]);
    }
  };

  const orderedEvents = mergeByTime(
    Array.from(entities, ([pk, ofEntity]) => inOrder(ofEntity, precedingOf.get(pk) ?? [])),
  );
  for (const events of chunks(orderedEvents, { count: mostInRun })) await assign(events);
  return numberedEvents;
}

/** The events as they are given, and those that are not given where they occurred. */
function inOrder(givenEvents: readonly OutboxEvent[], preceding: readonly OutboxEvent[]): OutboxEvent[] {
  const leftEvents = preceding.toSorted(byTime);
  const orderedEvents: OutboxEvent[] = [];
  for (const event of givenEvents) {
    const next = leftEvents.findIndex(({ occurredAt }) => occurredAt >= event.occurredAt);
    orderedEvents.push(...leftEvents.splice(0, next === -1 ? leftEvents.length : next), event);
  }
  return [...orderedEvents, ...leftEvents];
}

/** The events of several entities in one order: each entity's as they are, and otherwise what occurred earlier first. */
function mergeByTime(entities: readonly (readonly OutboxEvent[])[]): OutboxEvent[] {
  const timedEvents = entities.flatMap((events) => {
    let time = '';
    return events.map((event) => {
      time = event.occurredAt > time ? event.occurredAt : time;
      return { event, time };
    });
  });
  return timedEvents.sort((item, otherItem) => compare(item.time, otherItem.time)).map(({ event }) => event);
}

/** A stored event; undefined for an item that is none, which is reported, stays in the outbox, and holds no other one back. */
export function readEvent(item: unknown, log: Log): OutboxEvent | undefined {
  const event = parseStoredOrError(outboxEvent, item);
  if (!(event instanceof StoredItemError)) return event;
  log.error('An item of the outbox cannot be read.', { event: 'event_not_published', error: event });
  return undefined;
}

/** Logs the line of a run of a publisher. */
export const logRun = (
  log: Log,
  trigger: 'stream' | 'schedule',
  run: { readonly published: number; readonly failed: number; readonly refused: number },
): void => log.info('A run of the publisher is done.', { event: 'events_published', trigger, ...run });

/**
 * Publishes the records of the outbox's stream. The first event of a batch that failed is reported: the stream continues there, for
 * hours if need be. An event that something of its own makes fail is not reported: the stream, and with it all events behind it,
 * would wait for it in vain.
 */
export async function publishChanges(
  { Records }: DynamoDBStreamEvent,
  deps: PublishDeps,
): Promise<DynamoDBBatchResponse> {
  const records = Records.flatMap(({ dynamodb }) => {
    const image = dynamodb?.NewImage as Record<string, AttributeValue> | undefined;
    const item = image && readEvent(unmarshall(image), deps.log);
    return item === undefined ? [] : [{ item, sequenceNumber: dynamodb?.SequenceNumber ?? '' }];
  });
  const { failures, stuck, refusals } = await publish(
    records.map(({ item }) => item),
    deps,
  );
  const isLeft = ({ eventId }: OutboxEvent) => failures.has(eventId) || refusals.has(eventId);
  const published = records.filter(({ item }) => !isLeft(item)).length;
  logRun(deps.log, 'stream', { published, failed: failures.size, refused: refusals.size });
  const first = records.find(({ item: { eventId } }) => failures.has(eventId) && !stuck.has(eventId));
  return { batchItemFailures: first === undefined ? [] : [{ itemIdentifier: first.sequenceNumber }] };
}
