import { partialAnswers } from '../../support/aws-faults/partial-answers.ts';

/** Has a call done in part by a service that answers each body as told; answers what was asked and what came out. */
async function partly(action: string, body: object, answer: (asked: object) => Record<string, unknown>) {
  const asked: object[] = [];
  const outcome = await partialAnswers[action]?.(body, async (less) => {
    asked.push(less);
    return answer(less);
  });
  return { asked, outcome };
}

const keys = (...ids: string[]) => ids.map((id) => ({ pk: { S: id } }));

it('BatchGetItem returns unprocessed keys', async () => {
  const body = { RequestItems: { t: { Keys: keys('a', 'b', 'c'), ConsistentRead: true } } };
  const { asked, outcome } = await partly('dynamodb:BatchGetItem', body, () => ({
    Responses: { t: keys('b') },
    UnprocessedKeys: {},
  }));
  expect(asked).toEqual([{ RequestItems: { t: { Keys: keys('b'), ConsistentRead: true } } }]);
  expect(outcome).toEqual({
    Responses: { t: keys('b') },
    UnprocessedKeys: { t: { Keys: keys('a', 'c'), ConsistentRead: true } },
  });
});

it('BatchGetItem returns a single key as unprocessed without a call', async () => {
  const body = { RequestItems: { t: { Keys: keys('a') } } };
  const { asked, outcome } = await partly('dynamodb:BatchGetItem', body, () => ({}));
  expect(asked).toEqual([]);
  expect(outcome).toEqual({ Responses: {}, UnprocessedKeys: body.RequestItems });
});

it('BatchExecuteStatement throttles some statements, and returns one result per statement, in order', async () => {
  const body = { Statements: [{ Statement: 'a' }, { Statement: 'b' }, { Statement: 'c' }] };
  const { asked, outcome } = await partly('dynamodb:BatchExecuteStatement', body, () => ({
    Responses: [{ TableName: 'of b' }],
  }));
  expect(asked).toEqual([{ Statements: [{ Statement: 'b' }] }]);
  const throttled = { Error: { Code: 'ThrottlingError' } };
  expect(outcome).toMatchObject({ Responses: [throttled, { TableName: 'of b' }, throttled] });
});

it('SendMessageBatch refuses some messages, and says whether it is the sender’s fault', async () => {
  const entry = (Id: string) => ({ Id, MessageBody: Id });
  const body = { QueueUrl: 'q', Entries: [entry('0'), entry('1'), entry('2')] };
  const { asked, outcome } = await partly('sqs:SendMessageBatch', body, () => ({
    Successful: [{ Id: '1' }],
  }));
  expect(asked).toEqual([{ QueueUrl: 'q', Entries: [entry('1')] }]);
  expect(outcome).toMatchObject({
    Successful: [{ Id: '1' }],
    Failed: [
      { Id: '0', SenderFault: false },
      { Id: '2', SenderFault: false },
    ],
  });
});

it('PutEvents returns one result per event, in order', async () => {
  const body = { Entries: [{ Detail: 'a' }, { Detail: 'b' }, { Detail: 'c' }] };
  const { asked, outcome } = await partly('events:PutEvents', body, () => ({
    FailedEntryCount: 0,
    Entries: [{ EventId: 'of b' }],
  }));
  expect(asked).toEqual([{ Entries: [{ Detail: 'b' }] }]);
  const refused = { ErrorCode: 'ThrottlingException' };
  expect(outcome).toMatchObject({ FailedEntryCount: 2, Entries: [refused, { EventId: 'of b' }, refused] });
});
