import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import type { Stamp } from '../../shared/request/response.ts';
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
 * Translates the decision into the gateway's terms. The context of an admitted request is the identity that the function reads;
 * that of a refused one is what the ACCESS_DENIED response template prints.
 */
export function authorizerResult(
  decision: Decision,
  methodArn: string,
  stamp: Stamp,
): APIGatewayAuthorizerResult {
  const policy = (Effect: 'Allow' | 'Deny') => ({
    Version: '2012-10-17',
    Statement: [{ Action: 'execute-api:Invoke', Effect, Resource: methodArn }],
  });
  if (!decision.admitted) {
    return {
      principalId: decision.credentialId,
      policyDocument: policy('Deny'),
      context: { ...decision.refusal, ...stamp },
    };
  }
  return {
    principalId: decision.identity?.credentialId ?? 'anonymous',
    policyDocument: policy('Allow'),
    context: { ...decision.identity },
  };
}
