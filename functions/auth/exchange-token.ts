import { ApiError } from '../../shared/platform/contract/errors.ts';
import { expectedCategory, type Route } from '../../shared/platform/contract/route.ts';
import type { AccessTokens } from '../../shared/platform/identity/access-token.ts';
import { hashSecret, secretMatches } from '../../shared/platform/identity/credentials.ts';
import type { ApiClient } from '../../shared/platform/identity/organization.ts';
import type { OrganizationStore } from '../../shared/platform/identity/organization-store.ts';
import type { ApiRequest, Operation } from '../../shared/platform/request/operation.ts';
import type { authRoutes } from './routes.ts';

export interface ExchangeDeps {
  readonly organizations: OrganizationStore;
  readonly accessTokens: AccessTokens;
}

type Exchange = typeof authRoutes.routes.exchangeToken;

/** Compared with when there is no such client, so that an unknown clientId takes as long as a wrong secret. */
const noSecret = hashSecret('');

async function authenticate(
  { body }: Pick<ApiRequest<Exchange>, 'body'>,
  deps: ExchangeDeps,
): Promise<ApiClient> {
  const client = await deps.organizations.findClient(body.clientId);
  const matches = secretMatches(body.clientSecret, client?.secretHash ?? noSecret);
  if (client === undefined || client.revokedAt !== undefined || !matches) {
    throw new ApiError('unauthorized', { message: 'The clientId or clientSecret is not valid.' });
  }
  return client;
}

const issue = async (client: ApiClient, { accessTokens }: ExchangeDeps) => ({
  accessToken: await accessTokens.sign({ clientId: client.clientId, organizationId: client.organizationId }),
});

/**
 * Exchanges client credentials (OpenAPI, "Credentials").
 * @throws ApiError `unauthorized` for unknown or revoked clients and wrong secrets, without saying which.
 */
export const exchangeToken: Operation<Exchange, ExchangeDeps> = async (request, deps) =>
  issue(await authenticate(request, deps), deps);

/**
 * The same for v1, which only upstream organizations can use.
 * @throws ApiError `unauthorized`; `invalid_organization_category` once the secret has been verified.
 */
export const exchangeTokenV1: Operation<Exchange & Route, ExchangeDeps> = async (request, deps) => {
  const client = await authenticate(request, deps);
  const expected = expectedCategory('upstream');
  if (client.category !== expected) {
    throw new ApiError('invalid_organization_category', {
      message: 'Only upstream organizations can use v1; exchange this credential at /v2/auth/jwt.',
      details: { expected, actual: client.category },
    });
  }
  return issue(client, deps);
};
