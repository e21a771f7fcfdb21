// A table's stream: how its records are read, and passed to a function.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { type Access, callAws } from '../aws/call.ts';
import { region } from '../template/template.ts';
import { partsOf, reportedFailures, type StreamMapping } from './mapping.ts';

interface StreamSourceOptions {
  readonly mapping: StreamMapping;
  readonly functionArn: string;
  readonly stream: StreamRecords;
  readonly invoke: (event: unknown) => Promise<unknown>;
  /** Sends a message about discarded records. */
  readonly onDiscarded: (message: object) => Promise<unknown>;
  /** Called with errors of the stream; those of the function are in its own log. */
  readonly onFault: (message: string) => void;
}

/** A stream whose records are passed to a function. */
export type StreamSource = ReturnType<typeof streamSource>;

/** Writes through the AWS endpoint wake the stream; only others wait for this interval. */
const pollMs = 1_000;

/** The engine shows the record of a write within some milliseconds. The pause doubles: each poll costs it as much as a read. */
const quickPollMs = 10;

const quickPollsAfterWrite = 5;

const faultPauseMs = 1_000;

/** The pause before a retry doubles each time, up to the longest. */
const retryPause = (attempt: number): number => Math.min(100 * 2 ** attempt, 10_000);

/** Passes a stream's records to a function as Lambda does: each shard in order, one batch at a time. */
export function streamSource(options: StreamSourceOptions) {
  const { mapping, stream, onFault } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const deliver = batchDelivery(options, signal);
  /** Iterators by shard; undefined while the shard's records are processed. */
  const reading = new Map<string, string | undefined>();
  const known = new Set<string>();
  const readers = new Set<Promise<void>>();
  const sleepers = new Set<() => void>();
  /** How many more times to poll at short intervals. */
  let quickPolls = 0;

  /** Waits until the next poll is due or the stream is woken. */
  const waitForPoll = (): Promise<void> => {
    const ms = quickPolls > 0 ? quickPollMs * 2 ** (quickPollsAfterWrite - quickPolls) : pollMs;
    quickPolls = Math.max(0, quickPolls - 1);
    return new Promise((resolve) => {
      const wakeUp = (): void => {
        clearTimeout(timer);
        sleepers.delete(wakeUp);
        resolve();
      };
      const timer = setTimeout(wakeUp, ms);
      sleepers.add(wakeUp);
    });
  };
  const wake = (): void => {
    for (const wakeUp of sleepers) wakeUp();
  };

  /** Reads a shard until it is closed. */
  const readShard = async (shardId: string): Promise<void> => {
    let position: Position = 'TRIM_HORIZON';
    let iterator: string | undefined;
    while (!signal.aborted) {
      try {
        iterator ??= await stream.iterator(shardId, position);
        reading.set(shardId, iterator);
        const { records, next } = await stream.read(iterator, mapping.batchSize);
        const last = records.at(-1);
        if (last !== undefined) {
          reading.set(shardId, undefined);
          const parts = partsOf(records.filter(mapping.filter), (one) =>
            streamEvent([one], mapping.sourceArn),
          );
          for (const part of parts) await deliver(shardId, part);
          position = { after: last.dynamodb.SequenceNumber };
        }
        if (next === undefined) return;
        iterator = next;
        reading.set(shardId, iterator);
        if (last === undefined) await waitForPoll();
      } catch (error) {
        if (signal.aborted) return;
        // The next one begins after the records that are done.
        iterator = undefined;
        if (isOutdated(error)) {
          await backOff(quickPollMs, signal);
          continue;
        }
        onFault(String(error));
        await backOff(faultPauseMs, signal);
      }
    }
  };

  /** Starts to read new shards; the children of a shard follow when it is closed. */
  const readShards = async (): Promise<void> => {
    for (const { ShardId: id, ParentShardId: parent } of await stream.shards()) {
      if (known.has(id) || (parent !== undefined && reading.has(parent))) continue;
      known.add(id);
      reading.set(id, undefined);
      const reader = readShard(id)
        .then(async () => {
          reading.delete(id);
          if (!signal.aborted) await readShards();
        })
        .catch((error: unknown) => onFault(String(error)))
        .finally(() => readers.delete(reader));
      readers.add(reader);
    }
  };

  return {
    /** Resolves when all records that are written from now on will be passed on. */
    start: readShards,
    /** Polls immediately, after a write. */
    wake(): void {
      quickPolls = quickPollsAfterWrite;
      wake();
    },
    /** Whether no records are waiting or being processed. */
    async idle(): Promise<boolean> {
      // The record of a recent write may not be visible yet.
      if (quickPolls > 0) return false;
      const pages = await Promise.all(
        Array.from(reading.values(), async (iterator) =>
          iterator === undefined ? undefined : stream.read(iterator, 1).catch(unlessOutdated),
        ),
      );
      const isUnderWay = Array.from(reading.values()).includes(undefined);
      return !isUnderWay && pages.every((page) => page?.records.length === 0);
    },
    /** Stops polling; resolves when the records in progress are done. */
    async stop(): Promise<void> {
      stopping.abort();
      wake();
      await Promise.all(readers);
    },
  };
}

