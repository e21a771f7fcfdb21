import * as z from 'zod/mini';
import { dynamodbService } from '../../../infra/local/aws/dynamodb-service.ts';
import { createAwsEndpoint } from '../../../infra/local/aws/endpoint.ts';
import { callAws } from '../../../infra/local/aws/service.ts';
import {
  type DynamoDbLocal,
  startDynamoDbLocal,
  tablePlan,
} from '../../../infra/local/engines/dynamodb-local.ts';
import { type Listener, openListener } from '../../../infra/local/listener.ts';
import { region, streamArn } from '../../../infra/local/template/template.ts';
import { readStreamMapping, type StreamMapping } from '../../../infra/local/triggers/mapping.ts';
import {
  doneRecords,
  type StreamRecord,
  type StreamRecords,
  type StreamSource,
  streamRecords,
  streamSource,
} from '../../../infra/local/triggers/stream-source.ts';
import { until } from '../../support/until.ts';

/** DynamoDB Local behind the AWS endpoint, which has one caller with all permissions. */
let engine: DynamoDbLocal;
let listener: Listener;
const access = () => ({ endpoint: listener.address, accessKeyId: 'KEY' });

beforeAll(async () => {
  engine = await startDynamoDbLocal();
  listener = await openListener(0);
  listener.serve(
    createAwsEndpoint({
      callers: new Map([['KEY', { name: 'test', statements: 'everything' }]]),
      services: { dynamodb: dynamodbService(engine.access) },
      onGrantUsed: () => undefined,
      onRefusal: () => undefined,
    }),
  );
});
afterAll(async () => {
  await listener.close();
  await engine.stop();
});

const call = (operation: string, input: object) =>
  callAws(
    engine.access,
    { service: 'dynamodb', target: `DynamoDB_20120810.${operation}` },
    input,
    z.unknown(),
  );

let tables = 0;

/** Creates a table with a stream, as from a template. */
async function newTable() {
  tables += 1;
  const name = `outbox-${tables}`;
  const { create } = tablePlan(name, {
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
    Replicas: [{ Region: region }],
    StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
  });
  await call('CreateTable', create);
  return {
    arn: streamArn(name),
    stream: streamRecords(streamArn(name), access()),
    put: (...keys: string[]) =>
      keys.reduce<Promise<unknown>>(
        (before, pk) =>
          before.then(() => call('PutItem', { TableName: name, Item: { pk: { S: pk }, empty: { M: {} } } })),
        Promise.resolve(),
      ),
    remove: (pk: string) => call('DeleteItem', { TableName: name, Key: { pk: { S: pk } } }),
  };
}

/** The partition keys of an event's records. */
const keysOf = (event: unknown): string[] =>
  (event as { Records: { dynamodb: { Keys: { pk: { S: string } } } }[] }).Records.map(
    ({ dynamodb }) => dynamodb.Keys.pk.S,
  );

/** The sequence numbers of an event's records. */
const numbersOf = (event: unknown): string[] =>
  (event as { Records: { dynamodb: { SequenceNumber: string } }[] }).Records.map(
    ({ dynamodb }) => dynamodb.SequenceNumber,
  );

const running: StreamSource[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((source) => source.stop()));
});

/** Starts a source that passes a stream's records to a function. It stops after the test. */
async function startSource(
  { arn, stream }: { readonly arn: string; readonly stream: StreamRecords },
  invoke: (event: unknown) => unknown,
  settings: Partial<StreamMapping> = {},
) {
  const faults: string[] = [];
  const source = streamSource({
    mapping: {
      EventSourceArn: arn,
      FunctionName: 'worker',
      BatchSize: 100,
      DestinationConfig: { OnFailure: { Destination: 'arn:aws:sqs:us-east-1:000000000000:dead' } },
      filter: () => true,
      ...settings,
    },
    stream,
    invoke: async (event) => invoke(event),
    onFault: (fault) => faults.push(fault),
  });
  running.push(source);
  await source.start();
  return { source, faults };
}

