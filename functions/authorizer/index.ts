import { readFileSync } from 'node:fs';
import { Logger } from '@aws-lambda-powertools/logger';
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { createSecretsClient } from '../../shared/aws/secrets-manager.ts';
import { readEnvironment } from '../../shared/config/environment.ts';
import { taskFile } from '../../shared/config/task-file.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { accessMap } from '../../shared/identity/access-map.ts';
import { createAccessTokens } from '../../shared/identity/access-token.ts';
import { createOrganizationStore } from '../../shared/identity/organization-store.ts';
import { createSigningKeys } from '../../shared/identity/signing-keys.ts';
import { createAuthenticate } from './authenticate.ts';
import { accessRequest, authorizerResult } from './authorizer-event.ts';
import { decide } from './decide.ts';
import { authorizerEnvironment } from './environment.ts';

const environment = readEnvironment(authorizerEnvironment);
const logger = new Logger({ serviceName: 'authorizer', environment: environment.ENVIRONMENT });

const deps = {
  accessMap: z.parse(accessMap, JSON.parse(readFileSync(taskFile('access-map.json'), 'utf8'))),
  authenticate: createAuthenticate({
    organizations: createOrganizationStore(createDynamoClient(), environment.ORGANIZATIONS_TABLE),
    accessTokens: createAccessTokens({
      keys: createSigningKeys({
        client: createSecretsClient(),
        secretArn: environment.SIGNING_SECRET_ARN,
        now: Date.now,
      }),
      environment: environment.ENVIRONMENT,
      now: Date.now,
    }),
    now: Date.now,
  }),
};

/** REQUEST authorizer of the gateway: decides credential, address, kind and entitlement for every route that needs one. */
export const handler = async (
  event: APIGatewayRequestAuthorizerEvent,
): Promise<APIGatewayAuthorizerResult> => {
  const requestId = `${environment.ENVIRONMENT}-${event.requestContext.requestId}`;
  const request = accessRequest(event);
  try {
    const decision = await decide(request, deps);
    if (!decision.admitted) {
      const { errorType, expected, actual } = decision.refusal;
      // The address of a caller is personal data; categories and features are not.
      const context = errorType === 'forbidden' ? {} : { expected, actual };
      logger.info('refused', {
        event: 'refused',
        requestId,
        route: request.route,
        credentialId: decision.credentialId,
        errorType,
        ...context,
      });
    }
    return authorizerResult(decision, event.methodArn, { requestId, timestamp: new Date().toISOString() });
  } catch (error) {
    logger.error('The authorizer failed.', {
      event: 'authorizer_failed',
      requestId,
      route: request.route,
      error: error instanceof Error ? error : new Error(String(error)),
    });
    throw error;
  }
};
