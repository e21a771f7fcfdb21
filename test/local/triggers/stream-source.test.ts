import { readEventPattern } from '../../../infra/local/triggers/event-pattern.ts';
import { keysOf, numbersOf, startSource } from '../../support/stream-sources.ts';
import { newTable } from '../../support/stream-tables.ts';
import { until } from '../../support/until.ts';

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
            dynamodb: { Keys: { pk: { S: 'a' } }, NewImage: { pk: { S: 'a' } }, StreamViewType: 'NEW_IMAGE' },
          },
          { eventName: 'INSERT', dynamodb: { Keys: { pk: { S: 'b' } } } },
          { eventName: 'REMOVE', dynamodb: { Keys: { pk: { S: 'a' } } } },
        ],
      },
    ]);
  });

  it('come in batches of the mapping’s size', async () => {
    const table = await newTable();
    await table.put('a', 'b', 'c', 'd', 'e');
    const batches: string[][] = [];
    const { source } = await startSource(table, (event) => void batches.push(keysOf(event)), {
      batchSize: 2,
    });
    await until(() => source.idle());
    expect(batches).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('are skipped when no filter matches', async () => {
    const table = await newTable();
    await table.put('a', 'b');
    await table.remove('a');
    const batches: string[][] = [];
    const { source } = await startSource(table, (event) => void batches.push(keysOf(event)), {
      filter: readEventPattern({ eventName: ['REMOVE'] }),
    });
    await until(() => source.idle());
    expect(batches).toEqual([['a']]);
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
      { batchSize: 1 },
    );
    await until(() => source.idle());
    expect(batches).toEqual([['a'], ['a'], ['a'], ['b']]);
  });

  it('are bisected until the failing one is found and discarded', async () => {
    const table = await newTable();
    await table.put('a', 'b', 'bad', 'c');
    const done: string[] = [];
    let badOne = '';
    const { source, discarded } = await startSource(
      table,
      (event) => {
        const keys = keysOf(event);
        badOne = numbersOf(event)[keys.indexOf('bad')] ?? badOne;
        if (keys.includes('bad')) throw new Error('no');
        done.push(...keysOf(event));
      },
      { maximumRetries: 1 },
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

  it('in progress are finished when the run stops, and no more are read', async () => {
    const table = await newTable();
    await table.put('a', 'b');
    const done: string[] = [];
    let begun = false;
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { source } = await startSource(
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