describe('stream shards', () => {
  /** A stream in memory whose shards are closed, except the one named `last`. */
  function memoryStream(
    shards: Readonly<Record<string, { readonly parent?: string; readonly keys: readonly string[] }>>,
  ) {
    let refusals = 0;
    const stream: StreamRecords = {
      shards: async () =>
        Object.entries(shards).map(([ShardId, { parent }]) => ({ ShardId, ParentShardId: parent })),
      iterator: async (shardId, after) => `${shardId}/${Number(after?.split('/')[1] ?? -1) + 1}`,
      async read(iterator, limit) {
        const [shardId = '', from = ''] = iterator.split('/');
        if (refusals > 0) {
          refusals -= 1;
          throw new Error('ExpiredIteratorException');
        }
        const keys = shards[shardId]?.keys ?? [];
        const records = keys.slice(Number(from), Number(from) + limit).map((pk, index) => ({
          eventName: 'INSERT' as const,
          dynamodb: {
            SequenceNumber: `${shardId}/${Number(from) + index}`,
            Keys: { pk: { S: pk } },
          },
        }));
        const next = Number(from) + records.length;
        // The last shard stays open.
        return { records, next: next < keys.length || shardId === 'last' ? `${shardId}/${next}` : undefined };
      },
    };
    const refuse = (times: number): void => {
      refusals = times;
    };
    return { stream, refuse };
  }

  describe('a shard', () => {
    it('is followed by its children once it is closed', async () => {
      const { stream } = memoryStream({
        first: { keys: ['a', 'b'] },
        last: { parent: 'first', keys: ['c'] },
      });
      const batches: string[][] = [];
      const { source, faults } = await startSource(
        { arn: 'arn', stream },
        (event) => void batches.push(keysOf(event)),
        { BatchSize: 1 },
      );
      await until(() => batches.length === 3 && source.idle());
      expect(batches).toEqual([['a'], ['b'], ['c']]);
      expect(faults).toEqual([]);
    });

    it('is read from the same position when its iterator has expired', async () => {
      const { stream, refuse } = memoryStream({ last: { keys: ['a', 'b'] } });
      const batches: string[][] = [];
      const { source, faults } = await startSource(
        { arn: 'arn', stream },
        (event) => {
          batches.push(keysOf(event));
          if (batches.length === 1) refuse(1);
        },
        { BatchSize: 1 },
      );
      await until(async () => batches.length === 2 && (await source.idle()));
      expect(batches).toEqual([['a'], ['b']]);
      // Whether records follow is not known until the shard is read again.
      refuse(1);
      expect(await source.idle()).toBe(false);
      await until(() => source.idle());
      expect(faults).toEqual([]);
    });
  });

  describe('the response of a function', () => {
    const batch: StreamRecord[] = ['1', '2', '3'].map((SequenceNumber) => ({
      eventName: 'INSERT',
      dynamodb: { SequenceNumber },
    }));
    it.each([
      ['nothing', null, 3],
      ['one failure', { batchItemFailures: [{ itemIdentifier: '2' }] }, 1],
      ['several failures', { batchItemFailures: [{ itemIdentifier: '3' }, { itemIdentifier: '2' }] }, 1],
      ['a record of another batch', { batchItemFailures: [{ itemIdentifier: '9' }] }, 0],
      ['another type', { batchItemFailures: 'all' }, 0],
    ])('with %s is read as Lambda reads it', (_, answer, done) => {
      expect(doneRecords(batch, answer)).toBe(done);
    });
  });

  it('any filter of a mapping in the template selects a record', () => {
    const mapping = readStreamMapping({
      stackName: 'service',
      logicalId: 'Changes',
      type: 'AWS::Lambda::EventSourceMapping',
      ref: '',
      attributes: {},
      properties: () => ({
        EventSourceArn: streamArn('outbox'),
        FunctionName: 'worker',
        StartingPosition: 'TRIM_HORIZON',
        BatchSize: 100,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        BisectBatchOnFunctionError: true,
        MaximumRecordAgeInSeconds: 3_600,
        DestinationConfig: { OnFailure: { Destination: 'arn:aws:sqs:us-east-1:000000000000:dead' } },
        FilterCriteria: {
          Filters: [
            { Pattern: '{"eventName":["INSERT"],"dynamodb":{"Keys":{"sk":{"S":[{"prefix":"EVENT#"}]}}}}' },
            { Pattern: '{"eventName":["REMOVE"]}' },
          ],
        },
      }),
    });
    const record = (eventName: string, S: string) => ({ eventName, dynamodb: { Keys: { sk: { S } } } });
    expect(mapping.filter(record('INSERT', 'EVENT#1'))).toBe(true);
    expect(mapping.filter(record('INSERT', 'SEQUENCE#X'))).toBe(false);
    expect(mapping.filter(record('REMOVE', 'SEQUENCE#X'))).toBe(true);
  });
});

