import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { toItem } from '../data/dynamo.ts';
import { parseStored } from '../data/stored.ts';
import { type Organization, organization, organizationKeys } from './organization.ts';

/** Organizations as they stand, for what operators do: a change of a moment ago shows. */
export interface Organizations {
  find(organizationId: string): Promise<Organization | undefined>;
}

export const createOrganizations = (client: DynamoDBClient, table: string): Organizations => ({
  async find(organizationId) {
    const Key = toItem(organizationKeys.organization(organizationId));
    const { Item } = await client.send(new GetItemCommand({ TableName: table, Key, ConsistentRead: true }));
    return Item && parseStored(organization, unmarshall(Item));
  },
});
