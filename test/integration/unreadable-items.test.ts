import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { alarmSections } from '../infra/runbook-sections.ts';
import { importLines, newOwner, tables } from '../support/carrier-records.ts';
import { list } from '../support/policies-tests.ts';
import { dynamo } from '../support/tables.ts';

// An item that breaks its schema is read and corrected with the calls that the runbook has for it.

/** The owner of the runbook's policy. */
const writtenOwner = '65f0c1d2e3a4b5c6d7e8f901';

const pascalCase = (flag: string): string =>
  flag.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** What the AWS CLI sends for the only such command of the section: its options in another case, with JSON read. */
function inputOf<Input extends object>(command: string, owner: string): Input {
  const { text } = alarmSections.find(({ heading }) => heading === 'Unreadable items') ?? { text: '' };
  const [[, options = ''] = [], ...others] = text.matchAll(
    new RegExp(`^aws dynamodb ${command} (.+)$`, 'gm'),
  );
  expect(others).toEqual([]);
  const given = options.replaceAll(writtenOwner, owner).matchAll(/--([\w-]+)(?: '([^']*)'| "([^"]*)")?/g);
  return Object.fromEntries(
    Array.from(given, ([, flag = '', quoted, table]) => {
      if (table !== undefined) return [pascalCase(flag), table.replace('$TABLE', tables.policies)];
      const isJson = quoted?.startsWith('{') === true;
      return [pascalCase(flag), isJson ? (JSON.parse(quoted) as unknown) : (quoted ?? true)];
    }),
  ) as Input;
}

it('the runbook reads the item that breaks its schema, and corrects it', async () => {
  const owner = await newOwner();
  const read = new GetItemCommand(inputOf('get-item', owner));
  const correct = () => dynamo.send(new UpdateItemCommand(inputOf('update-item', owner)));
  const { pk, sk: _id } = unmarshall(read.input.Key ?? {});
  await importLines(owner, [{ type: 'policy', _id, policyNumber: 'P-1', riskStateCode: 'TX' }]);
  await dynamo.send(
    new UpdateItemCommand({
      TableName: tables.policies,
      Key: read.input.Key,
      UpdateExpression: 'SET riskStateCode = :broken',
      ExpressionAttributeValues: { ':broken': { S: 'Texas' } },
    }),
  );
  await expect(list(owner)).rejects.toThrow(
    `The policies/policy ${pk} ${_id} does not match its schema at riskStateCode (invalid_value).`,
  );

  const { Item = {} } = await dynamo.send(read);
  expect(unmarshall(Item)).toMatchObject({ policyNumber: 'P-1', riskStateCode: 'Texas' });
  await correct();
  expect(await list(owner)).toMatchObject([{ _id, riskStateCode: 'TX' }]);
  // Whoever comes later, and has read it before, changes nothing.
  await expect(correct()).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
});