describe('the changes of a table', () => {
  it('reach the function as from Lambda, in order', async () => {
    const table = await newTable();
    await table.put('a', 'b');
    await table.remove('a');
    const events: unknown[] = [];
    const { source } = await startSource(table, (event) => void events.push(event));
    await until(() => source.idle());
    expect(events).toMatchObject([
      {
        Records: [
          {
            eventID: expect.any(String),
            eventName: 'INSERT',
            eventSource: 'aws:dynamodb',
            awsRegion: 'us-east-1',
            eventSourceARN: table.arn,
            dynamodb: {
              Keys: { pk: { S: 'a' } },
              NewImage: { pk: { S: 'a' }, empty: { M: {} } },
              StreamViewType: 'NEW_IMAGE',
            },
          },
          { eventName: 'INSERT', dynamodb: { Keys: { pk: { S: 'b' } } } },
          { eventName: 'REMOVE', dynamodb: { Keys: { pk: { S: 'a' } } } },
        ],
      },
    ]);
  });

  it('arrive when the source is woken, each after its write', async () => {
    const table = await newTable();
    const seen: string[] = [];
    const { source } = await startSource(table, (event) => void seen.push(...keysOf(event)));
    for (const key of ['a', 'b', 'c']) {
      await table.put(key);
      source.wake();
      await until(() => seen.includes(key));
    }
    expect(seen).toEqual(['a', 'b', 'c']);
  });

  it('are retried from the first that failed', async () => {
    const table = await newTable();
    await table.put('a', 'b', 'c');
    const batches: string[][] = [];
    const { source } = await startSource(table, (event) => {
      batches.push(keysOf(event));
      const failed = batches.length === 1 ? numbersOf(event).slice(1).reverse() : [];
      return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
    });
    await until(() => source.idle());
    expect(batches).toEqual([
      ['a', 'b', 'c'],
      ['b', 'c'],
    ]);
  });

  it('are all retried when the function fails, while later ones wait', async () => {
    const table = await newTable();
    await table.put('a', 'b');
    const batches: string[][] = [];
    const { source } = await startSource(
      table,
      (event) => {
        batches.push(keysOf(event));
        if (batches.length < 3) throw new Error('Task timed out');
      },
      { BatchSize: 1 },
    );
    await until(() => source.idle());
    expect(batches).toEqual([['a'], ['a'], ['a'], ['b']]);
  });

  it('are bisected until the failing one is found, which is retried while later ones wait', async () => {
    const table = await newTable();
    await table.put('a', 'b', 'bad', 'c');
    const done: string[] = [];
    let refusals = 0;
    const { source } = await startSource(table, (event) => {
      const keys = keysOf(event);
      if (keys.includes('bad') && refusals < 4) {
        refusals += 1;
        throw new Error('no');
      }
      done.push(...keys);
    });
    await until(() => source.idle());
    expect(done).toEqual(['a', 'b', 'bad', 'c']);
  });
});
