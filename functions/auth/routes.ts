import * as z from 'zod/mini';
import { KB } from '../../shared/platform/aws/limits.ts';
import { organizationCategories } from '../../shared/platform/contract/access.ts';
import { described, describedShape } from '../../shared/platform/contract/described.ts';
import { lazyObject, lazyStrictObject } from '../../shared/platform/contract/lazy-object.ts';
import { type Route, routeGroup } from '../../shared/platform/contract/route.ts';
import { v1 } from '../../shared/platform/contract/v1.ts';
import { tokenLifetimeMinutes } from '../../shared/platform/identity/token-lifetime.ts';

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
  success: DOCUMENTED && 'The credentials are valid; the access token can be used immediately.',
  body: described(
    lazyStrictObject(() =>
      describedShape(
        {
          clientId: z.string().check(z.regex(/^[ -~]{1,100}$/, 'must be 1 to 100 ASCII characters')),
          clientSecret: z.string().check(z.minLength(1), z.maxLength(200)),
        },
        DOCUMENTED && {
          clientId: {
            pattern: undefined,
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
      ),
    ),
    DOCUMENTED && { id: 'TokenRequest', description: 'Client credentials.' },
  ),
  answer: {
    status: 201,
    one: described(
      lazyObject(() => ({
        accessToken: described(
          z.string(),
          DOCUMENTED && {
            description: `JWT, valid for ${tokenLifetimeMinutes} minutes.`,
            examples: ['eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl'],
          },
        ),
      })),
      DOCUMENTED && { id: 'Token', description: 'A new access token.' },
    ),
  },
  errors: ['unauthorized'],
} as const satisfies Route;

const message = described(
  z.string(),
  DOCUMENTED && {
    description: 'Says that the credential is valid, for people.',
    examples: ['The credential is valid.'],
  },
);
const confirmation = described(
  lazyObject(() => ({ message })),
  DOCUMENTED && { id: 'CredentialConfirmation', description: 'A valid credential.' },
);

const testAnswer = { status: 200, one: confirmation } as const;

export const authRoutes = routeGroup('auth', DOCUMENTED && 'Exchanging and testing credentials.', {
  exchangeToken,
  exchangeTokenV1: v1(exchangeToken, {
    description:
      DOCUMENTED &&
      `Upstream organizations only: a downstream client with a valid secret gets a 403 that refers to \`/v2/auth/jwt\`. The token expires after ${tokenLifetimeMinutes} minutes.`,
    errors: ['unauthorized', 'invalid_organization_category'],
  }),
  testOauth: {
    method: 'GET',
    path: '/v2/auth/test-oauth',
    access: { kind: 'any', feature: null, credential: 'oauth' },
    summary: DOCUMENTED && 'Test a bearer token',
    description:
      DOCUMENTED &&
      'Succeeds if the bearer token is valid, and returns the category of its organization. Other credentials in the request are ignored.',
    success: DOCUMENTED && 'The bearer token is valid; `orgCategory` is the category of its organization.',
    answer: {
      status: 200,
      one: described(
        lazyObject(() => ({
          message,
          orgCategory: described(
            z.enum(organizationCategories),
            DOCUMENTED && {
              description: 'Category of the credential’s organization.',
              values: {
                upstreamEntity: 'A carrier, MGA, or wholesaler: can call `/v1/*` and `/v2/upstream/*`.',
                downstreamEntity: 'An agency, brokerage, or branch: can call `/v2/downstream/*`.',
                enterpriseUpstreamEntity: 'Can only test its credentials.',
                enterpriseDownstreamEntity: 'Can only test its credentials.',
              },
            },
          ),
        })),
        DOCUMENTED && {
          id: 'CategorizedCredentialConfirmation',
          description: 'A valid credential and the category of its organization.',
        },
      ),
    },
  },
  testOauthV1: {
    method: 'GET',
    path: '/v1/auth/test-oauth',
    access: { kind: 'upstream', feature: null, credential: 'oauth' },
    summary: DOCUMENTED && 'Test a bearer token',
    description:
      DOCUMENTED && 'Succeeds if the bearer token is valid and belongs to an upstream organization.',
    success: DOCUMENTED && 'The bearer token is valid and belongs to an upstream organization.',
    answer: testAnswer,
  },
  testRestrictedAccessToken: {
    method: 'GET',
    path: '/v2/auth/test-restricted-access-token',
    access: { kind: 'any', feature: null, credential: 'restricted access token' },
    summary: DOCUMENTED && 'Test a restricted access token',
    description:
      DOCUMENTED &&
      'Succeeds if the restricted access token is valid and the request comes from an allowlisted address.',
    success: DOCUMENTED && 'The restricted access token is valid and may be used from this address.',
    answer: testAnswer,
  },
  testRestrictedAccessTokenV1: {
    method: 'GET',
    path: '/v1/auth/test-restricted-access-token',
    access: { kind: 'upstream', feature: null, credential: 'restricted access token' },
    summary: DOCUMENTED && 'Test a restricted access token',
    description:
      DOCUMENTED &&
      'Succeeds if the restricted access token is valid and belongs to an upstream organization, and the request comes from an allowlisted address.',
    success:
      DOCUMENTED &&
      'The restricted access token is valid, belongs to an upstream organization, and may be used from this address.',
    answer: testAnswer,
  },
  getHeartbeat: {
    method: 'GET',
    path: '/v2/heartbeat',
    access: 'public',
    summary: DOCUMENTED && 'Check that the service responds',
    description: DOCUMENTED && 'Does not read any data.',
    success: DOCUMENTED && 'The service accepts requests.',
    answer: {
      status: 200,
      one: described(
        lazyObject(() =>
          describedShape(
            { status: z.literal('ok') },
            DOCUMENTED && { status: 'Always `ok`; an unavailable service responds with an error instead.' },
          ),
        ),
        DOCUMENTED && { id: 'Heartbeat', description: 'The service responds.' },
      ),
    },
  },
  getOpenApiDocument: {
    method: 'GET',
    path: '/v2/openapi.json',
    access: 'public',
    summary: DOCUMENTED && 'Get the OpenAPI document',
    description: DOCUMENTED && 'This API as an OpenAPI 3.1 document.',
    success: DOCUMENTED && 'The OpenAPI document.',
    answer: { status: 200, document: 'application/json' },
  },
});
