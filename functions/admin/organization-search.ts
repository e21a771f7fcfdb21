import type { CompatibleSchema } from '../../shared/platform/contract/compatible.ts';
import { existing } from '../../shared/platform/contract/errors.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { startsWith } from '../../shared/platform/data/expressions.ts';
import type { Table } from '../../shared/platform/data/table.ts';
import { lastUses } from '../../shared/platform/identity/credential-uses.ts';
import {
  apiClient,
  organization,
  restrictedAccessToken,
} from '../../shared/platform/identity/organization.ts';
import { organizationKeys } from '../../shared/platform/identity/organization-keys.ts';

/** Reads of operators, who know a name or an organization and no key. Each reads the whole table, some megabytes at most. */
export function createOrganizationSearch(organizations: Table, rateCounters: Table) {
  const scan = <Value>({ pk }: { readonly pk: string }, schema: CompatibleSchema<Value>): Promise<Value[]> =>
    collect(organizations.scan(schema, { pk: startsWith(pk) }));

  return {
    /** Organizations whose names contain this, whatever the case, in the order of their names. */
    async byName(text: string) {
      const wanted = text.toLowerCase();
      const all = await scan(organizationKeys.organization(''), organization);
      return all
        .filter(({ name }) => name.toLowerCase().includes(wanted))
        .map(({ organizationId, name, category, features, subscription }) => ({
          organizationId,
          name,
          category,
          features,
          subscription,
        }))
        .sort((one, other) => one.name.localeCompare(other.name));
    },

    /** Notes on the others that have this name, whatever the case: an organization may have been created twice. */
    async notesOnName(name: string, organizationId: string) {
      const others = (await scan(organizationKeys.organization(''), organization)).filter(
        (other) => other.organizationId !== organizationId && other.name.toLowerCase() === name.toLowerCase(),
      );
      const message = 'Another organization has this name.';
      return others.length === 0
        ? {}
        : { notes: others.map((other) => ({ organizationId: other.organizationId, message })) };
    },

    /**
     * Every credential of an organization, revoked ones too, the oldest first, each with its last use; never a secret or its hash.
     * @throws ApiError `not_found` for an unknown organization.
     */
    async credentialsOf(organizationId: string) {
      const [found, clients, tokens] = await Promise.all([
        organizations.get(organization, organizationKeys.organization(organizationId)),
        scan(organizationKeys.client(''), apiClient),
        scan(organizationKeys.token(''), restrictedAccessToken),
      ]);
      existing(found);
      const ownClients = clients.filter((one) => one.organizationId === organizationId);
      const ownTokens = tokens.filter((one) => one.organizationId === organizationId);
      const ids = [...ownClients.map(({ clientId }) => clientId), ...ownTokens.map(({ tokenId }) => tokenId)];
      const lastUse = await lastUses(rateCounters, ids);
      const lastUsedAt = (credentialId: string) => lastUse(credentialId) ?? null;
      return [
        ...ownClients.map(({ clientId, name, createdAt, revokedAt }) => ({
          kind: 'API client' as const,
          clientId,
          name,
          createdAt,
          lastUsedAt: lastUsedAt(clientId),
          revokedAt,
        })),
        ...ownTokens.map(({ tokenId, name, ipAddresses, createdAt, revokedAt }) => ({
          kind: 'restricted access token' as const,
          tokenId,
          name,
          ipAddresses,
          createdAt,
          lastUsedAt: lastUsedAt(tokenId),
          revokedAt,
        })),
      ].sort((one, other) => (one.createdAt < other.createdAt ? -1 : 1));
    },
  };
}
