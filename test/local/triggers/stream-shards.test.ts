import { streamArn } from '../../../infra/local/template/physical-resources.ts';
import { readStreamMapping } from '../../../infra/local/triggers/mapping.ts';
import type { StreamRecord, StreamRecords } from '../../../infra/local/triggers/stream-records.ts';
import { doneRecords } from '../../../infra/local/triggers/stream-source.ts';
import { keysOf, startSource } from '../../support/stream-sources.ts';
import { until } from '../../support/until.ts';

/** A stream in memory whose shards are closed, except the one named `last`. */
function memoryStream(
  shards: Readonly<Record<string, { readonly parent?: string; readonly keys: readonly string[] }>>,
) {
  let refusals = 0;
  const stream: StreamRecords = {
    list: async () => undefined,
    shards: async () =>
      Object.entries(shards).map(([ShardId, { parent }]) => ({ ShardId, ParentShardId: parent })),
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
  it('is followed by its children once it is closed', async () => {
    const { stream } = memoryStream({
      first: { keys: ['a', 'b'] },
      last: { parent: 'first', keys: ['c'] },
    });
    const batches: string[][] = [];
    const { source, faults } = await startSource(
      { arn: 'arn', stream },
      (event) => void batches.push(keysOf(event)),
      { batchSize: 1 },
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
      { batchSize: 1 },
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

describe('an idle stream', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** An idle source, and how often it has polled its stream. */
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
    const { source } = await startSource({ arn: 'arn', stream: counting }, () => undefined);
    await jest.advanceTimersByTimeAsync(0);
    return { source, looks: () => looks };
  }

  it('is polled once a second', async () => {
    const { looks } = await resting();
    expect(looks()).toBe(1);
    await jest.advanceTimersByTimeAsync(999);
    expect(looks()).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(looks()).toBe(2);
  });

  it('is polled as soon as its table is written to', async () => {
    const { source, looks } = await resting();
    source.wake();
    await jest.advanceTimersByTimeAsync(0);
    expect(looks()).toBe(2);
  });
});

describe('the response of a function', () => {
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
      MaximumRetryAttempts: 5,
      DestinationConfig: { OnFailure: { Destination: 'arn:aws:sqs:us-east-1:000000000000:dead' } },
      FilterCriteria: {
        Filters: [
          { Pattern: '{"eventName":["INSERT"],"dynamodb":{"Keys":{"sk":{"S":[{"prefix":"EVENT#"}]}}}}' },
          { Pattern: '{"eventName":["REMOVE"]}' },
        ],
      },
    }),
  });
  expect(mapping).toMatchObject({ maximumRetries: 5, onFailureArn: expect.stringContaining(':dead') });
  const record = (eventName: string, S: string) => ({ eventName, dynamodb: { Keys: { sk: { S } } } });
  expect(mapping.filter(record('INSERT', 'EVENT#1'))).toBe(true);
  expect(mapping.filter(record('INSERT', 'SEQUENCE#X'))).toBe(false);
  expect(mapping.filter(record('REMOVE', 'SEQUENCE#X'))).toBe(true);
});
