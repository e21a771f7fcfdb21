import { type DynamoDbLocal, startDynamoDbLocal } from '../../infra/local/engines/dynamodb-local.ts';

/** Handed from the project's setup to its teardown, which run in one process. */
export const running: { engine?: DynamoDbLocal } = {};

/** Starts the one DynamoDB Local that every suite of this project works with; each makes tables of its own. */
export default async function start(): Promise<void> {
  // The SDK tells of Node 20's end in every process; the engines field already says what is supported.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true';
  running.engine = await startDynamoDbLocal();
  process.env['TEST_DYNAMODB_ENDPOINT'] = `http://127.0.0.1:${running.engine.port}`;
}
