import * as z from 'zod/mini';
import { matches } from '../aws/policy-evaluation.ts';
import { accountId, region } from '../template/physical-resources.ts';
import { type Deployment, propertiesOf } from '../template/template.ts';
import type { GatewayDefinition } from './definition.ts';
import type { ApiIdentity } from './event.ts';

const permissionProperties = z.strictObject({
  Action: z.literal('lambda:InvokeFunction'),
  FunctionName: z.string(),
  Principal: z.string(),
  SourceArn: z.optional(z.string()),
  SourceAccount: z.optional(z.string()),
});

type InvokePermission = z.output<typeof permissionProperties>;

export const invokePermissions = (deployment: Deployment): InvokePermission[] =>
  deployment
    .ofType('AWS::Lambda::Permission')
    .map((resource) => propertiesOf(resource, permissionProperties));

/** Whether a service may invoke a function on behalf of what the source ARN names. */
export const mayInvoke = (
  permissions: readonly InvokePermission[],
  call: { readonly functionArn: string; readonly principal: string; readonly sourceArn: string },
): boolean =>
  permissions.some(
    (permission) =>
      (permission.FunctionName === call.functionArn ||
        call.functionArn.endsWith(`:function:${permission.FunctionName}`)) &&
      permission.Principal === call.principal &&
      matches(permission.SourceArn ?? '*', call.sourceArn),
  );

/**
 * Fails the start when the gateway may not invoke one of its functions: once deployed, every request to the route would
 * get a 500.
 */
export function refuseUninvokable(
  definition: GatewayDefinition,
  api: ApiIdentity,
  permissions: readonly InvokePermission[],
): void {
  const principal = 'apigateway.amazonaws.com';
  const apiArn = `arn:aws:execute-api:${region}:${accountId}:${api.apiId}`;
  for (const { path, methods } of definition.resources) {
    for (const [method, { functionArn, authorizerArn }] of methods) {
      // In the source ARN, API Gateway writes a star for ANY and for each path parameter.
      const route = `${method === 'ANY' ? '*' : method}${path.replace(/\{[^}]+\}/g, '*')}`;
      const calls = [{ functionArn, principal, sourceArn: `${apiArn}/${api.stage}/${route}` }];
      if (authorizerArn !== undefined) {
        calls.push({ functionArn: authorizerArn, principal, sourceArn: `${apiArn}/authorizers/authorizer` });
      }
      const refused = calls.find((call) => !mayInvoke(permissions, call));
      if (refused !== undefined) {
        const { functionArn: arn } = refused;
        throw new Error(`API Gateway may not invoke ${arn} for ${route}: no permission matches.`);
      }
    }
  }
}
