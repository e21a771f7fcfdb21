import { collect } from '../data/collect.ts';
import { startsWith } from '../data/expressions.ts';
import type { Table } from '../data/table.ts';
import { organization } from './organization.ts';
import { organizationKeys } from './organization-keys.ts';

/** Organizations, read consistently, for operators: they see a change made a moment ago. */
export type Organizations = ReturnType<typeof createOrganizations>;

export const createOrganizations = (organizations: Table) => ({
  find: (organizationId: string) =>
    organizations.get(organization, organizationKeys.organization(organizationId)),
  /** All of them: the whole table is read, some megabytes at most. */
  all: () =>
    collect(organizations.scan(organization, { pk: startsWith(organizationKeys.organization('').pk) })),
});
