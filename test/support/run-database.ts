import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { type Access, clientSettings } from '../../infra/local/aws/service.ts';

/** The database of the local run that a project's setup or the file has started, past the permission check. */
export const runDatabase = () =>
  new DynamoDBClient(clientSettings(JSON.parse(process.env['TEST_DYNAMODB'] ?? '{}') as Access));

/** Physical name of a table, by the name in its design. */
export async function physicalName(database: DynamoDBClient, name: string): Promise<string> {
  const { TableNames = [] } = await database.send(new ListTablesCommand({}));
  const prefix = `${name.replaceAll('-', '')}table`;
  const found = TableNames.find((one) => one.toLowerCase().includes(prefix));
  if (found === undefined) throw new Error(`There is no table ${name}: ${TableNames.join(', ')}`);
  return found;
}
