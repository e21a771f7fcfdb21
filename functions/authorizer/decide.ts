import { missingCategory } from '../../shared/platform/contract/route.ts';
import type { AccessMap } from '../../shared/platform/identity/access-map.ts';
import type { RecordUse } from '../../shared/platform/identity/credential-uses.ts';
import { canonicalAddress } from '../../shared/platform/identity/credentials.ts';
import type { AccessRefusal, Identity } from '../../shared/platform/identity/identity.ts';
import type { Authenticate, Caller, PresentedCredentials } from './authenticate.ts';

/** The parts of a request that decide who may make it. */
export interface AccessRequest extends PresentedCredentials {
  /** Method and path template, a key of the access map. */
  readonly route: string;
  readonly sourceIp: string;
}

/** The decision on a request: who makes it, why its caller may not make it (403), or that it has no valid credential (401). */
export type Decision =
  | { readonly identity: Identity }
  | { readonly refusal: AccessRefusal & Pick<Identity, 'organizationId'> }
  | 'unauthenticated';

/**
 * Checks the credential, the address of a restricted access token, the kind of organization, and the entitlement, in the
 * order that is documented (OpenAPI, "Credentials"). A restricted access token that may be used is recorded as used; an API client is
 * when its secret is exchanged.
 *
 * @throws Error for a route that the access map does not know; what `authenticate` throws.
 */
export async function decide(
  request: AccessRequest,
  deps: {
    readonly accessMap: AccessMap;
    readonly authenticate: Authenticate;
    readonly recordUse: RecordUse;
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

  const expected = missingCategory(access.kind, category);
  if (expected !== undefined) return refuse('invalid_organization_category', expected, category);

  const needed = ['public_api', access.feature].filter((feature) => feature !== null);
  const missing = needed.find(
    (feature) =>
      organization.subscription !== 'active' || !organization.features.some((has) => has === feature),
  );
  if (missing !== undefined) return refuse('product_feature_subscription_required', missing, 'none');

  if (caller.ipAddresses !== undefined) await deps.recordUse(credentialId);
  return { identity: { organizationId, category, credentialId } };
}

/** Exact match, no ranges (OpenAPI, "Credentials"), however the gateway spells the address. */
function mayCallFrom({ ipAddresses }: Caller, sourceIp: string): boolean {
  return ipAddresses === undefined || ipAddresses.includes(canonicalAddress(sourceIp));
}
