import type { CredentialMethod } from '../../shared/platform/contract/route.ts';
import { expiringCache } from '../../shared/platform/data/expiring-cache.ts';
import type { AccessTokens } from '../../shared/platform/identity/access-token.ts';
import { hashSecret } from '../../shared/platform/identity/credentials.ts';
import type { Organization } from '../../shared/platform/identity/organization.ts';
import type { OrganizationStore } from '../../shared/platform/identity/organization-store.ts';

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

  const cached = <Value>(load: (key: string) => Promise<Value>) =>
    expiringCache({ load, lifetimeMs, capacity, now });
  // By organization, so that all credentials of one agree on what it may do.
  const entitled = cached(organizations.findOrganization);
  const clients = cached(organizations.findClient);
  const tokens = cached(organizations.findToken);

  const byBearer = async (bearer: string | undefined): Promise<Caller | undefined> => {
    const claims = bearer === undefined ? undefined : await accessTokens.verify(bearer);
    if (claims === undefined) return undefined;
    // The token names both, so neither read waits for the other.
    const [client, organization] = await Promise.all([
      clients.get(claims.clientId),
      entitled.get(claims.organizationId),
    ]);
    if (client === undefined || client.revokedAt !== undefined || organization === undefined)
      return undefined;
    if (client.organizationId !== claims.organizationId) return undefined;
    return { credentialId: claims.clientId, organization, ipAddresses: undefined };
  };

  const byRestrictedToken = async (secret: string | undefined): Promise<Caller | undefined> => {
    const token = secret === undefined ? undefined : await tokens.get(hashSecret(secret));
    if (token === undefined || token.revokedAt !== undefined) return undefined;
    const organization = await entitled.get(token.organizationId);
    return organization && { credentialId: token.tokenId, organization, ipAddresses: token.ipAddresses };
  };

  return async ({ bearer, restrictedToken }, method) => {
    if (method === 'oauth') return byBearer(bearer);
    if (method === 'restricted access token') return byRestrictedToken(restrictedToken);
    return (await byBearer(bearer)) ?? byRestrictedToken(restrictedToken);
  };
}
