import { type DynamoDbLocal, startDynamoDbLocal } from '../../infra/local/engines/dynamodb-local.ts';

/** Passed from the project's setup to its teardown, which run in one process. */
export const running: { engine?: DynamoDbLocal } = {};

/** Starts the DynamoDB Local that all suites of this project share; each has a database of its own in it. */
export default async function start(): Promise<void> {
  running.engine = await startDynamoDbLocal({ databases: 'one per access key', compiler: 'optimizing' });
  process.env['TEST_DYNAMODB_ENDPOINT'] = `http://127.0.0.1:${running.engine.port}`;
}
