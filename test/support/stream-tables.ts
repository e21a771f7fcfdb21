// Tables with streams in a DynamoDB Local of the importing test file.
import * as z from 'zod/mini';
import { dynamodbService } from '../../infra/local/aws/dynamodb-service.ts';
import { createAwsEndpoint } from '../../infra/local/aws/endpoint.ts';
import { callAws } from '../../infra/local/aws/service.ts';
import {
  type DynamoDbLocal,
  startDynamoDbLocal,
  tablePlan,
} from '../../infra/local/engines/dynamodb-local.ts';
import { type Listener, openListener } from '../../infra/local/listener.ts';
import { region, streamArn } from '../../infra/local/template/template.ts';
import { streamRecords } from '../../infra/local/triggers/stream-source.ts';

/** DynamoDB Local behind the AWS endpoint, which has one caller with all permissions. */
let engine: DynamoDbLocal;
let listener: Listener;
const access = () => ({ endpoint: listener.address, accessKeyId: 'KEY' });

beforeAll(async () => {
  engine = await startDynamoDbLocal();
  listener = await openListener(0);
  listener.serve(
    createAwsEndpoint({
      callers: new Map([['KEY', { name: 'test', statements: 'everything' }]]),
      services: { dynamodb: dynamodbService(engine.access) },
      onGrantUsed: () => undefined,
      onRefusal: () => undefined,
    }),
  );
});
afterAll(async () => {
  await listener.close();
  await engine.stop();
});

const call = (operation: string, input: object) =>
  callAws(
    engine.access,
    { service: 'dynamodb', target: `DynamoDB_20120810.${operation}` },
    input,
    z.unknown(),
  );

let tables = 0;

/** Creates a table with a stream, as from a template. */
export async function newTable() {
  tables += 1;
  const name = `outbox-${tables}`;
  const { create } = tablePlan(name, {
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
    Replicas: [{ Region: region }],
    StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
  });
  await call('CreateTable', create);
  return {
    arn: streamArn(name),
    stream: streamRecords(streamArn(name), access()),
    put: (...keys: string[]) =>
      keys.reduce<Promise<unknown>>(
        (before, pk) =>
          before.then(() => call('PutItem', { TableName: name, Item: { pk: { S: pk }, empty: { M: {} } } })),
        Promise.resolve(),
      ),
    remove: (pk: string) => call('DeleteItem', { TableName: name, Key: { pk: { S: pk } } }),
  };
}
