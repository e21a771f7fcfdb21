import { readFileSync } from 'node:fs';
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { eventFunction } from '#function/function.ts';
import { derivedFile, taskFile } from '#platform/config/context.ts';
import { createSecretsClient } from '#platform/config/secret-text.ts';
import { createAccessTokens, createSigningKeys } from '#platform/identity/access-tokens.ts';
import { createOrganizationStore } from '#platform/identity/organizations.ts';
import { toError } from '#platform/log/log.ts';
import type { Stamp } from '#platform/request/response.ts';
import { type AccessRequest, accessMap, createAuthenticate, type Decision, decide } from './authenticate.ts';
import { uses } from './uses.ts';

/** Reads what a decision needs from the gateway's event. */
function accessRequest(event: APIGatewayRequestAuthorizerEvent): AccessRequest {
  const headers = new Map(
    Object.entries(event.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value?.trim()]),
  );
  return {
    route: `${event.httpMethod} ${event.resource}`,
    sourceIp: event.requestContext.identity.sourceIp,
    bearer: /^bearer\s+(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1],
    restrictedToken: headers.get('x-restricted-access-token') || undefined,
  };
}

/**
 * Translates the decision into the gateway's terms. Without a valid credential the gateway itself responds, with the 401 of its
 * ACCESS_DENIED response: `www-authenticate` in a function's response would reach the caller under another name
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html). Everyone else is passed to the
 * function, with an identity or with the refusal that it responds to with 403.
 */
function authorizerResult(decision: Decision, methodArn: string, stamp: Stamp): APIGatewayAuthorizerResult {
  const result = (
    Effect: 'Allow' | 'Deny',
    principalId: string,
    context: Readonly<Record<string, string>>,
  ) => ({
    principalId,
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect, Resource: methodArn }],
    },
    context: { ...context },
  });
  if (decision === 'unauthenticated') return result('Deny', 'anonymous', { ...stamp });
  const context = 'refusal' in decision ? decision.refusal : decision.identity;
  return result('Allow', context.credentialId, context);
}

/** REQUEST authorizer of the gateway: decides credential, address, kind and entitlement for every route that needs one. */
export const authorizerFunction = eventFunction({
  uses,
  resources: ({ values }) => ({
    secrets: createSecretsClient(),
    signingSecretArn: values.SIGNING_SECRET_ARN,
    accessMap: z.parse(
      accessMap,
      JSON.parse(readFileSync(taskFile(derivedFile('access-map', values.SANDBOX)), 'utf8')),
    ),
  }),
  compose({ secrets, tables, signingSecretArn, accessMap, context }) {
    const { environment, logger } = context;
    const now = () => context.now().getTime();
    const keys = createSigningKeys({ client: secrets, secretArn: signingSecretArn, now, log: logger });
    const authenticate = createAuthenticate({
      organizations: createOrganizationStore(tables.organizations),
      accessTokens: createAccessTokens({ keys, environment, now }),
      now,
    });

    return async (event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> => {
      const requestId = `${environment}-${event.requestContext.requestId}`;
      const request = accessRequest(event);
      try {
        const decision = await decide(request, { accessMap, authenticate });
        if (typeof decision === 'object' && 'refusal' in decision) {
          const { errorType, expected, actual, credentialId } = decision.refusal;
          // The address of a caller is personal data; categories and features are not.
          const refusal = errorType === 'forbidden' ? {} : { expected, actual };
          logger.info('refused', {
            event: 'refused',
            requestId,
            route: request.route,
            credentialId,
            errorType,
            ...refusal,
          });
        }
        return authorizerResult(decision, event.methodArn, {
          requestId,
          timestamp: context.now().toISOString(),
        });
      } catch (error) {
        logger.error('The authorizer failed.', {
          event: 'authorizer_failed',
          requestId,
          route: request.route,
          error: toError(error),
        });
        throw error;
      }
    };
  },
});