/** Retries batches, each until it is done or discarded, or the run ends. */
function batchDelivery(options: StreamSourceOptions, signal: AbortSignal) {
  const { mapping, functionArn, invoke, onDiscarded, onFault } = options;

  /** The message to the failure destination: the position of the records, not their contents. */
  const failureMessage = (shardId: string, batch: readonly StreamRecord[], invocations: number) => ({
    requestContext: {
      requestId: randomUUID(),
      functionArn: `${functionArn}:$LATEST`,
      condition: 'RetryAttemptsExhausted',
      approximateInvokeCount: invocations,
    },
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    version: '1.0',
    timestamp: new Date().toISOString(),
    DDBStreamBatchInfo: {
      shardId,
      startSequenceNumber: batch[0]?.dynamodb.SequenceNumber,
      endSequenceNumber: batch.at(-1)?.dynamodb.SequenceNumber,
      approximateArrivalOfFirstRecord: new Date(arrivalOf(batch[0])).toISOString(),
      approximateArrivalOfLastRecord: new Date(arrivalOf(batch.at(-1))).toISOString(),
      batchSize: batch.length,
      streamArn: mapping.sourceArn,
    },
  });

  const deliver = async (shardId: string, given: readonly StreamRecord[]): Promise<void> => {
    let batch = given;
    for (let attempt = 0; batch.length > 0 && !signal.aborted; attempt += 1) {
      if (attempt > 0) await backOff(retryPause(attempt - 1), signal);
      let done = 0;
      try {
        done = doneRecords(batch, await invoke(streamEvent(batch, mapping.sourceArn)));
      } catch {
        // The error is in the function's log; the batch is retried.
      }
      if (done > 0) {
        // The rest is a new batch with its own retries.
        batch = batch.slice(done);
        attempt = 0;
        if (batch.length === 0) return;
      }
      if (done === 0 && batch.length > 1) {
        const half = Math.ceil(batch.length / 2);
        await backOff(retryPause(0), signal);
        await deliver(shardId, batch.slice(0, half));
        batch = batch.slice(half);
        attempt = -1;
      } else if (attempt >= mapping.maximumRetries) {
        const message = failureMessage(shardId, batch, attempt + 1);
        await onDiscarded(message).catch((error: unknown) => onFault(String(error)));
        return;
      }
    }
  };

  return deliver;
}

/**
 * How many records a function's result reports as done: those before the first failed one. As in Lambda, a malformed
 * result, or one with a record that is not in the batch, fails the whole batch.
 */
export function doneRecords(batch: readonly StreamRecord[], answer: unknown): number {
  const failed = reportedFailures(answer);
  if (failed === undefined) return 0;
  const places = Array.from(failed, (id) =>
    batch.findIndex(({ dynamodb }) => dynamodb.SequenceNumber === id),
  );
  return Math.max(0, Math.min(batch.length, ...places));
}

/** Iterators fail when they expire, and when the records at their position were trimmed. */
const isOutdated = (error: unknown): boolean =>
  /ExpiredIteratorException|TrimmedDataAccessException/.test(String(error));

/** Nothing is known of what follows an outdated iterator, until its reader has another one. */
function unlessOutdated(error: unknown): undefined {
  if (!isOutdated(error)) throw error;
}

const arrivalOf = (one: StreamRecord | undefined): number =>
  (one?.dynamodb.ApproximateCreationDateTime ?? 0) * 1_000;

