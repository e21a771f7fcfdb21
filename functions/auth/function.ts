import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { apiFunction } from '#function/api-function.ts';
import { derivedFile, taskFile } from '#platform/config/context.ts';
import { createSecretsClient } from '#platform/config/secret-text.ts';
import { ApiError } from '#platform/contract/errors.ts';
import { expectedCategory } from '#platform/contract/route.ts';
import {
  createAccessTokens,
  createSigningKeys,
  tokenLifetimeMinutes,
} from '#platform/identity/access-tokens.ts';
import {
  type ApiClient,
  createOrganizationStore,
  hashSecret,
  type OrganizationStore,
  secretMatches,
} from '#platform/identity/organizations.ts';
import type { ApiRequest, ServedDocument } from '#platform/request/endpoint.ts';
import { createRateLimiter } from '#platform/request/rate-limit.ts';
import { uses } from './uses.ts';

/** Members of the document that are read as they were built, without an environment. */
interface PublishedDocument {
  readonly info: { readonly contact: object };
}

/** The OpenAPI document, with the address of the request as its server and the environment's contact. */
export const createGetOpenApiDocument =
  (readDocument: () => Promise<PublishedDocument>, supportUrl: string) =>
  async ({ baseUrl }: Pick<ApiRequest, 'baseUrl'>): Promise<ServedDocument> => {
    const { info, ...document } = await readDocument();
    const servers = [{ url: baseUrl(), description: 'Where this document was asked for.' }];
    const contact = { ...info.contact, url: supportUrl };
    return { body: JSON.stringify({ ...document, info: { ...info, contact }, servers }) };
  };

interface Credentials {
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
}

/** Compared with when there is no such client, so that an unknown clientId takes as long as a wrong secret. */
const noSecret = hashSecret('');

async function authenticate(
  organizations: OrganizationStore,
  { clientId = '', clientSecret = '' }: Credentials,
): Promise<ApiClient> {
  const client = await organizations.findClient(clientId);
  const matches = secretMatches(clientSecret, client?.secretHash ?? noSecret);
  if (client === undefined || client.revokedAt !== undefined || !matches) {
    throw new ApiError('unauthorized', { message: 'The client id or secret is not valid.' });
  }
  return client;
}

const publishedDocument = z.looseObject({ info: z.looseObject({ contact: z.looseObject({}) }) });

/** Serves the routes of tokens and of the API's own document. */
export const authFunction = apiFunction({
  uses,
  resources: ({ values }) => ({
    secrets: createSecretsClient(),
    signingSecretArn: values.SIGNING_SECRET_ARN,
    /** Path of the file that holds the published document. */
    openApiDocument: taskFile(derivedFile('openapi', values.SANDBOX)),
    /** Address at which integrators get help. */
    supportUrl: values.SUPPORT_URL,
  }),
  operations: ({ tables, context, secrets, signingSecretArn, openApiDocument, supportUrl }) => {
    const now = () => context.now().getTime();
    const keys = createSigningKeys({
      client: secrets,
      secretArn: signingSecretArn,
      now,
      log: context.logger,
    });
    const organizations = createOrganizationStore(tables.organizations);
    const accessTokens = createAccessTokens({ keys, environment: context.environment, now });
    const issue = async ({ clientId, organizationId }: ApiClient) => ({
      accessToken: await accessTokens.sign({ clientId, organizationId }),
      expiresIn: tokenLifetimeMinutes * 60,
    });
    // By the time a test endpoint's operation runs, the authorizer has accepted the credential that the route demands.
    const message = 'The credential is valid.';
    return {
      /**
       * Exchanges client credentials (OpenAPI, "Credentials").
       * @throws ApiError `unauthorized` for unknown or revoked clients and wrong secrets, without saying which.
       */
      async exchangeToken({ body }) {
        return issue(await authenticate(organizations, body));
      },

      /**
       * Answers the same in the form of RFC 6749.
       * @throws ApiError `unauthorized`, also for a request without credentials.
       */
      async requestToken({ body }) {
        const credentials = { clientId: body.client_id, clientSecret: body.client_secret };
        const { accessToken, expiresIn } = await issue(await authenticate(organizations, credentials));
        return { access_token: accessToken, token_type: 'Bearer' as const, expires_in: expiresIn };
      },

      /**
       * Answers the same for v1, which only upstream organizations can use.
       * @throws ApiError `unauthorized`; `invalid_organization_category` once the secret has been verified.
       */
      async exchangeTokenV1({ body }) {
        const client = await authenticate(organizations, body);
        const expected = expectedCategory('upstream');
        if (client.category !== expected) {
          throw new ApiError('invalid_organization_category', {
            message: 'Only upstream organizations can use v1; exchange this credential at /v2/auth/jwt.',
            details: { expected, actual: client.category },
          });
        }
        return issue(client);
      },

      /** Confirms and names the category (OpenAPI, "Credentials"). */
      testOauth: ({ identity }) => ({ message, orgCategory: identity.category }),
      testOauthV1: () => ({ message }),
      testRestrictedAccessToken: () => ({ message }),
      getHeartbeat: () => ({ status: 'ok' as const }),
      getOpenApiDocument: createGetOpenApiDocument(
        async () => z.parse(publishedDocument, JSON.parse(await readFile(openApiDocument, 'utf8'))),
        supportUrl,
      ),
    };
  },
  services: (dynamo, names) => ({ rateLimiter: createRateLimiter(dynamo, names.rateCounters) }),
});
