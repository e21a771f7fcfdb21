import { ApiError } from '#platform/contract/errors.ts';
import { expectedCategory } from '#platform/contract/route.ts';
import { type AccessTokens, tokenLifetimeMinutes } from '#platform/identity/access-tokens.ts';
import { hashSecret, secretMatches } from '#platform/identity/credentials.ts';
import type { ApiClient, OrganizationStore } from '#platform/identity/organizations.ts';
import { operationsOf } from '#platform/request/endpoint.ts';
import { authRoutes } from './routes.ts';

interface ExchangeSources {
  readonly organizations: OrganizationStore;
  readonly accessTokens: AccessTokens;
}

interface Credentials {
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
}

/** Compared with when there is no such client, so that an unknown clientId takes as long as a wrong secret. */
const noSecret = hashSecret('');

async function authenticate(
  { clientId = '', clientSecret = '' }: Credentials,
  sources: ExchangeSources,
): Promise<ApiClient> {
  const client = await sources.organizations.findClient(clientId);
  const matches = secretMatches(clientSecret, client?.secretHash ?? noSecret);
  if (client === undefined || client.revokedAt !== undefined || !matches) {
    throw new ApiError('unauthorized', { message: 'The client id or secret is not valid.' });
  }
  return client;
}

async function issue({ clientId, organizationId }: ApiClient, { accessTokens }: ExchangeSources) {
  const accessToken = await accessTokens.sign({ clientId, organizationId });
  return { accessToken, expiresIn: tokenLifetimeMinutes * 60 };
}

/** Exchanges of credentials for tokens. */
export const tokenOperations = operationsOf(authRoutes, (sources: ExchangeSources) => ({
  /**
   * Exchanges client credentials (OpenAPI, "Credentials").
   * @throws ApiError `unauthorized` for unknown or revoked clients and wrong secrets, without saying which.
   */
  async exchangeToken({ body }) {
    return issue(await authenticate(body, sources), sources);
  },

  /**
   * Answers the same in the form of RFC 6749.
   * @throws ApiError `unauthorized`, also for a request without credentials.
   */
  async requestToken({ body }) {
    const credentials = { clientId: body.client_id, clientSecret: body.client_secret };
    const { accessToken, expiresIn } = await issue(await authenticate(credentials, sources), sources);
    return { access_token: accessToken, token_type: 'Bearer' as const, expires_in: expiresIn };
  },

  /**
   * Answers the same for v1, which only upstream organizations can use.
   * @throws ApiError `unauthorized`; `invalid_organization_category` once the secret has been verified.
   */
  async exchangeTokenV1({ body }) {
    const client = await authenticate(body, sources);
    const expected = expectedCategory('upstream');
    if (client.category !== expected) {
      throw new ApiError('invalid_organization_category', {
        message: 'Only upstream organizations can use v1; exchange this credential at /v2/auth/jwt.',
        details: { expected, actual: client.category },
      });
    }
    return issue(client, sources);
  },
}));
