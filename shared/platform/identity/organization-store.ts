import type { Table } from '../data/table.ts';
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

export function createOrganizationStore(organizations: Table): OrganizationStore {
  const options = { consistent: false };
  return {
    findOrganization: (organizationId) =>
      organizations.get(organization, organizationKeys.organization(organizationId), options),
    findClient: (clientId) => organizations.get(apiClient, organizationKeys.client(clientId), options),
    findToken: (tokenHash) =>
      organizations.get(restrictedAccessToken, organizationKeys.token(tokenHash), options),
  };
}
