import * as z from 'zod/mini';
import { streamArn, tableArn } from '../template/template.ts';
import type { AccessRequest } from './policy-evaluation.ts';
import {
  type Access,
  AwsError,
  type AwsRequest,
  type AwsService,
  authorizationOf,
  bodyOf,
  callAws,
  forward,
  targetOf,
  unsupportedCall,
} from './service.ts';

const arnOf = (nameOrArn: string): string => (nameOrArn.startsWith('arn:') ? nameOrArn : tableArn(nameOrArn));

const onTable = z.object({ TableName: z.string(), IndexName: z.optional(z.string()) });
const onTables = z.object({ RequestItems: z.record(z.string(), z.unknown()) });
const onStatements = z.object({ Statements: z.array(z.object({ Statement: z.string() })) });
const onItem = z.object({ TableName: z.string() });
const onItems = z.object({ TransactItems: z.array(z.record(z.string(), onItem)) });

/** Operations on one table or one of its indexes: IAM checks the index alone when one is named. */
const tableOperations = new Set(
  'DeleteItem DescribeTable DescribeTimeToLive GetItem PutItem Query Scan UpdateItem'.split(' '),
);

/** The IAM action of each member of a transaction; transactions themselves have none. */
const transactionActions: Readonly<Record<string, string>> = {
  ConditionCheck: 'ConditionCheckItem',
  Delete: 'DeleteItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
};

const tablesApi = 'DynamoDB_20120810';
const streamsApi = 'DynamoDBStreams_20120810';

const onStream = z.looseObject({
  StreamArn: z.optional(z.string()),
  ShardIterator: z.optional(z.string()),
});

const streamOperations = new Set(['DescribeStream', 'GetRecords', 'GetShardIterator']);

/** A call of a table's stream: an iterator begins with the engine's ARN of the stream. */
function streamAccesses(request: AwsRequest, operation: string): AccessRequest[] {
  if (!streamOperations.has(operation)) throw unsupportedCall(`dynamodb:${operation}`);
  const { StreamArn, ShardIterator } = bodyOf(request, onStream);
  const table = tableOf(StreamArn ?? ShardIterator ?? '');
  return [{ action: `dynamodb:${operation}`, resource: streamArn(table) }];
}

const tableOf = (arnOfStream: string): string => /:table\/([^/]+)\/stream\//.exec(arnOfStream)?.[1] ?? '';

/** Accesses that a call of DynamoDB needs. */
export function dynamodbAccesses(request: AwsRequest): AccessRequest[] {
  const { service, operation } = targetOf(request);
  const action = `dynamodb:${operation}`;
  if (service === streamsApi) return streamAccesses(request, operation);
  if (service !== tablesApi) throw unsupportedCall(`${service}.${operation}`);
  if (tableOperations.has(operation)) {
    const { TableName, IndexName } = bodyOf(request, onTable);
    const index = IndexName === undefined ? '' : `/index/${IndexName}`;
    return [{ action, resource: `${arnOf(TableName)}${index}` }];
  }
  switch (operation) {
    case 'BatchGetItem':
    case 'BatchWriteItem': {
      const tables = Object.keys(bodyOf(request, onTables).RequestItems);
      return tables.map((table) => ({ action, resource: arnOf(table) }));
    }
    case 'BatchExecuteStatement':
      return bodyOf(request, onStatements).Statements.map(({ Statement }) => {
        const table = /^UPDATE "([^"]+)"\s/.exec(Statement)?.[1];
        if (table === undefined) throw unsupportedCall(`the statement ${Statement}`);
        return { action: 'dynamodb:PartiQLUpdate', resource: arnOf(table) };
      });
    case 'TransactWriteItems':
      return bodyOf(request, onItems).TransactItems.flatMap((item) =>
        Object.entries(item).map(([member, { TableName }]) => {
          const ofMember = transactionActions[member];
          if (ofMember === undefined) throw unsupportedCall(`the transaction member ${member}`);
          return { action: `dynamodb:${ofMember}`, resource: arnOf(TableName) };
        }),
      );
    default:
      throw unsupportedCall(action);
  }
}

const streams = z.object({ Streams: z.array(z.object({ StreamArn: z.string() })) });

/**
 * DynamoDB, backed by a database of the engine, the same for all callers. Its global secondary indexes are consistent
 * immediately.
 */
export function dynamodbService(engine: Access): AwsService {
  const port = Number(new URL(engine.endpoint).port);
  const authorization = authorizationOf(engine.accessKeyId, 'dynamodb');
  const engineArns = new Map<string, string>();

  /** The engine's ARN of a stream, which contains a creation time and a different region. */
  const engineArn = async (table: string): Promise<string> => {
    const knownArn = engineArns.get(table);
    if (knownArn !== undefined) return knownArn;
    const operation = { service: 'dynamodb', target: `${streamsApi}.ListStreams` };
    const { Streams } = await callAws(engine, operation, { TableName: table }, streams);
    const [stream] = Streams;
    if (stream === undefined) throw new AwsError('ResourceNotFoundException', `${table} has no stream.`);
    engineArns.set(table, stream.StreamArn);
    return stream.StreamArn;
  };

  const withEngineArn = async (request: AwsRequest): Promise<AwsRequest> => {
    if (targetOf(request).service !== streamsApi) return request;
    const body = bodyOf(request, onStream);
    if (body.StreamArn === undefined) return request;
    const StreamArn = await engineArn(tableOf(body.StreamArn));
    return { ...request, body: Buffer.from(JSON.stringify({ ...body, StreamArn })) };
  };

  return {
    accesses: dynamodbAccesses,
    async answer(request, response) {
      const { headers, ...rest } = await withEngineArn(request);
      await forward({ ...rest, headers: { ...headers, authorization } }, response, port);
    },
  };
}
