import * as z from 'zod/mini';
import { type Access, callAws } from '../aws/call.ts';
import { region } from '../template/physical-resources.ts';

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
export type Position = 'TRIM_HORIZON' | { readonly after: string };

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
export const streamEvent = (given: readonly StreamRecord[], streamArn: string) => ({
  Records: given.map((one) => ({ ...one, awsRegion: region, eventSourceARN: streamArn })),
});
