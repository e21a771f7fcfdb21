import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { batchGet } from '../data/batch-get.ts';
import { getItem } from '../data/get-item.ts';
import { parseStored } from '../data/stored.ts';
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
  /** Client and organization in one call; either is undefined when it does not exist. */
  findClientWithOrganization(
    clientId: string,
    organizationId: string,
  ): Promise<{ readonly client: ApiClient | undefined; readonly organization: Organization | undefined }>;
  findToken(tokenHash: string): Promise<RestrictedAccessToken | undefined>;
}

export function createOrganizationStore(client: DynamoDBClient, table: string): OrganizationStore {
  const find = <Schema extends z.core.$ZodType>(key: Record<string, string>, schema: Schema) =>
    getItem(client, table, key, schema, { consistent: false });

  return {
    findOrganization: (organizationId) => find(organizationKeys.organization(organizationId), organization),
    findClient: (clientId) => find(organizationKeys.client(clientId), apiClient),
    findToken: (tokenHash) => find(organizationKeys.token(tokenHash), restrictedAccessToken),

    async findClientWithOrganization(clientId, organizationId) {
      const keys = {
        client: organizationKeys.client(clientId),
        organization: organizationKeys.organization(organizationId),
      };
      const items = await batchGet(client, table, Object.values(keys), { consistent: false });
      const under = ({ pk }: { readonly pk: string }) => items.find((item) => item['pk'] === pk);
      return {
        client: parseStored(z.optional(apiClient), under(keys.client)),
        organization: parseStored(z.optional(organization), under(keys.organization)),
      };
    },
  };
}
