import type { CredentialMethod } from '../../shared/contract/route.ts';
import { expiringCache } from '../../shared/data/expiring-cache.ts';
import type { AccessTokens } from '../../shared/identity/access-token.ts';
import { hashSecret } from '../../shared/identity/credentials.ts';
import type { Organization } from '../../shared/identity/organization.ts';
import type { OrganizationStore } from '../../shared/identity/organization-store.ts';

/** A caller whose credential is valid; a restricted access token also has the addresses from which it may be used. */
export interface Caller {
  readonly credentialId: string;
  readonly organization: Organization;
  /** Exact addresses; undefined where the credential is not bound to any. */
  readonly ipAddresses: readonly string[] | undefined;
}

/** The two credential headers of a request. */
export interface PresentedCredentials {
  readonly bearer: string | undefined;
  readonly restrictedToken: string | undefined;
}

/** Finds the caller behind a request's credentials; undefined when none of them is valid. */
export type Authenticate = (
  presented: PresentedCredentials,
  method: CredentialMethod | undefined,
) => Promise<Caller | undefined>;

/**
 * Credentials and entitlement are cached for less than a minute (OpenAPI, "Credentials"), so a revoked credential
 * and a canceled subscription are refused within one.
 */
const lifetimeMs = 55_000;
const capacity = 10_000;

/**
 * OAuth is tried first and the restricted access token when that fails (OpenAPI, "Credentials"); a `method` narrows
 * this to one of the two.
 */
export function createAuthenticate(deps: {
  readonly organizations: OrganizationStore;
  readonly accessTokens: AccessTokens;
  readonly now: () => number;
}): Authenticate {
  const { organizations, accessTokens, now } = deps;

  const clients = expiringCache<Caller | undefined>({
    load: async (key) => {
      const [clientId = '', organizationId = ''] = key.split(' ');
      const found = await organizations.findClientWithOrganization(clientId, organizationId);
      if (found.client === undefined || found.client.revokedAt !== undefined) return undefined;
      if (found.organization === undefined || found.client.organizationId !== organizationId)
        return undefined;
      return { credentialId: clientId, organization: found.organization, ipAddresses: undefined };
    },
    lifetimeMs,
    capacity,
    now,
  });

  const tokens = expiringCache<Caller | undefined>({
    load: async (tokenHash) => {
      const token = await organizations.findToken(tokenHash);
      if (token === undefined || token.revokedAt !== undefined) return undefined;
      const organization = await organizations.findOrganization(token.organizationId);
      return organization && { credentialId: token.tokenId, organization, ipAddresses: token.ipAddresses };
    },
    lifetimeMs,
    capacity,
    now,
  });

  const byBearer = async (bearer: string | undefined): Promise<Caller | undefined> => {
    const claims = bearer === undefined ? undefined : await accessTokens.verify(bearer);
    return claims && clients.get(`${claims.clientId} ${claims.organizationId}`);
  };

  const byRestrictedToken = async (token: string | undefined): Promise<Caller | undefined> =>
    token === undefined ? undefined : tokens.get(hashSecret(token));

  return async ({ bearer, restrictedToken }, method) => {
    if (method === 'oauth') return byBearer(bearer);
    if (method === 'restricted access token') return byRestrictedToken(restrictedToken);
    return (await byBearer(bearer)) ?? byRestrictedToken(restrictedToken);
  };
}
