import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { carrierChanged, type InputEventItems } from '../../shared/domain/compliance/inputs-changed.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { transact } from '../../shared/platform/data/transact.ts';
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
export type UpdateOrganization = (
  organizationId: string,
  change: OrganizationChange,
) => Promise<Organization>;

export function createUpdateOrganization(
  client: DynamoDBClient,
  table: string,
  events: InputEventItems,
  now: () => Date,
): UpdateOrganization {
  const organizations = createOrganizations(client, table);
  const read = async (organizationId: string): Promise<Organization> => {
    const found = await organizations.find(organizationId);
    if (found === undefined) throw new DomainError('not_found');
    return found;
  };

  return async (organizationId, change) => {
    const { category, name, naicCodes, eins } = await read(organizationId);
    const isIdentity = change.naicCodes !== undefined || change.eins !== undefined;
    const values = Object.entries({ ...change, updatedAt: now().toISOString() }).filter(
      ([, value]) => value !== undefined,
    );
    await transact(client, [
      {
        write: {
          Update: {
            TableName: table,
            Key: toItem(organizationKeys.organization(organizationId)),
            UpdateExpression: `SET ${values.map(([name]) => `#${name} = :${name}`).join(', ')}`,
            ConditionExpression: 'attribute_exists(pk)',
            ExpressionAttributeNames: Object.fromEntries(values.map(([name]) => [`#${name}`, name])),
            ExpressionAttributeValues: toItem(
              Object.fromEntries(values.map(([name, value]) => [`:${name}`, value])),
            ),
          },
        },
        refused: () => new DomainError('not_found'),
      },
      ...(isIdentity && category === 'upstreamEntity'
        ? events([carrierChanged(organizationId, { name, naicCodes, eins })], now())
        : []),
    ]);
    return read(organizationId);
  };
}
