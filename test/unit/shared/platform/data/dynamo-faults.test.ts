import { setTimeout as pause } from 'node:timers/promises';
import {
  BatchGetItemCommand,
  DynamoDBClient,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { UnfinishedCallError } from '#platform/aws/calls.ts';
import { batchGet } from '#platform/data/dynamo.ts';
import { type TransactionItem, transact } from '#platform/data/transact.ts';
import { canceled, exception, transientForms } from '../../../../support/aws-errors.ts';

jest.mock('node:timers/promises', () => ({ setTimeout: jest.fn().mockResolvedValue(undefined) }));

/** An emulator neither reports conflicts with other writers nor leaves keys unprocessed. */
const dynamo = mockClient(DynamoDBClient);
const client = new DynamoDBClient({ region: 'us-east-1' });

beforeEach(() => dynamo.reset());

const item = (name: string): TransactionItem => ({
  write: { Delete: { TableName: 't', Key: { pk: { S: name } } } },
  refused: (stored) => new Error(`${name} refused, stored ${stored?.['pk'] ?? 'nothing'}`),
});

describe('a transaction', () => {
  it('throws the error of the item whose condition failed, with the stored item', async () => {
    dynamo.on(TransactWriteItemsCommand).rejects(canceled('None', 'ConditionalCheckFailed'));
    await expect(transact(client, [item('first'), item('second')])).rejects.toThrow(
      'second refused, stored old',
    );
    expect(dynamo.calls()).toHaveLength(1);
  });

  it('is sent when what its items need is done, tells them that it is written, and is no call for no items', async () => {
    const done: string[] = [];
    const steps = { before: async () => done.push('before'), written: () => done.push('written') };
    dynamo.on(TransactWriteItemsCommand).callsFake(() => done.push('sent'));
    const items = [{ ...item('first'), ...steps }, item('second')];
    await transact(client, items);
    await transact(client, []);
    expect(done).toEqual(['before', 'sent', 'written']);
    const [{ input }] = dynamo.commandCalls(TransactWriteItemsCommand)[0]?.args ?? [{ input: undefined }];
    expect(input?.TransactItems).toEqual(items.map(({ write }) => write));
  });

  it('is retried after a conflict with another writer', async () => {
    dynamo.on(TransactWriteItemsCommand).rejectsOnce(canceled('TransactionConflict', 'None')).resolves({});
    await transact(client, [item('first'), item('second')]);
    expect(dynamo.calls()).toHaveLength(2);
  });

  it('throws TransactionContention if conflicts persist', async () => {
    const conflict = canceled('TransactionConflict');
    dynamo.on(TransactWriteItemsCommand).rejects(conflict);
    const contention = { name: 'TransactionContention', message: expect.stringContaining('other writers') };
    await expect(transact(client, [item('first')])).rejects.toMatchObject({ ...contention, cause: conflict });
    expect(dynamo.calls()).toHaveLength(5);
  });

  it.each(transientForms)('is retried after %s, as the same request', async (_, error) => {
    dynamo.on(TransactWriteItemsCommand).rejectsOnce(error).resolves({});
    await transact(client, [item('first')]);
    const [first, second] = dynamo
      .commandCalls(TransactWriteItemsCommand)
      .map(({ args: [{ input }] }) => input);
    expect(first?.ClientRequestToken).toEqual(expect.any(String));
    expect(second).toEqual(first);
  });

  it.each(transientForms)('throws the error if %s persists', async (_, error) => {
    dynamo.on(TransactWriteItemsCommand).rejects(error);
    await expect(transact(client, [item('first')])).rejects.toBe(error);
    expect(dynamo.calls()).toHaveLength(5);
  });

  it('is not retried if its attempts already took too long', async () => {
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    dynamo.on(TransactWriteItemsCommand).callsFake(() => {
      now += 9_000;
      throw exception('TimeoutError');
    });
    await expect(transact(client, [item('first')])).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(dynamo.calls()).toHaveLength(1);
    clock.mockRestore();
  });

  it('passes on every other error unchanged', async () => {
    dynamo.on(TransactWriteItemsCommand).rejects(canceled('ValidationError'));
    await expect(transact(client, [item('first')])).rejects.toBeInstanceOf(TransactionCanceledException);
    expect(dynamo.calls()).toHaveLength(1);
  });
});

describe('a batch of reads', () => {
  it('waits longer before each retry', async () => {
    const waits = jest.mocked(pause).mock.calls;
    waits.length = 0;
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    let left = 4;
    dynamo.on(BatchGetItemCommand).callsFake(({ RequestItems }) => {
      left -= 1;
      return left === 0 ? { Responses: { t: [] } } : { Responses: { t: [] }, UnprocessedKeys: RequestItems };
    });
    await batchGet(client, 't', [{ pk: 'k' }], { consistent: true });
    expect(waits).toEqual([[80], [160], [320]]);
    jest.mocked(Math.random).mockRestore();
  });

  it('retries unprocessed keys, and requests at most 100 keys at once', async () => {
    const keys = Array.from({ length: 150 }, (_, index) => ({ pk: `k${index}` }));
    dynamo.on(BatchGetItemCommand).callsFake(({ RequestItems }) => {
      const requested = RequestItems['t'].Keys as { pk: { S: string } }[];
      expect(requested.length).toBeLessThanOrEqual(100);
      // As few as make more calls than may leave all.
      const served = requested.slice(0, 10);
      const left = requested.slice(10);
      return {
        Responses: { t: served },
        ...(left.length === 0 ? {} : { UnprocessedKeys: { t: { Keys: left } } }),
      };
    });
    const found = await batchGet(client, 't', keys, { consistent: true });
    expect(found.map(({ pk }) => pk).sort()).toStrictEqual(keys.map(({ pk }) => pk).sort());
  });

  it('fails if DynamoDB repeatedly leaves every key unprocessed', async () => {
    dynamo.on(BatchGetItemCommand).callsFake(({ RequestItems }) => ({
      Responses: { t: [] },
      UnprocessedKeys: RequestItems,
    }));
    const reading = batchGet(client, 't', [{ pk: 'k' }], { consistent: true });
    await expect(reading).rejects.toBeInstanceOf(UnfinishedCallError);
    expect(dynamo.calls()).toHaveLength(6);
  });
});
