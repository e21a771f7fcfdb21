import * as z from 'zod/mini';
import { KB } from '#platform/aws/limits.ts';
import { textUpTo } from '#platform/contract/primitives.ts';
import { clientCredentialsGrant } from '#platform/contract/responses.ts';
import { getOne, organizationCategories, type Route, routeGroup, v1 } from '#platform/contract/route.ts';
import { sinceV2 } from '#platform/contract/v1.ts';

export const clientId = z.string().check(z.regex(/^[ -~]{1,100}$/, 'must be 1 to 100 ASCII characters'));
export const clientSecret = textUpTo(200);

export const tokenRequest = z.strictObject({ clientId, clientSecret });

export const token = z.object({ accessToken: z.string(), expiresIn: sinceV2(z.int()) });

/** Unknown parameters are ignored (RFC 6749, section 3.2). */
export const oauthTokenRequest = z.object({
  grant_type: z.literal(clientCredentialsGrant),
  client_id: z.optional(clientId),
  client_secret: z.optional(clientSecret),
});

export const oauthToken = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
});

/** Bytes of the largest request for a token. */
export const largestTokenRequest = 4 * KB;

const exchangeToken = {
  method: 'POST',
  path: '/v2/auth/jwt',
  access: 'public',
  rate: 'token',
  countedBy: 'clientId',
  largestBody: largestTokenRequest,
  body: tokenRequest,
  answer: { status: 201, one: token },
  errors: ['unauthorized'],
} as const satisfies Route;

export const message = z.string();
export const confirmation = z.object({ message });

export const categorizedConfirmation = z.object({
  message,
  orgCategory: z.enum(organizationCategories),
});

export const heartbeat = z.object({ status: z.literal('ok') });

const testOauth = getOne(
  '/v2/auth/test-oauth',
  { kind: 'any', feature: null, credential: 'oauth' },
  categorizedConfirmation,
);

const testRestrictedAccessToken = getOne(
  '/v2/auth/test-restricted-access-token',
  { kind: 'any', feature: null, credential: 'restricted access token' },
  confirmation,
);

export const authRoutes = routeGroup('auth', {
  exchangeToken,
  exchangeTokenV1: v1(exchangeToken, {
    errors: ['unauthorized', 'invalid_organization_category'],
  }),
  requestToken: {
    method: 'POST',
    path: '/v2/oauth/token',
    access: 'public',
    standard: 'RFC 6749',
    rate: 'token',
    countedBy: 'client_id',
    largestBody: largestTokenRequest,
    body: oauthTokenRequest,
    answer: { status: 200, bare: oauthToken },
    errors: ['unauthorized'],
  },
  testOauth,
  testOauthV1: v1(testOauth, {
    access: { kind: 'upstream', feature: null, credential: 'oauth' },
    answer: { status: 200, one: confirmation },
  }),
  testRestrictedAccessToken,
  testRestrictedAccessTokenV1: v1(testRestrictedAccessToken, {
    access: { kind: 'upstream', feature: null, credential: 'restricted access token' },
  }),
  getHeartbeat: getOne('/v2/heartbeat', 'public', heartbeat),
  getOpenApiDocument: {
    method: 'GET',
    path: '/v2/openapi.json',
    access: 'public',
    answer: { status: 200, document: 'application/json' },
  },
});
