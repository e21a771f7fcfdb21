import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { getItem } from '../data/get-item.ts';
import { type Organization, organization, organizationKeys } from './organization.ts';

/** Organizations as they stand, for what operators do: a change of a moment ago shows. */
export interface Organizations {
  find(organizationId: string): Promise<Organization | undefined>;
}

export const createOrganizations = (client: DynamoDBClient, table: string): Organizations => ({
  find: (organizationId) =>
    getItem(client, table, organizationKeys.organization(organizationId), organization, { consistent: true }),
});
