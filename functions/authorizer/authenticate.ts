// Who makes a request, and whether they may.
import * as z from 'zod/mini';
import {
  type AccessRefusal,
  type CredentialMethod,
  expectedCategory,
  features,
  type Identity,
} from '#platform/contract/route.ts';
import { expiringCache } from '#platform/data/caches.ts';
import type { AccessTokens } from '#platform/identity/access-tokens.ts';
import {
  canonicalAddress,
  hashSecret,
  type Organization,
  type OrganizationStore,
} from '#platform/identity/organizations.ts';

/** A caller whose credential is valid; a restricted access token also has the addresses from which it may be used. */
interface Caller {
  readonly credentialId: string;
  readonly organization: Organization;
  /** Exact addresses; undefined where the credential is not bound to any. */
  readonly ipAddresses: readonly string[] | undefined;
}

/** The two credential headers of a request. */
interface PresentedCredentials {
  readonly bearer: string | undefined;
  readonly restrictedToken: string | undefined;
}

/** Finds the caller behind a request's credentials; undefined when none of them is valid. */
type Authenticate = (
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

  const cacheOf = <Value>(load: (key: string) => Promise<Value>) =>
    expiringCache({ load, lifetimeMs, capacity, now });
  // By organization, so that all credentials of one agree on what it may do.
  const entitlements = cacheOf(organizations.findOrganization);
  const clients = cacheOf(organizations.findClient);
  const tokens = cacheOf(organizations.findToken);

  const byBearer = async (bearer: string | undefined): Promise<Caller | undefined> => {
    const claims = bearer === undefined ? undefined : await accessTokens.verify(bearer);
    if (claims === undefined) return undefined;
    // The token names both, so neither read waits for the other.
    const [client, organization] = await Promise.all([
      clients.get(claims.clientId),
      entitlements.get(claims.organizationId),
    ]);
    if (client === undefined || client.revokedAt !== undefined || organization === undefined)
      return undefined;
    if (client.organizationId !== claims.organizationId) return undefined;
    return { credentialId: claims.clientId, organization, ipAddresses: undefined };
  };

  const byRestrictedToken = async (secret: string | undefined): Promise<Caller | undefined> => {
    const token = secret === undefined ? undefined : await tokens.get(hashSecret(secret));
    if (token === undefined || token.revokedAt !== undefined) return undefined;
    const organization = await entitlements.get(token.organizationId);
    return organization && { credentialId: token.tokenId, organization, ipAddresses: token.ipAddresses };
  };

  return async ({ bearer, restrictedToken }, method) => {
    if (method === 'oauth') return byBearer(bearer);
    if (method === 'restricted access token') return byRestrictedToken(restrictedToken);
    return (await byBearer(bearer)) ?? byRestrictedToken(restrictedToken);
  };
}

/** The parts of a request that decide who may make it. */
export interface AccessRequest extends PresentedCredentials {
  /** Method and path template, a key of the access map. */
  readonly route: string;
  readonly sourceIp: string;
}

/** The decision on a request: who makes it, why its caller may not make it (403), or that it has no valid credential (401). */
export type Decision =
  | { readonly identity: Identity }
  | { readonly refusal: AccessRefusal }
  | 'unauthenticated';

/**
 * Checks the credential, the address of a restricted access token, the kind of organization, and the entitlement, in the
 * order that is documented (OpenAPI, "Credentials").
 *
 * @throws Error for a route that the access map does not know; what `authenticate` throws.
 */
export async function decide(
  request: AccessRequest,
  deps: {
    readonly accessMap: AccessMap;
    readonly authenticate: Authenticate;
  },
): Promise<Decision> {
  const access = deps.accessMap[request.route];
  if (access === undefined) throw new Error(`The access map lacks ${request.route}.`);

  const caller = await deps.authenticate(request, access.credential);
  if (caller === undefined) return 'unauthenticated';

  const { organization, credentialId } = caller;
  const { category, organizationId } = organization;
  const refuse = (errorType: AccessRefusal['errorType'], expected: string, actual: string): Decision => ({
    refusal: { errorType, expected, actual, organizationId, credentialId },
  });

  if (!mayCallFrom(caller, request.sourceIp))
    return refuse('forbidden', 'an allowlisted address', request.sourceIp);

  if (access.kind !== 'any') {
    const expected = expectedCategory(access.kind);
    if (category !== expected) return refuse('invalid_organization_category', expected, category);
  }

  const neededFeatures = ['public_api', access.feature].filter((feature) => feature !== null);
  const missingFeature = neededFeatures.find(
    (feature) =>
      organization.subscription !== 'active' ||
      !organization.features.some((subscribed) => subscribed === feature),
  );
  if (missingFeature !== undefined)
    return refuse('product_feature_subscription_required', missingFeature, 'none');

  return { identity: { organizationId, category, credentialId } };
}

/** Exact match, no ranges (OpenAPI, "Credentials"), however the gateway spells the address. */
function mayCallFrom({ ipAddresses }: Caller, sourceIp: string): boolean {
  return ipAddresses === undefined || ipAddresses.includes(canonicalAddress(sourceIp));
}

/**
 * Callers of each route that needs a credential, by method and path (`GET /v2/upstream/policies`). The build derives it
 * from the route tables and puts it next to the authorizer's bundle, which therefore contains no routes and no schemas.
 */
export const accessMap = z.record(
  z.string(),
  z.object({
    kind: z.enum(['upstream', 'downstream', 'any']),
    feature: z.nullable(z.enum(features)),
    credential: z.optional(z.enum(['oauth', 'restricted access token'])),
  }),
);

export type AccessMap = z.output<typeof accessMap>;
