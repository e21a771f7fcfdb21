import { randomBytes, randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { routeGroups } from '../../infra/function-uses.ts';
import { clientSettings } from '../../infra/local/aws/call.ts';
import { takesIdempotencyKey } from '../../shared/platform/contract/route.ts';
import { createIdempotency } from '../../shared/platform/request/idempotency.ts';
import { lambdaContext } from '../support/api-event.ts';
import { physicalName, runDatabase } from '../support/run-database.ts';

const functionKeys = JSON.parse(process.env['TEST_FUNCTION_KEYS'] ?? '{}') as Record<string, string>;

const groups = routeGroups
  .filter(({ routes }) => Object.values(routes).some(takesIdempotencyKey))
  .map(({ name }) => name);

it.each(groups)('%s may record a response that does not fit an item, and replay it', async (group) => {
  const access = {
    endpoint: String(process.env['TEST_AWS_ENDPOINT']),
    accessKeyId: String(functionKeys[group]),
  };
  const table = await physicalName(runDatabase(), 'idempotency');
  const { once } = createIdempotency(new DynamoDBClient(clientSettings(access)), table);
  const body = randomBytes(500_000).toString('hex');
  const request = { key: randomUUID(), scope: [group], body: {} };
  const write = { operate: async () => ({}), respond: () => ({ status: 200, body }) };
  expect(await once(request, lambdaContext, write)).toEqual({ status: 200, body, replayed: false });
  expect(await once(request, lambdaContext, write)).toEqual({ status: 200, body, replayed: true });
});
