import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { getItem } from '../data/get-item.ts';
import { type Organization, organization } from './organization.ts';
import { organizationKeys } from './organization-keys.ts';

/** Organizations, read consistently, for operators: they see a change made a moment ago. */
export interface Organizations {
  find(organizationId: string): Promise<Organization | undefined>;
}

export const createOrganizations = (client: DynamoDBClient, table: string): Organizations => ({
  find: (organizationId) =>
    getItem(client, table, organizationKeys.organization(organizationId), organization, { consistent: true }),
});
