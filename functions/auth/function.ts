import { readFile } from 'node:fs/promises';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { tablesOf } from '../../shared/domain/tables.ts';
import type { ApiDependencies } from '../../shared/platform/config/dependencies.ts';
import { looseObject } from '../../shared/platform/contract/object.ts';
import { createAccessTokens } from '../../shared/platform/identity/access-token.ts';
import { createOrganizationStore } from '../../shared/platform/identity/organization-store.ts';
import { createSigningKeys } from '../../shared/platform/identity/signing-keys.ts';
import { createPipeline, type Pipeline } from '../../shared/platform/request/pipeline.ts';
import { createRateLimiter } from '../../shared/platform/request/rate-limit.ts';
import { exchangeToken, exchangeTokenV1, requestToken } from './exchange-token.ts';
import {
  confirmCredential,
  confirmCredentialWithCategory,
  getOpenApiDocument,
} from './get-openapi-document.ts';
import { authRoutes } from './routes.ts';
import type { uses } from './uses.ts';

type AuthDependencies = ApiDependencies<typeof uses, { readonly secrets: SecretsManagerClient }> & {
  readonly signingSecretArn: string;
  /** Path of the file that holds the published document. */
  readonly openApiDocument: string;
  /** Where integrators get help. */
  readonly supportUrl: string;
};

const publishedDocument = looseObject(() => ({ info: z.looseObject({ contact: z.looseObject({}) }) }));

/** Serves the routes of tokens and of the API's own document. */
export function createAuthFunction({
  clients: { dynamo, secrets },
  tables: names,
  signingSecretArn,
  openApiDocument,
  supportUrl,
  context,
}: AuthDependencies): Pipeline {
  const tables = tablesOf(dynamo, names);
  const now = () => context.now().getTime();
  const keys = createSigningKeys({ client: secrets, secretArn: signingSecretArn, now, log: context.logger });
  return createPipeline({
    ...context,
    group: authRoutes,
    operations: {
      exchangeToken,
      exchangeTokenV1,
      requestToken,
      testOauth: confirmCredentialWithCategory,
      testOauthV1: confirmCredential,
      testRestrictedAccessToken: confirmCredential,
      testRestrictedAccessTokenV1: confirmCredential,
      getHeartbeat: () => ({ status: 'ok' as const }),
      getOpenApiDocument,
    },
    deps: {
      readOpenApiDocument: async () =>
        z.parse(publishedDocument, JSON.parse(await readFile(openApiDocument, 'utf8'))),
      supportUrl,
      organizations: createOrganizationStore(tables.organizations),
      accessTokens: createAccessTokens({ keys, environment: context.environment, now }),
    },
    rateLimiter: createRateLimiter(dynamo, names.rateCounters),
  });
}
