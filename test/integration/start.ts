import { type DynamoDbLocal, startDynamoDbLocal } from '../../infra/local/engines/dynamodb-local.ts';

/** Passed from the project's setup to its teardown, which run in one process. */
export const running: { engine?: DynamoDbLocal } = {};

/** Starts the DynamoDB Local that all suites of this project share; each creates its own tables. */
export default async function start(): Promise<void> {
  // The SDK warns of Node 20's end of support in every process; the engines field says what is supported.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true';
  running.engine = await startDynamoDbLocal();
  process.env['TEST_DYNAMODB_ENDPOINT'] = `http://127.0.0.1:${running.engine.port}`;
}
