import {
  BatchGetItemCommand,
  DynamoDBClient,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { batchGet } from '../../../../shared/data/batch-get.ts';
import { type Step, transact } from '../../../../shared/data/transact.ts';

/** What an emulator does not do: meet another writer, leave keys over. */
const dynamo = mockClient(DynamoDBClient);
const client = new DynamoDBClient({ region: 'us-east-1' });

beforeEach(() => dynamo.reset());

const step = (name: string): Step => ({
  write: { Delete: { TableName: 't', Key: { pk: { S: name } } } },
  refused: (stored) => new Error(`${name} refused, stored ${stored?.['pk']?.S ?? 'nothing'}`),
});

const cancelled = (...reasons: string[]) =>
  new TransactionCanceledException({
    message: 'cancelled',
    $metadata: {},
    CancellationReasons: reasons.map((Code) => ({
      Code,
      ...(Code === 'ConditionalCheckFailed' ? { Item: { pk: { S: 'old' } } } : {}),
    })),
  });

describe('a transaction', () => {
  it('raises the failure of the step whose condition did not hold, with what was stored', async () => {
    dynamo.on(TransactWriteItemsCommand).rejects(cancelled('None', 'ConditionalCheckFailed'));
    await expect(transact(client, [step('first'), step('second')])).rejects.toThrow(
      'second refused, stored old',
    );
    expect(dynamo.calls()).toHaveLength(1);
  });

  it('is tried again when it merely met another writer', async () => {
    dynamo.on(TransactWriteItemsCommand).rejectsOnce(cancelled('TransactionConflict', 'None')).resolves({});
    await transact(client, [step('first'), step('second')]);
    expect(dynamo.calls()).toHaveLength(2);
  });

  it('gives up after a few meetings, and says that it may be sent again', async () => {
    dynamo.on(TransactWriteItemsCommand).rejects(cancelled('TransactionConflict'));
    await expect(transact(client, [step('first')])).rejects.toMatchObject({
      errorType: 'transient_transaction_error',
    });
  });

  it('passes on every other failure as it is', async () => {
    const throttled = Object.assign(new Error('slow'), { name: 'ThrottlingException' });
    dynamo.on(TransactWriteItemsCommand).rejects(throttled);
    await expect(transact(client, [step('first')])).rejects.toBe(throttled);
    dynamo.on(TransactWriteItemsCommand).rejects(cancelled('ValidationError'));
    await expect(transact(client, [step('first')])).rejects.toBeInstanceOf(TransactionCanceledException);
  });
});

describe('a batch of reads', () => {
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
});
