import { createOrganizationAdministration } from '../../functions/admin/organizations.ts';
import type { CarrierIdentity } from '../../shared/domain/decision/carrier.ts';
import { features, type OrganizationCategory } from '../../shared/platform/contract/access.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { organizationsTable } from '../../shared/platform/identity/table.ts';
import { dynamo } from './tables.ts';

/** A function that creates active organizations with every feature in this table; it answers their ids. */
export function organizationsIn(table: string, now = () => new Date(), planCeiling = 100) {
  const organizations = createOrganizationAdministration(tableOf(organizationsTable, dynamo, table), now);
  return async (
    category: OrganizationCategory = 'upstreamEntity',
    { naicCodes = [], eins = [], ...identity }: Partial<CarrierIdentity> = {},
  ): Promise<string> => {
    const { organizationId } = await organizations.create({
      name: 'Beacon Specialty',
      category,
      features: [...features],
      subscription: 'active',
      planCeiling,
      ...identity,
      naicCodes: [...naicCodes],
      eins: [...eins],
    });
    return organizationId;
  };
}
