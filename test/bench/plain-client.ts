// A bundle that holds a DynamoDB client as the SDK makes it, and nothing else: what the budget of a function's start is a part of.
import { DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';

export const handler = [new DynamoDBClient({}), GetItemCommand, QueryCommand];
