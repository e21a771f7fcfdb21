import { EventBridgeClient, PutEventsCommand, type PutEventsResultEntry } from '@aws-sdk/client-eventbridge';
import * as z from 'zod/mini';
import { type BusEntry, callBytes, putEventsEntry } from '../../shared/domain/events/bus-entry.ts';
import { clientDefaults } from '../../shared/platform/aws/client-defaults.ts';
import { KB, queueMessageBytes } from '../../shared/platform/aws/limits.ts';
import { toError } from '../../shared/platform/log/log.ts';

/** The outcome of an entry: the bus accepted it, may accept it later, or will never accept it as it is. */
export type PutOutcome =
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
