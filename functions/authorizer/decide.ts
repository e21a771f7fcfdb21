import type { OrganizationCategory } from '../../shared/contract/access.ts';
import { type ErrorType, errorRegistry } from '../../shared/contract/errors.ts';
import { expectedCategory } from '../../shared/contract/route.ts';
import type { AccessMap } from '../../shared/identity/access-map.ts';
import type { Identity } from '../../shared/identity/identity.ts';
import type { Authenticate, Caller, PresentedCredentials } from './authenticate.ts';

/** The parts of a request that decide who may make it. */
export interface AccessRequest extends PresentedCredentials {
  /** Method and path template, a key of the access map. */
  readonly route: string;
  readonly sourceIp: string;
}

/**
 * The decision on a request. Without an identity it is passed to the function, which responds with 401: a response of the
 * gateway itself could not have the full error shape.
 */
export type Decision =
  | { readonly admitted: true; readonly identity: Identity | undefined }
  | { readonly admitted: false; readonly credentialId: string; readonly refusal: Refusal };

/** A 403 as the gateway prints it; none of the strings holds a quote. */
export interface Refusal {
  readonly errorType: ErrorType;
  readonly errorMessage: string;
  readonly expected: string;
  readonly actual: string;
}

/**
 * Checks the credential, the address of a restricted access token, the kind of organization, and the entitlement, in the
 * order that is documented (OpenAPI, "Credentials").
 *
 * @throws Error for a route that the access map does not know; what `authenticate` throws.
 */
export async function decide(
  request: AccessRequest,
  deps: { readonly accessMap: AccessMap; readonly authenticate: Authenticate },
): Promise<Decision> {
  const access = deps.accessMap[request.route];
  if (access === undefined) throw new Error(`The access map lacks ${request.route}.`);

  const caller = await deps.authenticate(request, access.credential);
  if (caller === undefined) return { admitted: true, identity: undefined };

  const { organization, credentialId } = caller;
  const { category, organizationId } = organization;
  const refuse = (errorType: ErrorType, expected: string, actual: string): Decision => ({
    admitted: false,
    credentialId,
    refusal: { errorType, errorMessage: errorRegistry[errorType].sentence, expected, actual },
  });

  if (!mayCallFrom(caller, request.sourceIp))
    return refuse('forbidden', 'an allowlisted address', request.sourceIp);

  if (access.kind !== 'any') {
    const expected: OrganizationCategory = expectedCategory(access.kind);
    if (category !== expected) return refuse('invalid_organization_category', expected, category);
  }

  const needed = ['public_api', access.feature].filter((feature) => feature !== null);
  const missing = needed.find(
    (feature) =>
      organization.subscription !== 'active' || !organization.features.some((has) => has === feature),
  );
  if (missing !== undefined) return refuse('product_feature_subscription_required', missing, 'none');

  return { admitted: true, identity: { organizationId, category, credentialId } };
}

/** Exact match, no ranges (OpenAPI, "Credentials"); only the v4-mapped spelling is resolved. */
function mayCallFrom({ ipAddresses }: Caller, sourceIp: string): boolean {
  return ipAddresses === undefined || ipAddresses.includes(sourceIp.replace(/^::ffff:(?=\d+\.)/i, ''));
}
