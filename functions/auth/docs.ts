import { KB } from '#platform/aws/limits.ts';
import { as, documented, type GroupDocs } from '#platform/contract/documented.ts';
import { oauthErrorBody, remappedChallenge } from '#platform/contract/responses.ts';
import { tokenLifetimeMinutes } from '#platform/identity/access-tokens.ts';
import {
  type authRoutes,
  categorizedConfirmation,
  clientId,
  clientSecret,
  confirmation,
  heartbeat,
  largestTokenRequest,
  message,
  oauthToken,
  oauthTokenRequest,
  token,
  tokenRequest,
} from './routes.ts';

const clientIdDocs = documented(clientId, {
  omits: ['pattern'],
  minLength: 1,
  maxLength: 100,
  description: 'Id of an API client, which an operator creates for the organization.',
  examples: ['client_6f0c1d2e3a4b5c6d7e8f9012'],
});

const clientSecretDocs = documented(clientSecret, {
  description: 'Secret of that client, which was shown once, when the client was created.',
  examples: ['secret_<the value shown when the client was created>'],
});

documented(tokenRequest, {
  id: 'TokenRequest',
  description: 'Client credentials.',
  fields: { clientId: clientIdDocs, clientSecret: clientSecretDocs },
});

documented(token, {
  id: 'Token',
  description: 'A new access token.',
  fields: {
    accessToken: [`JWT, valid for ${tokenLifetimeMinutes} minutes.`, 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl'],
    expiresIn: ['Seconds for which the token is valid.', tokenLifetimeMinutes * 60],
  },
});

documented(oauthTokenRequest, {
  id: 'OauthTokenRequest',
  description: 'A token request of RFC 6749. Parameters that are not listed here are ignored.',
  fields: {
    grant_type: 'The only grant of this API: client credentials.',
    client_id: as(clientIdDocs, 'Id of an API client; left out if it is sent as HTTP Basic.'),
    client_secret: as(clientSecretDocs, 'Secret of that client; left out if it is sent as HTTP Basic.'),
  },
  examples: [
    {
      grant_type: 'client_credentials',
      client_id: 'client_6f0c1d2e3a4b5c6d7e8f9012',
      client_secret: 'secret_<the value shown when the client was created>',
    },
  ],
});

documented(oauthToken, {
  id: 'OauthToken',
  description: 'A new access token, in the form of RFC 6749.',
  fields: {
    access_token: ['JWT, the same as that of `/v2/auth/jwt`.', 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl'],
    token_type: 'How to send it: `Authorization: Bearer <access_token>`.',
    expires_in: ['Seconds for which the token is valid.', tokenLifetimeMinutes * 60],
  },
});

documented(oauthErrorBody, {
  id: 'OauthError',
  description: 'An error of the token endpoint of RFC 6749.',
  fields: {
    error: {
      description: 'What is wrong, as a code of that standard.',
      values: {
        invalid_request:
          'The request is malformed: a parameter is missing or sent twice, or credentials are sent both as HTTP Basic and in the form.',
        unsupported_grant_type: 'The `grant_type` is not `client_credentials`.',
        invalid_client: 'The credentials are missing or not valid.',
        server_error: 'Something went wrong on our side. Please report the `x-request-id`.',
        temporarily_unavailable: 'The service is temporarily unavailable. Retry with backoff.',
      },
    },
    error_description: [
      'What is wrong, for people, in ASCII; it may change.',
      'The client id or secret is not valid.',
    ],
  },
});

export const messageDocs = documented(message, {
  description: 'Says that the credential is valid, for people.',
  examples: ['The credential is valid.'],
});

documented(confirmation, {
  id: 'CredentialConfirmation',
  description: 'A valid credential.',
  fields: { message: messageDocs },
});

documented(categorizedConfirmation, {
  id: 'CategorizedCredentialConfirmation',
  description: 'A valid credential and the category of its organization.',
  fields: {
    message: messageDocs,
    orgCategory: {
      description: 'Category of the credential’s organization.',
      values: {
        upstreamEntity: 'A carrier, MGA, or wholesaler: can call `/v1/*` and `/v2/upstream/*`.',
        downstreamEntity: 'An agency, brokerage, or branch: can call `/v2/downstream/*`.',
        enterpriseUpstreamEntity: 'Can only test its credentials.',
        enterpriseDownstreamEntity: 'Can only test its credentials.',
      },
    },
  },
});

documented(heartbeat, {
  id: 'Heartbeat',
  description: 'The service responds.',
  fields: { status: 'Always `ok`; an unavailable service responds with an error instead.' },
});

export const docs = {
  description: 'Exchanging and testing credentials.',
  routes: {
    exchangeToken: {
      summary: 'Exchange client credentials for an access token',
      description: `Organizations of every category can call this. Send the token as \`Authorization: Bearer <token>\`; it expires after ${tokenLifetimeMinutes} minutes. A body above ${largestTokenRequest / KB} KB gets 413.`,
    },
    exchangeTokenV1: {
      description: `Upstream organizations only: a downstream client with a valid secret gets a 403 that refers to \`/v2/auth/jwt\`. The token expires after ${tokenLifetimeMinutes} minutes.`,
    },
    requestToken: {
      summary: 'Exchange client credentials for an access token (OAuth 2.0)',
      description: `The same as \`/v2/auth/jwt\` in the form of RFC 6749 (section 4.4), for OAuth libraries: form parameters, with the credentials among them or as HTTP Basic, and errors in that standard’s shape. Requests are counted together with those to \`/v2/auth/jwt\`.

There are no scopes: a token has the rights of its organization, and a \`scope\` is ignored. The \`WWW-Authenticate\` of a 401 arrives as \`${remappedChallenge}\`, because the gateway renames it.`,
    },
    testOauth: {
      summary: 'Test a bearer token',
      description:
        'Succeeds if the bearer token is valid, and returns the category of its organization. Other credentials in the request are ignored.',
    },
    testOauthV1: {
      summary: 'Test a bearer token',
      description: 'Succeeds if the bearer token is valid and belongs to an upstream organization.',
    },
    testRestrictedAccessToken: {
      summary: 'Test a restricted access token',
      description:
        'Succeeds if the restricted access token is valid and the request comes from an allowlisted address.',
    },
    testRestrictedAccessTokenV1: {
      summary: 'Test a restricted access token',
      description:
        'Succeeds if the restricted access token is valid and belongs to an upstream organization, and the request comes from an allowlisted address.',
    },
    getHeartbeat: {
      summary: 'Check that the service responds',
      description: 'Does not read any data.',
    },
    getOpenApiDocument: {
      summary: 'Get the OpenAPI document',
      description: 'This API as an OpenAPI 3.1 document.',
    },
  },
} satisfies GroupDocs<typeof authRoutes.routes>;
