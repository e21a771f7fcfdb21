import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { getItem } from '../data/get-item.ts';
import { DomainError } from '../errors/domain-error.ts';
import { downstreamEntityKeys, type StoredDownstreamEntity, storedDownstreamEntity } from './stored.ts';

/**
 * A live entity of the organization; an id outside the organization is not found.
 * @throws DomainError `not_found` for an id that is unknown, soft-deleted or another organization's.
 */
export type OwnEntity = (
  organizationId: string,
  downstreamEntityId: string,
) => Promise<StoredDownstreamEntity>;

export const createOwnEntity =
  (client: DynamoDBClient, table: string): OwnEntity =>
  async (organizationId, downstreamEntityId) => {
    const key = downstreamEntityKeys.entity(downstreamEntityId);
    const found = await getItem(client, table, key, storedDownstreamEntity, { consistent: false });
    if (found === undefined || found.isDeleted || found.downstreamOrganizationId !== organizationId) {
      throw new DomainError('not_found');
    }
    return found;
  };

/**
 * The entity that a list is narrowed to; undefined where its query names none.
 * @throws DomainError `not_found`, as above.
 */
export const entityFilter = async (
  ownEntity: OwnEntity,
  organizationId: string,
  downstreamEntityId: string | undefined,
): Promise<StoredDownstreamEntity | undefined> =>
  downstreamEntityId === undefined ? undefined : ownEntity(organizationId, downstreamEntityId);
