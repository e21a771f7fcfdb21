import * as z from 'zod/mini';
import {
  type AwsRequest,
  type AwsService,
  bodyOf,
  refuseAsJson,
  targetOf,
  unsupported,
} from './aws-service.ts';
import { forward } from './forward.ts';
import { accountId, region } from './physical-resources.ts';
import type { Access } from './policy-evaluation.ts';

const tableArn = (nameOrArn: string): string =>
  nameOrArn.startsWith('arn:') ? nameOrArn : `arn:aws:dynamodb:${region}:${accountId}:table/${nameOrArn}`;

const onTable = z.object({ TableName: z.string(), IndexName: z.optional(z.string()) });
const onTables = z.object({ RequestItems: z.record(z.string(), z.unknown()) });
const onItem = z.object({ TableName: z.string() });
const onItems = z.object({ TransactItems: z.array(z.record(z.string(), onItem)) });

/** Operations on one table or one of its indexes: IAM checks the index alone when one is named. */
const tableOperations = new Set([
  'DeleteItem',
  'DescribeTable',
  'DescribeTimeToLive',
  'GetItem',
  'PutItem',
  'Query',
  'Scan',
  'UpdateItem',
]);

/** What each member of a transaction does: there is no action of IAM for transactions themselves. */
const transactionActions: Readonly<Record<string, string>> = {
  ConditionCheck: 'ConditionCheckItem',
  Delete: 'DeleteItem',
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
};

/** What a call of DynamoDB needs to be allowed. */
export function dynamodbAccesses(request: AwsRequest): Access[] {
  const { service, operation } = targetOf(request);
  if (service !== 'DynamoDB_20120810') throw unsupported(`${service}.${operation}`);
  if (tableOperations.has(operation)) {
    const { TableName, IndexName } = bodyOf(request, onTable);
    const table = tableArn(TableName);
    return [
      {
        action: `dynamodb:${operation}`,
        resource: IndexName === undefined ? table : `${table}/index/${IndexName}`,
      },
    ];
  }
  switch (operation) {
    case 'BatchGetItem':
    case 'BatchWriteItem':
      return Object.keys(bodyOf(request, onTables).RequestItems).map((table) => ({
        action: `dynamodb:${operation}`,
        resource: tableArn(table),
      }));
    case 'TransactGetItems':
    case 'TransactWriteItems':
      return bodyOf(request, onItems).TransactItems.flatMap((item) =>
        Object.entries(item).map(([member, { TableName }]) => {
          const action = transactionActions[member];
          if (action === undefined) throw unsupported(`the transaction member ${member}`);
          return { action: `dynamodb:${action}`, resource: tableArn(TableName) };
        }),
      );
    default:
      throw unsupported(`dynamodb:${operation}`);
  }
}

/** DynamoDB, answered by the engine that listens on this port. */
export const dynamodbService = (port: number): AwsService => ({
  accesses: dynamodbAccesses,
  answer: (request, response) => forward(request, response, port),
  refuse: refuseAsJson,
});
