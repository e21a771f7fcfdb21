import { randomUUID } from 'node:crypto';
import { startDynamoDbLocal } from '../../infra/local/engines/dynamodb-local.ts';

// One DynamoDB Local for all projects of a jest run, each in a database of its own: its first thousands of calls take three times
// as long as later ones.

let starting: ReturnType<typeof startDynamoDbLocal> | undefined;
let users = 0;

/** Starts it for the setup of a project, unless that of another has. */
export async function shareEngine() {
  users += 1;
  starting ??= startDynamoDbLocal({ databases: 'one per access key', tuning: 'long run' });
  const engine = await starting;
  process.env['TEST_DYNAMODB_ENDPOINT'] = engine.access.endpoint;
  return engine;
}

/** Stops it when no project needs it any more. */
export async function leaveEngine(): Promise<void> {
  users -= 1;
  if (users === 0) await (await starting)?.stop();
}

/** A new database in the engine that a setup of this jest run has started; undefined if none has. */
export function newDatabase() {
  const endpoint = process.env['TEST_DYNAMODB_ENDPOINT'];
  if (endpoint === undefined) return undefined;
  const ended = new Promise<string>(() => undefined);
  return { access: { endpoint, accessKeyId: randomUUID().replaceAll('-', '') }, ended };
}
