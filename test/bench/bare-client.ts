// A bundle that holds a lean DynamoDB client and nothing else: what a function's start is compared with.
import { GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';

const dynamo = createDynamoClient();

export const handler = [dynamo, GetItemCommand, QueryCommand];
