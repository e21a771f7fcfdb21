// A bundle that holds the lean DynamoDB client of the functions and nothing else: what all else adds to a start is compared with it.
import { GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';

const dynamo = createDynamoClient();

export const handler = [dynamo, GetItemCommand, QueryCommand];