/** Waits before a retry; ends early when the run does. */
const backOff = (ms: number, signal: AbortSignal): Promise<unknown> =>
  pause(ms, undefined, { signal }).catch(() => {});

const shard = z.object({ ShardId: z.string(), ParentShardId: z.optional(z.string()) });

const listed = z.object({ Streams: z.array(z.unknown()) });

const described = z.object({
  StreamDescription: z.object({ Shards: z.array(shard), LastEvaluatedShardId: z.optional(z.string()) }),
});

const record = z.looseObject({
  eventName: z.enum(['INSERT', 'MODIFY', 'REMOVE']),
  dynamodb: z.looseObject({
    SequenceNumber: z.string(),
    ApproximateCreationDateTime: z.number(),
    NewImage: z.optional(z.record(z.string(), z.unknown())),
    OldImage: z.optional(z.record(z.string(), z.unknown())),
  }),
});

export type StreamRecord = z.output<typeof record>;

const iterator = z.object({ ShardIterator: z.string() });

const records = z.object({ Records: z.array(record), NextShardIterator: z.optional(z.string()) });

/** A position in a shard from which records are read. */
type Position = 'TRIM_HORIZON' | { readonly after: string };

export type StreamRecords = ReturnType<typeof streamRecords>;

/** A table's stream, with the permissions of the access key. */
export function streamRecords(StreamArn: string, access: Access) {
  const call = <Schema extends z.core.$ZodType>(operation: string, input: object, answer: Schema) =>
    callAws(access, { service: 'dynamodb', target: `DynamoDBStreams_20120810.${operation}` }, input, answer);
  return {
    /** Checks that the table has a stream, as Lambda does first. */
    async list(TableName: string): Promise<void> {
      const { Streams } = await call('ListStreams', { TableName }, listed);
      if (Streams.length === 0) throw new Error(`The table ${TableName} has no stream.`);
    },
    async shards() {
      const found: z.output<typeof shard>[] = [];
      let ExclusiveStartShardId: string | undefined;
      do {
        const start = ExclusiveStartShardId === undefined ? {} : { ExclusiveStartShardId };
        const { StreamDescription } = await call('DescribeStream', { StreamArn, ...start }, described);
        found.push(...StreamDescription.Shards);
        ExclusiveStartShardId = StreamDescription.LastEvaluatedShardId;
      } while (ExclusiveStartShardId !== undefined);
      return found;
    },
    async iterator(ShardId: string, position: Position): Promise<string> {
      const place =
        typeof position === 'string'
          ? { ShardIteratorType: position }
          : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: position.after };
      return (await call('GetShardIterator', { StreamArn, ShardId, ...place }, iterator)).ShardIterator;
    },
    /** Reads records; `next` is undefined at the end of a closed shard. */
    async read(
      ShardIterator: string,
      Limit: number,
    ): Promise<{ readonly records: readonly StreamRecord[]; readonly next: string | undefined }> {
      const { Records, NextShardIterator } = await call('GetRecords', { ShardIterator, Limit }, records);
      return { records: Records.map(recordWithTypes), next: NextShardIterator };
    },
  };
}

const typedValue = z.looseObject({
  M: z.optional(z.record(z.string(), z.unknown())),
  L: z.optional(z.array(z.unknown())),
});

/** In stream records, the engine omits the type of an empty map; AWS does not. */
function withTypes(value: unknown): unknown {
  const parsed = z.parse(typedValue, value);
  if (Object.keys(parsed).length === 0) return { M: {} };
  if (parsed.M !== undefined) return { M: imageWithTypes(parsed.M) };
  return parsed.L === undefined ? parsed : { L: parsed.L.map(withTypes) };
}

const imageWithTypes = (image: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(image).map(([name, value]) => [name, withTypes(value)]));

const recordWithTypes = (one: StreamRecord): StreamRecord => {
  const { NewImage, OldImage, ...rest } = one.dynamodb;
  return {
    ...one,
    dynamodb: {
      ...rest,
      ...(NewImage && { NewImage: imageWithTypes(NewImage) }),
      ...(OldImage && { OldImage: imageWithTypes(OldImage) }),
    },
  };
};

/** The event with which Lambda passes records to a function; the engine uses another region. */
const streamEvent = (given: readonly StreamRecord[], streamArn: string) => ({
  Records: given.map((one) => ({ ...one, awsRegion: region, eventSourceARN: streamArn })),
});
