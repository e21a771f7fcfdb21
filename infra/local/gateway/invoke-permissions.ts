import * as z from 'zod/mini';
import { matches } from '../aws/policy-evaluation.ts';
import { accountId, functionArn, region } from '../template/physical-resources.ts';
import { type Deployment, propertiesOf } from '../template/template.ts';
import type { GatewayDefinition } from './definition.ts';
import type { ApiIdentity } from './event.ts';

const permissionProperties = z.strictObject({
  Action: z.enum(['lambda:InvokeFunction', 'lambda:InvokeFunctionUrl']),
  FunctionName: z.string(),
  Principal: z.string(),
  SourceArn: z.optional(z.string()),
  SourceAccount: z.optional(z.string()),
  // Only of calls of the function's address.
  FunctionUrlAuthType: z.optional(z.string()),
  InvokedViaFunctionUrl: z.optional(z.boolean()),
});

type InvokePermission = z.output<typeof permissionProperties>;

export const invokePermissions = (deployment: Deployment): InvokePermission[] =>
  deployment
    .ofType('AWS::Lambda::Permission')
    .map((resource) => propertiesOf(resource, permissionProperties));

/**
 * Whether a service may invoke a function on behalf of what the source ARN names. A permission for an alias does not admit
 * calls of the function by its own name, nor the reverse.
 */
export const mayInvoke = (
  permissions: readonly InvokePermission[],
  call: { readonly functionArn: string; readonly principal: string; readonly sourceArn: string },
): boolean =>
  permissions.some(
    (permission) =>
      functionArn(permission.FunctionName) === call.functionArn &&
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
    for (const [method, { functionArn: servedBy, authorizerArn }] of methods) {
      // In the source ARN, API Gateway writes a star for ANY and for each path parameter.
      const route = `${method === 'ANY' ? '*' : method}${path.replace(/\{[^}]+\}/g, '*')}`;
      const calls = [{ functionArn: servedBy, principal, sourceArn: `${apiArn}/${api.stage}/${route}` }];
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
