import * as z from 'zod/mini';
import { createAssociationStore } from '#domain/associations/store.ts';
import { carrierChanged, type InputEventItems } from '#domain/compliance/inputs-changed.ts';
import type { Tables } from '#domain/tables.ts';
import { existing } from '#platform/contract/errors.ts';
import { collect } from '#platform/data/concurrently.ts';
import { exists, isNew, startsWith } from '#platform/data/expressions.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { type StoredSchema, storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import { organizationKeys } from '#platform/data/table-design.ts';
import { retryOnConflict } from '#platform/data/transact.ts';
import { DomainError } from '#platform/errors/domain-error.ts';
import {
  type ApiClient,
  apiClient,
  createOrganizations,
  hashSecret,
  newClientId,
  newClientSecret,
  newRestrictedAccessToken,
  type Organization,
  organization,
  type RestrictedAccessToken,
  restrictedAccessToken,
} from '#platform/identity/organizations.ts';

export type OrganizationChange = {
  readonly [Key in Exclude<keyof Organization, 'organizationId' | 'category' | 'createdAt' | 'updatedAt'>]?:
    | Organization[Key]
    | undefined;
};

type NewOrganization = Omit<
  Organization,
  'organizationId' | 'naicCodes' | 'eins' | 'createdAt' | 'updatedAt'
> &
  Pick<OrganizationChange, 'naicCodes' | 'eins'>;

/** Place of a token, by its id. */
const tokenPointer = storedItem('organizations/token-id', { tokenHash: z.string() });

const identifierTaken = () =>
  new DomainError('state_conflict', { message: 'A random identifier was already taken; try again.' });

/** Reads an organization. @throws ApiError `not_found`. */
function reader(table: Table) {
  const organizations = createOrganizations(table);
  return async (organizationId: string) => existing(await organizations.find(organizationId));
}

