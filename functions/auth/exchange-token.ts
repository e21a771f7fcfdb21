import type { OperationWith } from '#domain/api-function.ts';
import { ApiError } from '#platform/contract/errors.ts';
import { expectedCategory, type Route } from '#platform/contract/route.ts';
import { type AccessTokens, tokenLifetimeMinutes } from '#platform/identity/access-tokens.ts';
import { hashSecret, secretMatches } from '#platform/identity/credentials.ts';
import type { ApiClient, OrganizationStore } from '#platform/identity/organizations.ts';
import type { authRoutes } from './routes.ts';

interface ExchangeDeps {
  readonly organizations: OrganizationStore;
  readonly accessTokens: AccessTokens;
}

type Routes = typeof authRoutes.routes;
type Exchange = Routes['exchangeToken'];

interface Credentials {
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
}

/** Compared with when there is no such client, so that an unknown clientId takes as long as a wrong secret. */
const noSecret = hashSecret('');

async function authenticate(
  { clientId = '', clientSecret = '' }: Credentials,
  deps: ExchangeDeps,
): Promise<ApiClient> {
  const client = await deps.organizations.findClient(clientId);
  const matches = secretMatches(clientSecret, client?.secretHash ?? noSecret);
  if (client === undefined || client.revokedAt !== undefined || !matches) {
    throw new ApiError('unauthorized', { message: 'The client id or secret is not valid.' });
  }
  return client;
}

async function issue({ clientId, organizationId }: ApiClient, { accessTokens }: ExchangeDeps) {
  const accessToken = await accessTokens.sign({ clientId, organizationId });
  return { accessToken, expiresIn: tokenLifetimeMinutes * 60 };
}

/**
 * Exchanges client credentials (OpenAPI, "Credentials").
 * @throws ApiError `unauthorized` for unknown or revoked clients and wrong secrets, without saying which.
 */
export const exchangeToken: OperationWith<Exchange, ExchangeDeps> = async ({ body }, deps) =>
  issue(await authenticate(body, deps), deps);

/**
 * Answers the same in the form of RFC 6749.
 * @throws ApiError `unauthorized`, also for a request without credentials.
 */
export const requestToken: OperationWith<Routes['requestToken'], ExchangeDeps> = async ({ body }, deps) => {
  const credentials = { clientId: body.client_id, clientSecret: body.client_secret };
  const { accessToken, expiresIn } = await issue(await authenticate(credentials, deps), deps);
  return { access_token: accessToken, token_type: 'Bearer', expires_in: expiresIn };
};

/**
 * Answers the same for v1, which only upstream organizations can use.
 * @throws ApiError `unauthorized`; `invalid_organization_category` once the secret has been verified.
 */
export const exchangeTokenV1: OperationWith<Exchange & Route, ExchangeDeps> = async ({ body }, deps) => {
  const client = await authenticate(body, deps);
  const expected = expectedCategory('upstream');
  if (client.category !== expected) {
    throw new ApiError('invalid_organization_category', {
      message: 'Only upstream organizations can use v1; exchange this credential at /v2/auth/jwt.',
      details: { expected, actual: client.category },
    });
  }
  return issue(client, deps);
};
