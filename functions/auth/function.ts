import { readFile } from 'node:fs/promises';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { apiFunctionWithDeps } from '#domain/api-function.ts';
import type { Resources } from '#domain/function.ts';
import { derivedFile, taskFile } from '#platform/config/context.ts';
import { createSecretsClient } from '#platform/config/secret-text.ts';
import { looseObject } from '#platform/contract/object.ts';
import { createAccessTokens, createSigningKeys } from '#platform/identity/access-tokens.ts';
import { createOrganizationStore } from '#platform/identity/organizations.ts';
import { createRateLimiter } from '#platform/request/rate-limit.ts';
import * as tokens from './exchange-token.ts';
import {
  confirmCredential,
  confirmCredentialWithCategory,
  getOpenApiDocument,
} from './get-openapi-document.ts';
import { uses } from './uses.ts';

interface OwnResources {
  readonly secrets: SecretsManagerClient;
  readonly signingSecretArn: string;
  /** Path of the file that holds the published document. */
  readonly openApiDocument: string;
  /** Address at which integrators get help. */
  readonly supportUrl: string;
}

const publishedDocument = looseObject(() => ({ info: z.looseObject({ contact: z.looseObject({}) }) }));

/** Serves the routes of tokens and of the API's own document. */
export const authFunction = apiFunctionWithDeps({
  uses,
  operations: {
    ...tokens,
    testOauth: confirmCredentialWithCategory,
    testOauthV1: confirmCredential,
    testRestrictedAccessToken: confirmCredential,
    getHeartbeat: () => ({ status: 'ok' as const }),
    getOpenApiDocument,
  },
  deps: ({
    tables,
    context,
    secrets,
    signingSecretArn,
    openApiDocument,
    supportUrl,
  }: Resources<typeof uses, OwnResources>) => {
    const now = () => context.now().getTime();
    const keys = createSigningKeys({
      client: secrets,
      secretArn: signingSecretArn,
      now,
      log: context.logger,
    });
    return {
      readOpenApiDocument: async () =>
        z.parse(publishedDocument, JSON.parse(await readFile(openApiDocument, 'utf8'))),
      supportUrl,
      organizations: createOrganizationStore(tables.organizations),
      accessTokens: createAccessTokens({ keys, environment: context.environment, now }),
    };
  },
  services: (dynamo, names) => ({ rateLimiter: createRateLimiter(dynamo, names.rateCounters) }),
  resources: ({ values }) => ({
    secrets: createSecretsClient(),
    signingSecretArn: values.SIGNING_SECRET_ARN,
    openApiDocument: taskFile(derivedFile('openapi', values.SANDBOX)),
    supportUrl: values.SUPPORT_URL,
  }),
});
