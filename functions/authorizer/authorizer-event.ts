import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import type { Stamp } from '../../shared/platform/request/response.ts';
import type { AccessRequest, Decision } from './decide.ts';

/** Reads what a decision needs from the gateway's event. */
export function accessRequest(event: APIGatewayRequestAuthorizerEvent): AccessRequest {
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
export function authorizerResult(
  decision: Decision,
  methodArn: string,
  stamp: Stamp,
): APIGatewayAuthorizerResult {
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
