import { setTimeout as pause } from 'node:timers/promises';
import {
  BatchGetItemCommand,
  DynamoDBClient,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { UnfinishedCallError } from '../../../../shared/aws/transient-errors.ts';
import { batchGet } from '../../../../shared/data/batch-get.ts';
import { TransactionContention } from '../../../../shared/data/optimistic-lock.ts';
import { type TransactionItem, transact } from '../../../../shared/data/transact.ts';
import { canceled, exception, transientForms } from '../../../support/aws-errors.ts';

jest.mock('node:timers/promises', () => ({ setTimeout: jest.fn().mockResolvedValue(undefined) }));

/** What an emulator does not do: meet another writer, leave keys over. */
const dynamo = mockClient(DynamoDBClient);
const client = new DynamoDBClient({ region: 'us-east-1' });

beforeEach(() => dynamo.reset());

const step = (name: string): TransactionItem => ({
  write: { Delete: { TableName: 't', Key: { pk: { S: name } } } },
  refused: (stored) => new Error(`${name} refused, stored ${stored?.['pk']?.S ?? 'nothing'}`),
});

describe('a transaction', () => {
  it('raises the failure of the step whose condition did not hold, with what was stored', async () => {
    dynamo.on(TransactWriteItemsCommand).rejects(canceled('None', 'ConditionalCheckFailed'));
    await expect(transact(client, [step('first'), step('second')])).rejects.toThrow(
      'second refused, stored old',
    );
    expect(dynamo.calls()).toHaveLength(1);
  });

  it('is tried again when it merely met another writer', async () => {
    dynamo.on(TransactWriteItemsCommand).rejectsOnce(canceled('TransactionConflict', 'None')).resolves({});
    await transact(client, [step('first'), step('second')]);
    expect(dynamo.calls()).toHaveLength(2);
  });

  it('raises contention when it kept meeting other writers', async () => {
    dynamo.on(TransactWriteItemsCommand).rejects(canceled('TransactionConflict'));
    await expect(transact(client, [step('first')])).rejects.toBeInstanceOf(TransactionContention);
    expect(dynamo.calls()).toHaveLength(5);
  });

  it.each(transientForms)('is tried again after %s, as the same request', async (_, error) => {
    dynamo.on(TransactWriteItemsCommand).rejectsOnce(error).resolves({});
    await transact(client, [step('first')]);
    const [first, second] = dynamo
      .commandCalls(TransactWriteItemsCommand)
      .map(({ args: [{ input }] }) => input);
    expect(first?.ClientRequestToken).toEqual(expect.any(String));
    expect(second).toEqual(first);
  });

  it.each(transientForms)('raises what it met when %s does not pass', async (_, error) => {
    dynamo.on(TransactWriteItemsCommand).rejects(error);
    await expect(transact(client, [step('first')])).rejects.toBe(error);
    expect(dynamo.calls()).toHaveLength(5);
  });

  it('is not tried again when its attempts took too long already', async () => {
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    dynamo.on(TransactWriteItemsCommand).callsFake(() => {
      now += 9_000;
      throw exception('TimeoutError');
    });
    await expect(transact(client, [step('first')])).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(dynamo.calls()).toHaveLength(1);
    clock.mockRestore();
  });

  it('passes on every other failure as it is', async () => {
    dynamo.on(TransactWriteItemsCommand).rejects(canceled('ValidationError'));
    await expect(transact(client, [step('first')])).rejects.toBeInstanceOf(TransactionCanceledException);
    expect(dynamo.calls()).toHaveLength(1);
  });
});

describe('a batch of reads', () => {
  it('waits longer each time before it asks again, and each time another while', async () => {
    const waits = jest.mocked(pause).mock.calls;
    waits.length = 0;
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    let left = 4;
    dynamo.on(BatchGetItemCommand).callsFake(({ RequestItems }) => {
      left -= 1;
      return left === 0 ? { Responses: { t: [] } } : { Responses: { t: [] }, UnprocessedKeys: RequestItems };
    });
    await batchGet(client, 't', [{ pk: 'k' }], { consistent: true });
    const ms = waits.map(([wait]) => Number(wait));
    expect(ms).toHaveLength(3);
    expect(ms).toEqual([...ms].sort((one, other) => one - other));
    expect(ms.at(-1)).toBeGreaterThan(ms[0] ?? 0);
    jest.mocked(Math.random).mockRestore();
  });

  it('asks again for what DynamoDB left over, and asks for no more than a hundred at once', async () => {
    const keys = Array.from({ length: 150 }, (_, index) => ({ pk: `k${index}` }));
    dynamo.on(BatchGetItemCommand).callsFake(({ RequestItems }) => {
      const asked = RequestItems['t'].Keys as { pk: { S: string } }[];
      expect(asked.length).toBeLessThanOrEqual(100);
      const served = asked.slice(0, 40);
      const left = asked.slice(40);
      return {
        Responses: { t: served },
        ...(left.length === 0 ? {} : { UnprocessedKeys: { t: { Keys: left } } }),
      };
    });
    const found = await batchGet(client, 't', keys, { consistent: true });
    expect(found.map(({ pk }) => pk).sort()).toEqual(keys.map(({ pk }) => pk).sort());
  });

  it('gives up when DynamoDB leaves every key over time and again', async () => {
    dynamo.on(BatchGetItemCommand).callsFake(({ RequestItems }) => ({
      Responses: { t: [] },
      UnprocessedKeys: RequestItems,
    }));
    const reading = batchGet(client, 't', [{ pk: 'k' }], { consistent: true });
    await expect(reading).rejects.toBeInstanceOf(UnfinishedCallError);
    expect(dynamo.calls()).toHaveLength(6);
  });
});
