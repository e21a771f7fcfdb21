import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { toItem } from '../../shared/data/dynamo.ts';
import { getItem } from '../../shared/data/get-item.ts';
import { newObjectId } from '../../shared/data/object-id.ts';
import { parseStored } from '../../shared/data/stored.ts';
import { type TransactionItem, transact } from '../../shared/data/transact.ts';
import { DomainError } from '../../shared/errors/domain-error.ts';
import {
  hashSecret,
  newClientId,
  newClientSecret,
  newRestrictedAccessToken,
} from '../../shared/identity/credentials.ts';
import { type Organization, organization, organizationKeys } from '../../shared/identity/organization.ts';
import { createOrganizations } from '../../shared/identity/organizations.ts';

type NewOrganization = Omit<Organization, 'organizationId' | 'createdAt' | 'updatedAt'>;
type OrganizationChange = {
  readonly [Key in 'features' | 'subscription' | 'planCeiling']?: Organization[Key] | undefined;
};

/** Writes of organizations and credentials. */
export interface OrganizationAdministration {
  create(values: NewOrganization): Promise<Organization>;
  /** @throws DomainError `not_found`. */
  update(organizationId: string, change: OrganizationChange): Promise<Organization>;
  /** The secret is in the response and nowhere else. @throws DomainError `not_found`. */
  createClient(organizationId: string, name: string): Promise<{ clientId: string; clientSecret: string }>;
  /** The token is in the response and nowhere else. @throws DomainError `not_found`. */
  createToken(
    organizationId: string,
    name: string,
    ipAddresses: readonly string[],
  ): Promise<{ tokenId: string; token: string }>;
  /** @throws DomainError `not_found`. */
  revokeClient(clientId: string): Promise<void>;
  /** @throws DomainError `not_found`. */
  revokeToken(tokenId: string): Promise<void>;
}

/** Where a token is stored, by its id. */
const tokenPointer = z.object({ tokenHash: z.string() });

const identifierTaken = () =>
  new DomainError('state_conflict', { message: 'A random identifier was already taken; try again.' });

export function createOrganizationAdministration(
  client: DynamoDBClient,
  table: string,
  now: () => Date,
): OrganizationAdministration {
  const organizations = createOrganizations(client, table);
  const read = async (organizationId: string): Promise<Organization> => {
    const found = await organizations.find(organizationId);
    if (found === undefined) throw new DomainError('not_found');
    return found;
  };

  /** In a transaction, which is idempotent by its token: a retry after a lost response succeeds. */
  const putNew = (...items: readonly Record<string, unknown>[]): Promise<void> =>
    transact(client, items.map(putItem));

  const putItem = (item: Record<string, unknown>): TransactionItem => ({
    write: {
      Put: { TableName: table, Item: toItem(item), ConditionExpression: 'attribute_not_exists(pk)' },
    },
    refused: identifierTaken,
  });

  /** Sets attributes of an item that exists. */
  const change = async (key: { readonly pk: string }, values: Record<string, unknown>): Promise<unknown> => {
    const names = Object.keys(values).filter((name) => values[name] !== undefined);
    try {
      const { Attributes } = await client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: toItem(key),
          UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
          ConditionExpression: 'attribute_exists(pk)',
          ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
          ExpressionAttributeValues: toItem(
            Object.fromEntries(names.map((name) => [`:${name}`, values[name]])),
          ),
          ReturnValues: 'ALL_NEW',
        }),
      );
      return Attributes && unmarshall(Attributes);
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) throw new DomainError('not_found');
      throw error;
    }
  };

  return {
    async create(values) {
      const at = now();
      const created = {
        ...values,
        organizationId: newObjectId(at),
        createdAt: at.toISOString(),
        updatedAt: at.toISOString(),
      };
      const key = organizationKeys.organization(created.organizationId);
      await putNew({ ...key, ...created });
      return created;
    },

    async update(organizationId, values) {
      const key = organizationKeys.organization(organizationId);
      return parseStored(organization, await change(key, { ...values, updatedAt: now().toISOString() }));
    },

    async createClient(organizationId, name) {
      const { category } = await read(organizationId);
      const clientId = newClientId();
      const clientSecret = newClientSecret();
      const item = {
        ...organizationKeys.client(clientId),
        clientId,
        organizationId,
        category,
        name,
        secretHash: hashSecret(clientSecret),
        createdAt: now().toISOString(),
      };
      await putNew(item);
      return { clientId, clientSecret };
    },

    async createToken(organizationId, name, ipAddresses) {
      await read(organizationId);
      const at = now();
      const tokenId = newObjectId(at);
      const token = newRestrictedAccessToken();
      const tokenHash = hashSecret(token);
      const item = {
        ...organizationKeys.token(tokenHash),
        tokenId,
        organizationId,
        name,
        ipAddresses,
        createdAt: at.toISOString(),
      };
      await putNew(item, { ...organizationKeys.tokenById(tokenId), tokenHash });
      return { tokenId, token };
    },

    async revokeClient(clientId) {
      await change(organizationKeys.client(clientId), { revokedAt: now().toISOString() });
    },

    async revokeToken(tokenId) {
      const key = organizationKeys.tokenById(tokenId);
      const found = await getItem(client, table, key, tokenPointer, { consistent: false });
      if (found === undefined) throw new DomainError('not_found');
      await change(organizationKeys.token(found.tokenHash), { revokedAt: now().toISOString() });
    },
  };
}
