import type { Table } from '../data/table.ts';
import { type Organization, organization } from './organization.ts';
import { organizationKeys } from './organization-keys.ts';

/** Organizations, read consistently, for operators: they see a change made a moment ago. */
export interface Organizations {
  find(organizationId: string): Promise<Organization | undefined>;
}

export const createOrganizations = (organizations: Table): Organizations => ({
  find: (organizationId) => organizations.get(organization, organizationKeys.organization(organizationId)),
});