/** Writes of organizations and credentials, and searches for them. */
export function createOrganizationAdministration(table: Table, now: () => Date) {
  const read = reader(table);

  /** Reads the whole table, some megabytes at most: operators know a name or an organization, and no key. */
  const scan = <Value>({ pk }: { readonly pk: string }, schema: StoredSchema<Value>): Promise<Value[]> =>
    collect(table.scan(schema, { pk: startsWith(pk) }));

  /** Creates items in a transaction, which is idempotent by its token: a retry after a lost response succeeds. */
  const putNew = (...items: readonly Record<string, unknown>[]): Promise<void> =>
    table.transact(items.map((item) => table.items.put(item, isNew, identifierTaken)));

  const revoke = async <Value extends ApiClient | RestrictedAccessToken>(
    key: { readonly pk: string },
    schema: StoredSchema<Value>,
  ): Promise<Value> => {
    const { isWritten, item } = await table.change(schema, key, { revokedAt: now().toISOString() }, exists);
    if (!isWritten) throw new DomainError('not_found');
    return item;
  };

  const revokeByHash = async (tokenHash: string) => {
    const revokedToken = await revoke(organizationKeys.token(tokenHash), restrictedAccessToken);
    const { organizationId, tokenId, name } = revokedToken;
    return { organizationId, tokenId, name };
  };

  return {
    async create(values: NewOrganization): Promise<Organization> {
      const time = now();
      const newOrganization = {
        ...values,
        naicCodes: values.naicCodes ?? [],
        eins: values.eins ?? [],
        organizationId: newObjectId(time),
        createdAt: time.toISOString(),
        updatedAt: time.toISOString(),
      };
      const key = organizationKeys.organization(newOrganization.organizationId);
      await putNew({ ...key, ...newOrganization });
      return newOrganization;
    },

    /** The secret is in the response and nowhere else. @throws DomainError `not_found`. */
    async createClient(organizationId: string, name: string) {
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

    /** The token is in the response and nowhere else. @throws DomainError `not_found`. */
    async createToken(organizationId: string, name: string, ipAddresses: readonly string[]) {
      await read(organizationId);
      const time = now();
      const tokenId = newObjectId(time);
      const token = newRestrictedAccessToken();
      const tokenHash = hashSecret(token);
      const item = {
        ...organizationKeys.token(tokenHash),
        tokenId,
        organizationId,
        name,
        ipAddresses,
        createdAt: time.toISOString(),
      };
      await putNew(item, { ...organizationKeys.tokenById(tokenId), tokenHash });
      return { tokenId, token };
    },

    /** @throws DomainError `not_found`. */
    async revokeClient(clientId: string) {
      const { organizationId, name } = await revoke(organizationKeys.client(clientId), apiClient);
      return { organizationId, clientId, name };
    },

    /** Revokes a restricted access token by its value, as it leaked. @throws DomainError `not_found`. */
    revokeTokenValue: (token: string) => revokeByHash(hashSecret(token)),

    /** @throws DomainError `not_found`. */
    async revokeToken(tokenId: string) {
      const key = organizationKeys.tokenById(tokenId);
      const { tokenHash } = existing(await table.get(tokenPointer, key, { consistent: false }));
      return revokeByHash(tokenHash);
    },

    /** Organizations whose names contain this, whatever the case, in the order of their names. */
    async byName(text: string) {
      const searchText = text.toLowerCase();
      const allOrganizations = await scan(organizationKeys.organization(''), organization);
      return allOrganizations
        .filter(({ name }) => name.toLowerCase().includes(searchText))
        .map(({ organizationId, name, category, features, subscription }) => ({
          organizationId,
          name,
          category,
          features,
          subscription,
        }))
        .sort((a, b) => a.name.localeCompare(b.name));
    },

    /**
     * Every credential of an organization, revoked ones too, the oldest first; never a secret or its hash.
     * @throws ApiError `not_found` for an unknown organization.
     */
    async credentialsOf(organizationId: string) {
      const [clients, tokens] = await Promise.all([
        scan(organizationKeys.client(''), apiClient),
        scan(organizationKeys.token(''), restrictedAccessToken),
        read(organizationId),
      ]);
      const isOwn = (credential: ApiClient | RestrictedAccessToken): boolean =>
        credential.organizationId === organizationId;
      return [
        ...clients.filter(isOwn).map(({ clientId, name, createdAt, revokedAt }) => ({
          kind: 'API client' as const,
          ...{ clientId, name, createdAt, revokedAt },
        })),
        ...tokens.filter(isOwn).map(({ tokenId, name, ipAddresses, createdAt, revokedAt }) => ({
          kind: 'restricted access token' as const,
          ...{ tokenId, name, ipAddresses, createdAt, revokedAt },
        })),
      ].sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
    },
  };
}

/**
 * Changes what is given, and returns the organization. Another name, and other codes or EINs, make other appointments count, so
 * everyone's compliance is then checked again. Agencies see a carrier's new name with its associations: if that fails halfway,
 * the same change completes it.
 *
 * @throws DomainError `not_found`; TransactionContention when other changes were faster each time.
 */
export function createUpdateOrganization(
  { organizations: table, associations }: Tables<'organizations' | 'associations'>,
  events: InputEventItems,
  now: () => Date,
) {
  const read = reader(table);
  const { renameCarrier } = createAssociationStore(associations);
  const write = (organizationId: string, change: OrganizationChange): Promise<Organization> =>
    retryOnConflict(async () => {
      const before = await read(organizationId);
      const { category } = before;
      const isIdentity = [change.name, change.naicCodes, change.eins].some((value) => value !== undefined);
      // Later than what was read: changes notice each other by it, and it ends the former identity.
      const time = Math.max(now().getTime(), Date.parse(before.updatedAt) + 1);
      const updatedAt = new Date(time).toISOString();
      const givenEntries = Object.entries({ ...change, updatedAt }).filter(
        ([, value]) => value !== undefined,
      );
      await table.transact([
        table.items.update(organizationKeys.organization(organizationId), Object.fromEntries(givenEntries), {
          updatedAt: before.updatedAt,
        }),
        ...(isIdentity && category === 'upstreamEntity'
          ? events([carrierChanged(organizationId)], now())
          : []),
      ]);
      return read(organizationId);
    });

  return async (organizationId: string, change: OrganizationChange): Promise<Organization> => {
    let changedOrganization = await write(organizationId, change);
    if (change.name === undefined || changedOrganization.category !== 'upstreamEntity')
      return changedOrganization;
    for (;;) {
      const { name } = changedOrganization;
      await renameCarrier(organizationId, name);
      // Another change may have given another name meanwhile, of which some associations now show this one.
      changedOrganization = await read(organizationId);
      if (changedOrganization.name === name) return changedOrganization;
    }
  };
}
