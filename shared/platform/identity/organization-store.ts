import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { CompatibleSchema } from '../contract/compatible.ts';
import { getItem } from '../data/get-item.ts';
import {
  type ApiClient,
  apiClient,
  type Organization,
  organization,
  type RestrictedAccessToken,
  restrictedAccessToken,
} from './organization.ts';
import { organizationKeys } from './organization-keys.ts';

/** Reads of organizations and credentials. */
export interface OrganizationStore {
  findOrganization(organizationId: string): Promise<Organization | undefined>;
  findClient(clientId: string): Promise<ApiClient | undefined>;
  findToken(tokenHash: string): Promise<RestrictedAccessToken | undefined>;
}

export function createOrganizationStore(client: DynamoDBClient, table: string): OrganizationStore {
  const find = <Schema extends CompatibleSchema>(key: Record<string, string>, schema: Schema) =>
    getItem(client, table, key, schema, { consistent: false });

  return {
    findOrganization: (organizationId) => find(organizationKeys.organization(organizationId), organization),
    findClient: (clientId) => find(organizationKeys.client(clientId), apiClient),
    findToken: (tokenHash) => find(organizationKeys.token(tokenHash), restrictedAccessToken),
  };
}
