import * as z from 'zod/mini';
import { callAws } from '../../../infra/local/aws/call.ts';
import { dynamodbService } from '../../../infra/local/aws/dynamodb-service.ts';
import { createAwsEndpoint } from '../../../infra/local/aws/endpoint.ts';
import { type DynamoDbLocal, startDynamoDbLocal } from '../../../infra/local/engines/dynamodb-local.ts';
import { tablePlan } from '../../../infra/local/engines/tables.ts';
import { type Listener, openListener } from '../../../infra/local/listener.ts';
import { region, streamArn } from '../../../infra/local/template/physical-resources.ts';
import { readEventPattern } from '../../../infra/local/triggers/event-pattern.ts';
import { readStreamMapping, type StreamMapping } from '../../../infra/local/triggers/mapping.ts';
import {
  type StreamRecord,
  type StreamRecords,
  streamRecords,
} from '../../../infra/local/triggers/stream-records.ts';
import { doneRecords, type StreamSource, streamSource } from '../../../infra/local/triggers/stream-source.ts';
import { until } from '../../support/until.ts';

/** DynamoDB behind the endpoint, with one caller who may do everything. */
let engine: DynamoDbLocal;
let listener: Listener;
let endpoint: string;
const access = () => ({ endpoint: listener.address, accessKeyId: 'KEY' });

beforeAll(async () => {
  engine = await startDynamoDbLocal();
  endpoint = `http://127.0.0.1:${engine.port}`;
  listener = await openListener(0);
  listener.serve(
    createAwsEndpoint({
      callers: new Map([['KEY', { name: 'test', statements: 'everything' }]]),
      services: { dynamodb: dynamodbService(engine.port) },
      onGrantUsed: () => undefined,
      onRefusal: () => undefined,
    }),
  );
}, 30_000);
afterAll(async () => {
  await listener.close();
  await engine.stop();
});

const call = (operation: string, input: object) =>
  callAws(
    { endpoint, accessKeyId: 'KEY' },
    { service: 'dynamodb', target: `DynamoDB_20120810.${operation}` },
    input,
    z.unknown(),
  );

let made = 0;

/** A table with a stream, as its template asks for it. */
async function newTable() {
  made += 1;
  const name = `outbox-${made}`;
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
    put: (...keys: string[]) =>
      keys.reduce<Promise<unknown>>(
        (before, pk) => before.then(() => call('PutItem', { TableName: name, Item: { pk: { S: pk } } })),
        Promise.resolve(),
      ),
    remove: (pk: string) => call('DeleteItem', { TableName: name, Key: { pk: { S: pk } } }),
  };
}

/** Keys of the records of an event. */
const keysOf = (event: unknown): string[] =>
  (event as { Records: { dynamodb: { Keys: { pk: { S: string } } } }[] }).Records.map(
    ({ dynamodb }) => dynamodb.Keys.pk.S,
  );
const numbersOf = (event: unknown): string[] =>
  (event as { Records: { dynamodb: { SequenceNumber: string } }[] }).Records.map(
    ({ dynamodb }) => dynamodb.SequenceNumber,
  );

const running: StreamSource[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((source) => source.stop()));
});

async function hand(
  table: { readonly arn: string },
  invoke: (event: unknown) => unknown,
  settings: Partial<StreamMapping> = {},
  stream: StreamRecords = streamRecords(table.arn, access()),
) {
  const faults: string[] = [];
  const discarded: object[] = [];
  const source = streamSource({
    mapping: {
      sourceArn: table.arn,
      functionName: 'worker',
      batchSize: 100,
      batchingWindowMs: 0,
      reportsFailures: true,
      startingPosition: 'TRIM_HORIZON',
      filter: () => true,
      bisects: false,
      maximumRetries: Number.POSITIVE_INFINITY,
      maximumAgeMs: Number.POSITIVE_INFINITY,
      onFailureArn: undefined,
      ...settings,
    },
    functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:worker',
    stream,
    invoke: async (event) => invoke(event),
    onDiscarded: async (told) => void discarded.push(told),
    onFault: (fault) => faults.push(fault),
  });
  running.push(source);
  await source.start();
  return { source, faults, discarded };
}

