// A table's stream: how its records are read, and passed to a function.
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { isObject } from '../../text.ts';
import { type Access, callAws } from '../aws/service.ts';
import { region } from '../template/template.ts';
import { partsOf, reportedFailures, type StreamMapping } from './mapping.ts';

interface StreamSourceOptions {
  readonly mapping: StreamMapping;
  readonly stream: StreamRecords;
  readonly invoke: (event: unknown) => Promise<unknown>;
  /** Called with errors of the stream; those of the function are in its own log. */
  readonly onFault: (message: string) => void;
}

/** A stream whose records are passed to a function. */
export type StreamSource = ReturnType<typeof streamSource>;

/** Writes through the AWS endpoint wake the stream; only others wait for the longest pause. */
const longestPauseMs = 1_000;

/** The engine shows the record of a write within some milliseconds. The pause doubles: each poll costs it as much as a read. */
const firstPauseMs = 10;

/** While pauses are shorter, the record of a recent write may not be visible yet. */
const settledPauseMs = 200;

/** The pause before a retry doubles each time, up to ten seconds. */
const retryPause = (attempt: number): number => Math.min(100 * 2 ** attempt, 10_000);

/** Passes a stream's records to a function as Lambda does: each shard in order, one batch at a time. */
export function streamSource({ mapping, stream, invoke, onFault }: StreamSourceOptions) {
  /** Iterators of the shards that are read; undefined while a shard's records are processed. */
  const reading = new Map<string, string | undefined>();
  const readers: Promise<void>[] = [];
  const stopping = new AbortController();
  let waking = new AbortController();
  let pauseMs = longestPauseMs;

  const wake = (): void => {
    pauseMs = firstPauseMs;
    waking.abort();
    waking = new AbortController();
  };

  /** Waits until the time is over, or something else ends the wait. */
  const waitFor = (ms: number, { signal } = stopping): Promise<unknown> =>
    pause(ms, undefined, { signal }).catch(() => {});

  /** Waits until the next poll is due, or the source is woken. */
  const waitForPoll = async (): Promise<void> => {
    const ms = pauseMs;
    pauseMs = Math.min(ms * 2, longestPauseMs);
    await waitFor(ms, waking);
  };

  /** Retries a batch until it is done or the run ends. No record gets as old as the templates let it become before it is given up. */
  const deliver = async (batch: readonly StreamRecord[]): Promise<void> => {
    for (let attempt = 0; !stopping.signal.aborted; attempt += 1) {
      // The error of a function is in its log.
      const answer = await invoke(streamEvent(batch, mapping.EventSourceArn)).catch(() => 'failed');
      const doneCount = doneRecords(batch, answer);
      if (doneCount === batch.length) return;
      await waitFor(retryPause(attempt));
      // What follows the records that are done is a batch with its own retries, and so is each half of one that failed.
      if (doneCount > 0) return deliver(batch.slice(doneCount));
      if (batch.length > 1) {
        const half = Math.ceil(batch.length / 2);
        await deliver(batch.slice(0, half));
        return deliver(batch.slice(half));
      }
    }
  };

  /** Reads a shard until it is closed. */
  const readShard = async (shardId: string): Promise<void> => {
    let last: string | undefined;
    let iterator: string | undefined;
    while (!stopping.signal.aborted) {
      try {
        iterator ??= await stream.iterator(shardId, last);
        reading.set(shardId, iterator);
        const { records, next } = await stream.read(iterator, mapping.BatchSize);
        if (records.length > 0 || next === undefined) reading.set(shardId, undefined);
        const parts = partsOf(records.filter(mapping.filter), (streamRecord) =>
          streamEvent([streamRecord], mapping.EventSourceArn),
        );
        for (const part of parts) await deliver(part);
        last = records.at(-1)?.dynamodb.SequenceNumber ?? last;
        if (next === undefined) return;
        iterator = next;
        reading.set(shardId, iterator);
        if (records.length === 0) await waitForPoll();
      } catch (error) {
        if (stopping.signal.aborted) return;
        // The next one begins after the records that are done.
        iterator = undefined;
        if (!isOutdated(error)) onFault(String(error));
        await waitFor(longestPauseMs);
      }
    }
  };

  /** Starts to read the shards that follow another, once it is closed, or those that follow none. */
  const readAfter = async (parent?: string): Promise<void> => {
    const shards = await stream.shards();
    const ids = new Set(shards.map(({ ShardId }) => ShardId));
    for (const { ShardId: id, ParentShardId = '' } of shards) {
      if ((ids.has(ParentShardId) ? ParentShardId : undefined) !== parent) continue;
      reading.set(id, undefined);
      const reader = readShard(id)
        .then(() => (stopping.signal.aborted ? undefined : readAfter(id)))
        .catch((error: unknown) => onFault(String(error)))
        .finally(() => reading.delete(id));
      readers.push(reader);
    }
  };

  return {
    /** Resolves when all records that are written from now on will be passed on. */
    start: () => readAfter(),
    /** Polls immediately, after a write. */
    wake,
    /** Whether no records are waiting or being processed. */
    async idle(): Promise<boolean> {
      if (pauseMs < settledPauseMs) return false;
      const areIdle = await Promise.all(
        Array.from(reading.values(), async (iterator) => {
          if (iterator === undefined) return false;
          // Nothing is known of what follows an outdated iterator, until its reader has another one.
          return stream.read(iterator, 1).then(
            ({ records }) => records.length === 0,
            () => false,
          );
        }),
      );
      return areIdle.every(Boolean) && !Array.from(reading.values()).includes(undefined);
    },
    /** Stops polling; resolves when the records in progress are done. */
    async stop(): Promise<void> {
      stopping.abort();
      wake();
      await Promise.all(readers);
    },
  };
}

