import * as z from 'zod/mini';
import { organizationCategories } from '../../shared/contract/access.ts';
import { type Route, routeGroup } from '../../shared/contract/route.ts';
import { tokenLifetimeMinutes } from '../../shared/identity/token-lifetime.ts';

const exchangeToken = {
  method: 'POST',
  path: '/v2/auth/jwt',
  access: 'public',
  rate: 'token',
  summary: 'Exchange client credentials for an access token',
  description: `Serves organizations of every category. Send the token as \`Authorization: Bearer <token>\`; it expires after ${tokenLifetimeMinutes} minutes.`,
  body: z
    .strictObject({
      clientId: z
        .string()
        .check(z.minLength(1), z.maxLength(100), z.meta({ examples: ['client_6f0c1d2e3a4b5c6d7e8f9012'] })),
      clientSecret: z
        .string()
        .check(
          z.minLength(1),
          z.maxLength(200),
          z.meta({ examples: ['secret_<the value shown when the client was created>'] }),
        ),
    })
    .check(z.meta({ id: 'TokenRequest' })),
  answer: {
    status: 201,
    one: z
      .object({
        accessToken: z.string().check(
          z.meta({
            description: `JWT, valid for ${tokenLifetimeMinutes} minutes.`,
            examples: ['eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl'],
          }),
        ),
      })
      .check(z.meta({ id: 'Token' })),
  },
  errors: ['unauthorized'],
} as const satisfies Route;

const message = z.string().check(z.meta({ examples: ['The credential is valid.'] }));
const confirmation = z.object({ message }).check(z.meta({ id: 'CredentialConfirmation' }));

const testAnswer = { status: 200, one: confirmation } as const;

export const authRoutes = routeGroup('auth', 'Exchanging and testing credentials.', {
  exchangeToken,
  exchangeTokenV1: {
    ...exchangeToken,
    path: '/v1/auth/jwt',
    description: `Upstream clients only: a downstream client with the right secret gets 403, which points to \`/v2/auth/jwt\`. The token expires after ${tokenLifetimeMinutes} minutes.`,
    errors: ['unauthorized', 'invalid_organization_category'],
  },
  testOauth: {
    method: 'GET',
    path: '/v2/auth/test-oauth',
    access: { kind: 'any', feature: null, credential: 'oauth' },
    rate: 'none',
    summary: 'Test a bearer token',
    description:
      'Succeeds when the bearer token is valid, whatever else is sent, and returns the category of its organization.',
    answer: {
      status: 200,
      one: z
        .object({ message, orgCategory: z.enum(organizationCategories) })
        .check(z.meta({ id: 'CategorizedCredentialConfirmation' })),
    },
    errors: [],
  },
  testOauthV1: {
    method: 'GET',
    path: '/v1/auth/test-oauth',
    access: { kind: 'upstream', feature: null, credential: 'oauth' },
    rate: 'none',
    summary: 'Test a bearer token',
    description: 'Succeeds when the bearer token is valid and belongs to an upstream organization.',
    answer: testAnswer,
    errors: [],
  },
  testRestrictedAccessToken: {
    method: 'GET',
    path: '/v2/auth/test-restricted-access-token',
    access: { kind: 'any', feature: null, credential: 'restricted access token' },
    rate: 'none',
    summary: 'Test a restricted access token',
    description:
      'Succeeds when the restricted access token is valid and the caller has an allowlisted address.',
    answer: testAnswer,
    errors: [],
  },
  testRestrictedAccessTokenV1: {
    method: 'GET',
    path: '/v1/auth/test-restricted-access-token',
    access: { kind: 'upstream', feature: null, credential: 'restricted access token' },
    rate: 'none',
    summary: 'Test a restricted access token',
    description:
      'Succeeds when the restricted access token is valid, belongs to an upstream organization, and the caller has an allowlisted address.',
    answer: testAnswer,
    errors: [],
  },
  getHeartbeat: {
    method: 'GET',
    path: '/v2/heartbeat',
    access: 'public',
    rate: 'none',
    summary: 'Check that the service responds',
    description: 'Reads no data.',
    answer: {
      status: 200,
      one: z.object({ status: z.literal('ok') }).check(z.meta({ id: 'Heartbeat' })),
    },
    errors: [],
  },
  getOpenApiDocument: {
    method: 'GET',
    path: '/v2/openapi.json',
    access: 'public',
    rate: 'none',
    summary: 'Get the OpenAPI document',
    description: 'This API as an OpenAPI 3.1 document.',
    answer: { status: 200, document: 'application/json' },
    errors: [],
  },
});
