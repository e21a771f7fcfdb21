import type { CarrierIdentity } from '#domain/decision/carrier.ts';
import { features, type OrganizationCategory } from '#platform/contract/route.ts';
import { tableOf } from '#platform/data/table.ts';
import { organizationsTable } from '#platform/data/table-design.ts';
import {
  createOrganizationAdministration,
  type OrganizationChange,
} from '../../functions/admin/organizations.ts';
import { dynamo } from './tables.ts';

/** What an organization of a test says of itself. */
export type Settings = Partial<CarrierIdentity> & Pick<OrganizationChange, 'policiesNameAgents'>;

/** A function that creates active organizations with every feature in this table; it answers their ids. */
export function organizationsIn(table: string, now = () => new Date(), planCeiling = 100) {
  const organizations = createOrganizationAdministration(tableOf(organizationsTable, dynamo, table), now);
  return async (
    category: OrganizationCategory = 'upstreamEntity',
    { naicCodes = [], eins = [], ...settings }: Settings = {},
  ): Promise<string> => {
    const { organizationId } = await organizations.create({
      name: 'Beacon Specialty',
      category,
      features: [...features],
      subscription: 'active',
      planCeiling,
      ...settings,
      naicCodes: [...naicCodes],
      eins: [...eins],
    });
    return organizationId;
  };
}
