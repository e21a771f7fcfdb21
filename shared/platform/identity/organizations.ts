import type { Table } from '../data/table.ts';
import { organization } from './organization.ts';
import { organizationKeys } from './organization-keys.ts';

/** Organizations, read consistently, for operators: they see a change made a moment ago. */
export type Organizations = ReturnType<typeof createOrganizations>;

export const createOrganizations = (organizations: Table) => ({
  find: (organizationId: string) =>
    organizations.get(organization, organizationKeys.organization(organizationId)),
});
