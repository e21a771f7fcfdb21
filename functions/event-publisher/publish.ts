import { EventBridgeClient, PutEventsCommand, type PutEventsResultEntry } from '@aws-sdk/client-eventbridge';
import * as z from 'zod/mini';
import { type BusEntry, callBytes, entryBytes, putEventsEntry } from '../../shared/domain/events/event.ts';
import type { OutboxItem } from '../../shared/domain/events/stored.ts';
import { clientDefaults } from '../../shared/platform/aws/client-defaults.ts';
import { KB, putEventsEntries, queueMessageBytes } from '../../shared/platform/aws/limits.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { chunks, groupBy } from '../../shared/platform/data/grouping.ts';
import { messageJson } from '../../shared/platform/data/json.ts';
import { toError } from '../../shared/platform/log/log.ts';
import { numberEvents } from './numbering.ts';
import type { OutboxStore } from './outbox-store.ts';

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
    async put(entries: readonly BusEntry[]): Promise<readonly PutOutcome[]> {
      const command = new PutEventsCommand({
        Entries: entries.map((entry) => putEventsEntry(entry, busName)),
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
  /** Called for each failure; the event stays in the outbox and will be retried. */
  readonly onFailure: (item: OutboxItem, error: unknown) => void;
  /** Called for each event that the bus can't accept as it is; it stays in the outbox until someone corrects it. */
  readonly onRefusal: (item: OutboxItem, reason: string) => void;
}

/** The events that were not published, by id: of those given, and of deferred ones that were taken along. */
interface Unpublished {
  /** Worth a retry. */
  readonly failed: ReadonlySet<string>;
  /** Rejected by the bus as they are: nothing should wait for them. */
  readonly refused: ReadonlySet<string>;
}

/** Concurrent calls of the bus. */
const callsAtOnce = 10;

interface NumberedEvent {
  readonly item: OutboxItem;
  readonly entry: BusEntry;
}

/**
 * Publishes events of the outbox: each gets its sequence number and its position in the organization's feed, goes to the bus,
 * and then loses its entry among the unpublished ones: what has none is in the feed and on the bus, whatever crashed on the way.
 * See `numberInOrder` for the order. Events that fail stay in the outbox; those that are already published are skipped. An event
 * that the bus refuses holds back no other one.
 */
export async function publish(
  items: readonly OutboxItem[],
  { outbox, bus, now, onFailure, onRefusal }: PublishDeps,
): Promise<Unpublished> {
  const failed = new Set<string>();
  const refused = new Set<string>();
  const fail = (item: OutboxItem, error: unknown): void => {
    failed.add(item.eventId);
    onFailure(item, error);
  };
  const refuse = (item: OutboxItem, reason: string): void => {
    refused.add(item.eventId);
    onRefusal(item, reason);
  };

  /** Whether the bus can accept an event. */
  const fits = (item: OutboxItem): boolean => {
    const bytes = entryBytes(entryOf(item, Number.MAX_SAFE_INTEGER));
    if (bytes > largestEntryBytes) refuse(item, `${bytes} bytes are too many`);
    return bytes <= largestEntryBytes;
  };

  const settle = async (
    batch: readonly NumberedEvent[],
    outcomes: readonly (PutOutcome | undefined)[],
  ): Promise<void> => {
    const accepted: OutboxItem[] = [];
    for (const [index, { item }] of batch.entries()) {
      const result = outcomes[index];
      if (result?.outcome === 'accepted') accepted.push(item);
      else if (result?.outcome === 'refused') refuse(item, result.reason);
      else fail(item, new Error(result?.reason ?? 'The bus returned no result for the event.'));
    }
    await outbox.markPublished(accepted).catch((error: unknown) => {
      for (const item of accepted) fail(item, error);
    });
  };

  const send = async (batch: readonly NumberedEvent[]): Promise<void> => {
    try {
      await settle(batch, await bus.put(batch.map(({ entry }) => entry)));
    } catch (error) {
      const fault = error instanceof CallRejected ? error.fault : 'elsewhere';
      if (fault !== 'elsewhere' && batch.length > 1) {
        // One of them may be at fault: sent alone, it can't hold the others back.
        await Promise.all(batch.map((one) => send([one])));
      } else if (fault === 'entries') for (const { item } of batch) refuse(item, toError(error).message);
      else for (const { item } of batch) fail(item, error);
    }
  };

  // The stream may repeat an event, also within a batch.
  const distinct = [...new Map(items.map((item) => [item.eventId, item])).values()];
  const organizations = groupBy(distinct.filter(fits), ({ upstreamEntityId }) => upstreamEntityId);
  const deps = { outbox, now, fits, fail };
  const ofAll = await Promise.all(Array.from(organizations.values(), (given) => numberEvents(given, deps)));
  const numbered = ofAll.flat().map(({ item, sequence }) => ({ item, entry: entryOf(item, sequence) }));
  const size = { bytes: callBytes, of: ({ entry }: NumberedEvent) => entryBytes(entry) };
  await concurrently(chunks(numbered, { count: putEventsEntries, size }), callsAtOnce, send);
  return { failed, refused };
}

/** The event as receivers will get it, and its owner. */
const entryOf = (item: OutboxItem, sequence: number): BusEntry => ({
  type: item.type,
  occurredAt: item.occurredAt,
  // Of the payload, consumers use what is no free text; receivers get it from the outbox, as it was written.
  detail: messageJson({
    eventId: item.eventId,
    webhookType: item.type,
    upstreamEntityId: item.upstreamEntityId,
    entityId: item.entityId,
    occurredAt: item.occurredAt,
    sequence,
    payload: item.payload,
  }),
});
