import { documented, type GroupDocs } from '../../shared/platform/contract/documented.ts';
import { tokenLifetimeMinutes } from '../../shared/platform/identity/token-lifetime.ts';
import {
  type authRoutes,
  categorizedConfirmation,
  confirmation,
  heartbeat,
  message,
  token,
  tokenRequest,
} from './routes.ts';

documented(tokenRequest, {
  id: 'TokenRequest',
  description: 'Client credentials.',
  fields: {
    clientId: {
      omits: ['pattern'],
      minLength: 1,
      maxLength: 100,
      description: 'Id of an API client, which an operator creates for the organization.',
      examples: ['client_6f0c1d2e3a4b5c6d7e8f9012'],
    },
    clientSecret: {
      description: 'Secret of that client, which was shown once, when the client was created.',
      examples: ['secret_<the value shown when the client was created>'],
    },
  },
});

documented(token, {
  id: 'Token',
  description: 'A new access token.',
  fields: {
    accessToken: {
      description: `JWT, valid for ${tokenLifetimeMinutes} minutes.`,
      examples: ['eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl'],
    },
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
      description: `Organizations of every category can call this. Send the token as \`Authorization: Bearer <token>\`; it expires after ${tokenLifetimeMinutes} minutes. A body above 4 KB gets 413.`,
      success: 'The credentials are valid; the access token can be used immediately.',
    },
    exchangeTokenV1: {
      description: `Upstream organizations only: a downstream client with a valid secret gets a 403 that refers to \`/v2/auth/jwt\`. The token expires after ${tokenLifetimeMinutes} minutes.`,
    },
    testOauth: {
      summary: 'Test a bearer token',
      description:
        'Succeeds if the bearer token is valid, and returns the category of its organization. Other credentials in the request are ignored.',
      success: 'The bearer token is valid; `orgCategory` is the category of its organization.',
    },
    testOauthV1: {
      summary: 'Test a bearer token',
      description: 'Succeeds if the bearer token is valid and belongs to an upstream organization.',
      success: 'The bearer token is valid and belongs to an upstream organization.',
    },
    testRestrictedAccessToken: {
      summary: 'Test a restricted access token',
      description:
        'Succeeds if the restricted access token is valid and the request comes from an allowlisted address.',
      success: 'The restricted access token is valid and may be used from this address.',
    },
    testRestrictedAccessTokenV1: {
      summary: 'Test a restricted access token',
      description:
        'Succeeds if the restricted access token is valid and belongs to an upstream organization, and the request comes from an allowlisted address.',
      success:
        'The restricted access token is valid, belongs to an upstream organization, and may be used from this address.',
    },
    getHeartbeat: {
      summary: 'Check that the service responds',
      description: 'Does not read any data.',
      success: 'The service accepts requests.',
    },
    getOpenApiDocument: {
      summary: 'Get the OpenAPI document',
      description: 'This API as an OpenAPI 3.1 document.',
      success: 'The OpenAPI document.',
    },
  },
} satisfies GroupDocs<typeof authRoutes.routes>;
