import * as z from 'zod/mini';
import { KB } from '../../shared/platform/aws/limits.ts';
import { organizationCategories } from '../../shared/platform/contract/access.ts';
import { object, strictObject } from '../../shared/platform/contract/object.ts';
import { type Route, routeGroup } from '../../shared/platform/contract/route.ts';
import { v1 } from '../../shared/platform/contract/v1.ts';

export const tokenRequest = strictObject(() => ({
  clientId: z.string().check(z.regex(/^[ -~]{1,100}$/, 'must be 1 to 100 ASCII characters')),
  clientSecret: z.string().check(z.minLength(1), z.maxLength(200)),
}));

export const token = object(() => ({ accessToken: z.string() }));

const exchangeToken = {
  method: 'POST',
  path: '/v2/auth/jwt',
  access: 'public',
  rate: 'token',
  countedBy: 'clientId',
  largestBody: 4 * KB,
  body: tokenRequest,
  answer: {
    status: 201,
    one: token,
  },
  errors: ['unauthorized'],
} as const satisfies Route;

export const message = z.string();
export const confirmation = object(() => ({ message }));

export const categorizedConfirmation = object(() => ({
  message,
  orgCategory: z.enum(organizationCategories),
}));

export const heartbeat = object(() => ({ status: z.literal('ok') }));

const testAnswer = { status: 200, one: confirmation } as const;

export const authRoutes = routeGroup('auth', {
  exchangeToken,
  exchangeTokenV1: v1(exchangeToken, {
    errors: ['unauthorized', 'invalid_organization_category'],
  }),
  testOauth: {
    method: 'GET',
    path: '/v2/auth/test-oauth',
    access: { kind: 'any', feature: null, credential: 'oauth' },
    answer: {
      status: 200,
      one: categorizedConfirmation,
    },
  },
  testOauthV1: {
    method: 'GET',
    path: '/v1/auth/test-oauth',
    access: { kind: 'upstream', feature: null, credential: 'oauth' },
    answer: testAnswer,
  },
  testRestrictedAccessToken: {
    method: 'GET',
    path: '/v2/auth/test-restricted-access-token',
    access: { kind: 'any', feature: null, credential: 'restricted access token' },
    answer: testAnswer,
  },
  testRestrictedAccessTokenV1: {
    method: 'GET',
    path: '/v1/auth/test-restricted-access-token',
    access: { kind: 'upstream', feature: null, credential: 'restricted access token' },
    answer: testAnswer,
  },
  getHeartbeat: {
    method: 'GET',
    path: '/v2/heartbeat',
    access: 'public',
    answer: {
      status: 200,
      one: heartbeat,
    },
  },
  getOpenApiDocument: {
    method: 'GET',
    path: '/v2/openapi.json',
    access: 'public',
    answer: { status: 200, document: 'application/json' },
  },
});
