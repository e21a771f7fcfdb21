import type { Table } from '../data/table.ts';
import { apiClient, organization, restrictedAccessToken } from './organization.ts';
import { organizationKeys } from './organization-keys.ts';

/** Reads of organizations and credentials. */
export type OrganizationStore = ReturnType<typeof createOrganizationStore>;

export function createOrganizationStore(organizations: Table) {
  const options = { consistent: false };
  return {
    findOrganization: (organizationId: string) =>
      organizations.get(organization, organizationKeys.organization(organizationId), options),
    findClient: (clientId: string) =>
      organizations.get(apiClient, organizationKeys.client(clientId), options),
    findToken: (tokenHash: string) =>
      organizations.get(restrictedAccessToken, organizationKeys.token(tokenHash), options),
  };
}
