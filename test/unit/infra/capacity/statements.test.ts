import { updateItemOf } from '../../../capacity/statements.ts';

test('a statement is measured as the update that it is', () => {
  const Statement =
    'UPDATE "webhooks" SET "attempts" = list_append("attempts", ?) SET "status" = ? WHERE "pk" = ? AND "sk" = ? AND "attempt" = ? AND "status" = ?';
  const Parameters = ['log', 'succeeded', 'partition', 'sort', 'one', 'pending'].map((S) => ({ S }));
  expect(updateItemOf({ Statement, Parameters })).toEqual({
    TableName: 'webhooks',
    Key: { pk: { S: 'partition' }, sk: { S: 'sort' } },
    UpdateExpression: 'SET #attempts = list_append(#attempts, :value0), #status = :value1',
    ConditionExpression: '#attempt = :value4 AND #status = :value5',
    ExpressionAttributeNames: { '#attempts': 'attempts', '#status': 'status', '#attempt': 'attempt' },
    ExpressionAttributeValues: {
      ':value0': { S: 'log' },
      ':value1': { S: 'succeeded' },
      ':value4': { S: 'one' },
      ':value5': { S: 'pending' },
    },
  });
});

test('a statement of another form is an error', () => {
  expect(() => updateItemOf({ Statement: 'SELECT * FROM "webhooks"', Parameters: [] })).toThrow('SELECT');
});
