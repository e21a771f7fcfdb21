import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { apiFunction } from '#function/api-function.ts';
import { derivedFile, taskFile } from '#platform/config/context.ts';
import { createSecretsClient } from '#platform/config/secret-text.ts';
import { createAccessTokens, createSigningKeys } from '#platform/identity/access-tokens.ts';
import { createOrganizationStore } from '#platform/identity/organizations.ts';
import { createRateLimiter } from '#platform/request/rate-limit.ts';
import { tokenOperations } from './exchange-token.ts';
import {
  confirmCredential,
  confirmCredentialWithCategory,
  createGetOpenApiDocument,
} from './get-openapi-document.ts';
import { uses } from './uses.ts';

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
    return {
      ...tokenOperations({
        organizations: createOrganizationStore(tables.organizations),
        accessTokens: createAccessTokens({ keys, environment: context.environment, now }),
      }),
      testOauth: confirmCredentialWithCategory,
      testOauthV1: confirmCredential,
      testRestrictedAccessToken: confirmCredential,
      getHeartbeat: () => ({ status: 'ok' as const }),
      getOpenApiDocument: createGetOpenApiDocument(
        async () => z.parse(publishedDocument, JSON.parse(await readFile(openApiDocument, 'utf8'))),
        supportUrl,
      ),
    };
  },
  services: (dynamo, names) => ({ rateLimiter: createRateLimiter(dynamo, names.rateCounters) }),
});