describe('a table’s changes', () => {
  it('are handed over as Lambda does, in their order', async () => {
    const table = await newTable();
    await table.put('a', 'b');
    await table.remove('a');
    const events: unknown[] = [];
    const { source } = await hand(table, (event) => void events.push(event));
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
            dynamodb: { Keys: { pk: { S: 'a' } }, NewImage: { pk: { S: 'a' } }, StreamViewType: 'NEW_IMAGE' },
          },
          { eventName: 'INSERT', dynamodb: { Keys: { pk: { S: 'b' } } } },
          { eventName: 'REMOVE', dynamodb: { Keys: { pk: { S: 'a' } } } },
        ],
      },
    ]);
  });

  it('come in batches of the size that the mapping says', async () => {
    const table = await newTable();
    await table.put('a', 'b', 'c', 'd', 'e');
    const batches: string[][] = [];
    const { source } = await hand(table, (event) => void batches.push(keysOf(event)), { batchSize: 2 });
    await until(() => source.idle());
    expect(batches).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('are gathered within the window', async () => {
    const table = await newTable();
    const batches: string[][] = [];
    const stream = streamRecords(table.arn, access());
    let found = 0;
    const counting: StreamRecords = {
      ...stream,
      async read(...given) {
        const page = await stream.read(...given);
        found += page.records.length;
        return page;
      },
    };
    const window = { batchSize: 2, batchingWindowMs: 300_000 };
    const { source } = await hand(table, (event) => void batches.push(keysOf(event)), window, counting);
    await table.put('a');
    source.wake();
    await until(() => found === 1);
    await table.put('b');
    await until(() => source.idle());
    expect(batches).toEqual([['a', 'b']]);
  });

  it('that the filter does not choose are passed over', async () => {
    const table = await newTable();
    await table.put('a', 'b');
    await table.remove('a');
    const batches: string[][] = [];
    const { source } = await hand(table, (event) => void batches.push(keysOf(event)), {
      filter: readEventPattern({ eventName: ['REMOVE'] }),
    });
    await until(() => source.idle());
    expect(batches).toEqual([['a']]);
  });

  it('arrive once the source is woken, each after its write', async () => {
    const table = await newTable();
    const seen: string[] = [];
    const { source } = await hand(table, (event) => void seen.push(...keysOf(event)));
    for (const key of ['a', 'b', 'c']) {
      await table.put(key);
      source.wake();
      await until(() => seen.includes(key));
    }
    expect(seen).toEqual(['a', 'b', 'c']);
  });

  it('are tried again from the first that failed', async () => {
    const table = await newTable();
    await table.put('a', 'b', 'c');
    const batches: string[][] = [];
    const { source } = await hand(table, (event) => {
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

  it('are all tried again when the function fails, and later ones wait', async () => {
    const table = await newTable();
    await table.put('a', 'b');
    const batches: string[][] = [];
    const { source } = await hand(
      table,
      (event) => {
        batches.push(keysOf(event));
        if (batches.length < 3) throw new Error('Task timed out');
      },
      { batchSize: 1 },
    );
    await until(() => source.idle());
    expect(batches).toEqual([['a'], ['a'], ['a'], ['b']]);
  });

  it('are halved until the one is found that fails, which is given up', async () => {
    const table = await newTable();
    await table.put('a', 'b', 'bad', 'c');
    const done: string[] = [];
    let badOne = '';
    const { source, discarded } = await hand(
      table,
      (event) => {
        const keys = keysOf(event);
        badOne = numbersOf(event)[keys.indexOf('bad')] ?? badOne;
        if (keys.includes('bad')) throw new Error('no');
        done.push(...keysOf(event));
      },
      { bisects: true, maximumRetries: 1 },
    );
    await until(() => source.idle());
    expect(done).toEqual(['a', 'b', 'c']);
    expect(discarded).toMatchObject([
      {
        requestContext: { condition: 'RetryAttemptsExhausted', approximateInvokeCount: 2 },
        version: '1.0',
        DDBStreamBatchInfo: {
          shardId: expect.any(String),
          startSequenceNumber: badOne,
          endSequenceNumber: badOne,
          batchSize: 1,
          streamArn: table.arn,
        },
      },
    ]);
  });

  it('that are older than the mapping allows are given up', async () => {
    const table = await newTable();
    await table.put('a');
    const failing = () => Promise.reject(new Error('no'));
    const { source, discarded } = await hand(table, failing, { maximumAgeMs: -60_000 });
    await until(() => source.idle());
    expect(discarded).toMatchObject([{ requestContext: { condition: 'RecordAgeExceeded' } }]);
  });

  it('under way are waited for when the run ends, and no more are taken', async () => {
    const table = await newTable();
    await table.put('a', 'b');
    const done: string[] = [];
    let begun = false;
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { source } = await hand(
      table,
      async (event) => {
        begun = true;
        await finished;
        done.push(...keysOf(event));
      },
      { batchSize: 1 },
    );
    await until(() => begun);
    expect(await source.idle()).toBe(false);
    const stopped = source.stop();
    finish();
    await stopped;
    expect(done).toEqual(['a']);
  });
});

/** A stream in memory, whose shards are closed and have children. */
function memoryStream(
  shards: Readonly<Record<string, { readonly parent?: string; readonly keys: readonly string[] }>>,
) {
  let refusals = 0;
  const stream: StreamRecords = {
    list: async () => undefined,
    shards: async () => Object.entries(shards).map(([id, { parent }]) => ({ id, parent })),
    iterator: async (shardId, position) =>
      `${shardId}/${typeof position === 'string' ? 0 : Number(position.after.split('/')[1]) + 1}`,
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
          ApproximateCreationDateTime: 0,
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
  it('that is closed is followed by its children', async () => {
    const { stream } = memoryStream({
      first: { keys: ['a', 'b'] },
      last: { parent: 'first', keys: ['c'] },
    });
    const batches: string[][] = [];
    const { source, faults } = await hand(
      { arn: 'arn' },
      (event) => void batches.push(keysOf(event)),
      { batchSize: 1 },
      stream,
    );
    await until(() => batches.length === 3 && source.idle());
    expect(batches).toEqual([['a'], ['b'], ['c']]);
    expect(faults).toEqual([]);
  });

  it('whose iterator has grown old is read on from where it was', async () => {
    const { stream, refuse } = memoryStream({ last: { keys: ['a', 'b'] } });
    const batches: string[][] = [];
    const { source, faults } = await hand(
      { arn: 'arn' },
      (event) => {
        batches.push(keysOf(event));
        if (batches.length === 1) refuse(1);
      },
      { batchSize: 1 },
      stream,
    );
    await until(async () => batches.length === 2 && (await source.idle()));
    expect(batches).toEqual([['a'], ['b']]);
    expect(faults).toEqual([]);
  });
});

describe('a stream at rest', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** A source that rests, and how often it has looked at its stream. */
  async function resting() {
    const { stream } = memoryStream({ last: { keys: [] } });
    let looks = 0;
    const counting: StreamRecords = {
      ...stream,
      read: (...given) => {
        looks += 1;
        return stream.read(...given);
      },
    };
    const { source } = await hand({ arn: 'arn' }, () => undefined, {}, counting);
    await jest.advanceTimersByTimeAsync(0);
    return { source, looks: () => looks };
  }

  it('is looked at once a second', async () => {
    const { looks } = await resting();
    expect(looks()).toBe(1);
    await jest.advanceTimersByTimeAsync(999);
    expect(looks()).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(looks()).toBe(2);
  });

  it('is looked at as soon as its table was written to', async () => {
    const { source, looks } = await resting();
    source.wake();
    await jest.advanceTimersByTimeAsync(0);
    expect(looks()).toBe(2);
  });
});

describe('an answer of a function', () => {
  const batch: StreamRecord[] = ['1', '2', '3'].map((SequenceNumber) => ({
    eventName: 'INSERT',
    dynamodb: { SequenceNumber, ApproximateCreationDateTime: 0 },
  }));
  it.each([
    ['nothing', null, 3],
    ['an empty object', {}, 3],
    ['no failures', { batchItemFailures: [] }, 3],
    ['one failure', { batchItemFailures: [{ itemIdentifier: '2' }] }, 1],
    ['several failures', { batchItemFailures: [{ itemIdentifier: '3' }, { itemIdentifier: '2' }] }, 1],
    ['a record of another batch', { batchItemFailures: [{ itemIdentifier: '9' }] }, 0],
    ['an empty identifier', { batchItemFailures: [{ itemIdentifier: '' }] }, 0],
    ['something else', { batchItemFailures: 'all' }, 0],
  ])('that says %s: as Lambda reads it', (_, answer, done) => {
    expect(doneRecords(batch, answer)).toBe(done);
  });
});

it('a mapping of the template has Lambda’s own defaults, and any of its filters chooses', () => {
  const mapping = readStreamMapping({
    stackName: 'service',
    logicalId: 'Changes',
    type: 'AWS::Lambda::EventSourceMapping',
    ref: '',
    attributes: {},
    properties: () => ({
      EventSourceArn: streamArn('outbox'),
      FunctionName: 'worker',
      StartingPosition: 'LATEST',
      FilterCriteria: {
        Filters: [
          { Pattern: '{"eventName":["INSERT"],"dynamodb":{"Keys":{"sk":{"S":[{"prefix":"EVENT#"}]}}}}' },
          { Pattern: '{"eventName":["REMOVE"]}' },
        ],
      },
    }),
  });
  expect(mapping).toMatchObject({
    batchSize: 100,
    batchingWindowMs: 0,
    reportsFailures: false,
    bisects: false,
    maximumRetries: Number.POSITIVE_INFINITY,
    maximumAgeMs: Number.POSITIVE_INFINITY,
    onFailureArn: undefined,
  });
  const record = (eventName: string, S: string) => ({ eventName, dynamodb: { Keys: { sk: { S } } } });
  expect(mapping.filter(record('INSERT', 'EVENT#1'))).toBe(true);
  expect(mapping.filter(record('INSERT', 'SEQUENCE#X'))).toBe(false);
  expect(mapping.filter(record('REMOVE', 'SEQUENCE#X'))).toBe(true);
});
