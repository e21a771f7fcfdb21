import * as z from 'zod/mini';
import { KB } from '../../shared/aws/limits.ts';
import { organizationCategories } from '../../shared/contract/access.ts';
import { described } from '../../shared/contract/described.ts';
import { type Route, routeGroup } from '../../shared/contract/route.ts';
import { tokenLifetimeMinutes } from '../../shared/identity/token-lifetime.ts';

const exchangeToken = {
  method: 'POST',
  path: '/v2/auth/jwt',
  access: 'public',
  rate: 'token',
  countedBy: 'clientId',
  largestBody: 4 * KB,
  summary: DOCUMENTED && 'Exchange client credentials for an access token',
  description:
    DOCUMENTED &&
    `Organizations of every category can call this. Send the token as \`Authorization: Bearer <token>\`; it expires after ${tokenLifetimeMinutes} minutes. A body above 4 KB gets 413.`,
  body: described(
    z.strictObject({
      clientId: described(
        z.string().check(z.regex(/^[ -~]{1,100}$/, 'must be 1 to 100 ASCII characters')),
        DOCUMENTED && {
          pattern: undefined,
          minLength: 1,
          maxLength: 100,
          examples: ['client_6f0c1d2e3a4b5c6d7e8f9012'],
        },
      ),
      clientSecret: described(
        z.string().check(z.minLength(1), z.maxLength(200)),
        DOCUMENTED && { examples: ['secret_<the value shown when the client was created>'] },
      ),
    }),
    DOCUMENTED && { id: 'TokenRequest' },
  ),
  answer: {
    status: 201,
    one: described(
      z.object({
        accessToken: described(
          z.string(),
          DOCUMENTED && {
            description: `JWT, valid for ${tokenLifetimeMinutes} minutes.`,
            examples: ['eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl'],
          },
        ),
      }),
      DOCUMENTED && { id: 'Token' },
    ),
  },
  errors: ['unauthorized'],
} as const satisfies Route;

const message = described(z.string(), DOCUMENTED && { examples: ['The credential is valid.'] });
const confirmation = described(z.object({ message }), DOCUMENTED && { id: 'CredentialConfirmation' });

const testAnswer = { status: 200, one: confirmation } as const;

export const authRoutes = routeGroup('auth', DOCUMENTED && 'Exchanging and testing credentials.', {
  exchangeToken,
  exchangeTokenV1: {
    ...exchangeToken,
    path: '/v1/auth/jwt',
    description:
      DOCUMENTED &&
      `Upstream organizations only: a downstream client with a valid secret gets a 403 that refers to \`/v2/auth/jwt\`. The token expires after ${tokenLifetimeMinutes} minutes.`,
    errors: ['unauthorized', 'invalid_organization_category'],
  },
  testOauth: {
    method: 'GET',
    path: '/v2/auth/test-oauth',
    access: { kind: 'any', feature: null, credential: 'oauth' },
    rate: 'none',
    summary: DOCUMENTED && 'Test a bearer token',
    description:
      DOCUMENTED &&
      'Succeeds if the bearer token is valid, and returns the category of its organization. Other credentials in the request are ignored.',
    answer: {
      status: 200,
      one: described(
        z.object({ message, orgCategory: z.enum(organizationCategories) }),
        DOCUMENTED && { id: 'CategorizedCredentialConfirmation' },
      ),
    },
    errors: [],
  },
  testOauthV1: {
    method: 'GET',
    path: '/v1/auth/test-oauth',
    access: { kind: 'upstream', feature: null, credential: 'oauth' },
    rate: 'none',
    summary: DOCUMENTED && 'Test a bearer token',
    description:
      DOCUMENTED && 'Succeeds if the bearer token is valid and belongs to an upstream organization.',
    answer: testAnswer,
    errors: [],
  },
  testRestrictedAccessToken: {
    method: 'GET',
    path: '/v2/auth/test-restricted-access-token',
    access: { kind: 'any', feature: null, credential: 'restricted access token' },
    rate: 'none',
    summary: DOCUMENTED && 'Test a restricted access token',
    description:
      DOCUMENTED &&
      'Succeeds if the restricted access token is valid and the request comes from an allowlisted address.',
    answer: testAnswer,
    errors: [],
  },
  testRestrictedAccessTokenV1: {
    method: 'GET',
    path: '/v1/auth/test-restricted-access-token',
    access: { kind: 'upstream', feature: null, credential: 'restricted access token' },
    rate: 'none',
    summary: DOCUMENTED && 'Test a restricted access token',
    description:
      DOCUMENTED &&
      'Succeeds if the restricted access token is valid and belongs to an upstream organization, and the request comes from an allowlisted address.',
    answer: testAnswer,
    errors: [],
  },
  getHeartbeat: {
    method: 'GET',
    path: '/v2/heartbeat',
    access: 'public',
    rate: 'none',
    summary: DOCUMENTED && 'Check that the service responds',
    description: DOCUMENTED && 'Does not read any data.',
    answer: {
      status: 200,
      one: described(z.object({ status: z.literal('ok') }), DOCUMENTED && { id: 'Heartbeat' }),
    },
    errors: [],
  },
  getOpenApiDocument: {
    method: 'GET',
    path: '/v2/openapi.json',
    access: 'public',
    rate: 'none',
    summary: DOCUMENTED && 'Get the OpenAPI document',
    description: DOCUMENTED && 'This API as an OpenAPI 3.1 document.',
    answer: { status: 200, document: 'application/json' },
    errors: [],
  },
});