/**
 * Number of records that a function's result reports as done: those before the first failed one. As in Lambda, a malformed
 * result, or one with a record that is not in the batch, fails the whole batch.
 */
export function doneRecords(batch: readonly StreamRecord[], answer: unknown): number {
  const failedIds = reportedFailures(answer);
  if (failedIds === undefined) return 0;
  const places = Array.from(failedIds, (id) =>
    batch.findIndex(({ dynamodb }) => dynamodb.SequenceNumber === id),
  );
  return Math.max(0, Math.min(batch.length, ...places));
}

/** Iterators fail when they expire, and when the records at their position were trimmed. */
const isOutdated = (error: unknown): boolean =>
  /ExpiredIteratorException|TrimmedDataAccessException/.test(String(error));

const descriptionSchema = z.object({
  StreamDescription: z.object({
    Shards: z.array(z.object({ ShardId: z.string(), ParentShardId: z.optional(z.string()) })),
  }),
});

const record = z.looseObject({
  eventName: z.enum(['INSERT', 'MODIFY', 'REMOVE']),
  dynamodb: z.looseObject({ SequenceNumber: z.string() }),
});

export type StreamRecord = z.output<typeof record>;

const iterator = z.object({ ShardIterator: z.string() });

const records = z.object({ Records: z.array(record), NextShardIterator: z.optional(z.string()) });

export type StreamRecords = ReturnType<typeof streamRecords>;

/** A table's stream, with the permissions of the access key. */
export function streamRecords(StreamArn: string, access: Access) {
  const call = <Schema extends z.core.$ZodType>(operation: string, input: object, answer: Schema) =>
    callAws(access, { service: 'dynamodb', target: `DynamoDBStreams_20120810.${operation}` }, input, answer);
  return {
    shards: async () =>
      (await call('DescribeStream', { StreamArn }, descriptionSchema)).StreamDescription.Shards,
    /** A position in a shard: after a record, or before the first. */
    async iterator(ShardId: string, after: string | undefined): Promise<string> {
      const place =
        after === undefined
          ? { ShardIteratorType: 'TRIM_HORIZON' }
          : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after };
      return (await call('GetShardIterator', { StreamArn, ShardId, ...place }, iterator)).ShardIterator;
    },
    /** Reads records; `next` is undefined at the end of a closed shard. */
    async read(
      ShardIterator: string,
      Limit: number,
    ): Promise<{ readonly records: readonly StreamRecord[]; readonly next: string | undefined }> {
      const { Records, NextShardIterator } = await call('GetRecords', { ShardIterator, Limit }, records);
      return { records: Records.map(withTypes), next: NextShardIterator };
    },
  };
}

/** Adds the type of an empty map, which the engine omits in stream records, unlike AWS. No attribute is called `M`. */
const withTypes = (streamRecord: StreamRecord): StreamRecord =>
  JSON.parse(JSON.stringify(streamRecord), (name, value) =>
    name !== 'M' && isObject(value) && Object.keys(value).length === 0 ? { M: {} } : value,
  );

/** The event with which Lambda passes records to a function; the engine uses another region. */
const streamEvent = (batch: readonly StreamRecord[], streamArn: string) => ({
  Records: batch.map((streamRecord) => ({ ...streamRecord, awsRegion: region, eventSourceARN: streamArn })),
});
