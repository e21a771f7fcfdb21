import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamodbService } from '../../../infra/local/aws/dynamodb-service.ts';
import { createAwsEndpoint } from '../../../infra/local/aws/endpoint.ts';
import { openListener } from '../../../infra/local/listener.ts';
import { accessKeyId, dynamoSettings } from '../tables.ts';
import { type IndexLag, laggingIndexes } from './index-lag.ts';

/**
 * A client of the integration tests' DynamoDB Local whose indexes lag behind their tables. Writes past this client are
 * visible at once.
 */
export async function laggingClient(lagOf: IndexLag) {
  const listener = await openListener(0);
  const engine = { endpoint: process.env['TEST_DYNAMODB_ENDPOINT'] ?? '', accessKeyId };
  listener.serve(
    createAwsEndpoint({
      callers: new Map([[accessKeyId, { name: 'test', statements: 'everything' }]]),
      services: { dynamodb: dynamodbService(engine) },
      middleware: laggingIndexes(engine, lagOf),
      onGrantUsed: () => undefined,
      onRefusal: () => undefined,
    }),
  );
  const client = new DynamoDBClient({ ...dynamoSettings(), endpoint: listener.address });
  return {
    client,
    async close(): Promise<void> {
      client.destroy();
      await listener.close();
    },
  };
}
