import { carrierChanged, type InputEventItems } from '../../shared/domain/compliance/inputs-changed.ts';
import { exists } from '../../shared/platform/data/expressions.ts';
import type { Table } from '../../shared/platform/data/table.ts';
import { DomainError } from '../../shared/platform/errors/domain-error.ts';
import type { Organization } from '../../shared/platform/identity/organization.ts';
import { organizationKeys } from '../../shared/platform/identity/organization-keys.ts';
import { createOrganizations } from '../../shared/platform/identity/organizations.ts';

export type OrganizationChange = {
  readonly [Key in 'features' | 'subscription' | 'planCeiling' | 'naicCodes' | 'eins']?:
    | Organization[Key]
    | undefined;
};

/**
 * Changes what is given, and returns the organization. Other codes or EINs make other appointments count, so everyone's
 * compliance is then checked again.
 *
 * @throws DomainError `not_found`.
 */
export function createUpdateOrganization(table: Table, events: InputEventItems, now: () => Date) {
  const organizations = createOrganizations(table);
  const read = async (organizationId: string): Promise<Organization> => {
    const found = await organizations.find(organizationId);
    if (found === undefined) throw new DomainError('not_found');
    return found;
  };

  return async (organizationId: string, change: OrganizationChange): Promise<Organization> => {
    const { category, name, naicCodes, eins } = await read(organizationId);
    const isIdentity = change.naicCodes !== undefined || change.eins !== undefined;
    const updatedAt = now().toISOString();
    const given = Object.entries({ ...change, updatedAt });
    await table.transact([
      table.items.update(
        organizationKeys.organization(organizationId),
        Object.fromEntries(given.filter(([, value]) => value !== undefined)),
        exists,
        () => new DomainError('not_found'),
      ),
      ...(isIdentity && category === 'upstreamEntity'
        ? events([carrierChanged(organizationId, { name, naicCodes, eins, until: updatedAt })], now())
        : []),
    ]);
    return read(organizationId);
  };
}
