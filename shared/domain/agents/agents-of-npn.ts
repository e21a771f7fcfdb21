import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { toItem } from '../../platform/data/dynamo.ts';
import { parseStored } from '../../platform/data/stored.ts';
import { agentPartitions, type StoredAgent, storedAgent } from './stored.ts';

/** An owner's agents with an NPN; they are few. */
export async function agentsOfNpn(
  client: DynamoDBClient,
  table: string,
  owner: string,
  npn: string,
): Promise<StoredAgent[]> {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: table,
      IndexName: 'by-npn',
      KeyConditionExpression: 'npnKey = :npn',
      ExpressionAttributeValues: toItem({ ':npn': agentPartitions.ofNpn(owner, npn) }),
    }),
  );
  return Items.map((item) => parseStored(storedAgent, unmarshall(item)));
}
