import * as z from 'zod/mini';
import { evaluate, matches, readStatements } from '../aws/policy-evaluation.ts';
import type { LocalFunction } from '../functions/local-function.ts';
import { accountId, type Deployment, functionArn, propertiesOf, region } from '../template/template.ts';
import type { GatewayDefinition } from './definition.ts';
import type { GatewayFault } from './responses.ts';

export interface ApiIdentity {
  readonly apiId: string;
  readonly stage: string;
}

/** API Gateway accepts strings, numbers and booleans in the context; arrays and objects are a configuration error. */
const resultSchema = z.looseObject({
  principalId: z.string(),
  policyDocument: z.unknown(),
  context: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
});

/** The authorizer's decision on a request. `context` holds its values as the strings that are passed on. */
type Authorization = { readonly context: Readonly<Record<string, string>> } & (
  | { readonly isAllowed: true }
  | { readonly isAllowed: false; readonly fault: GatewayFault }
);

const failureOf = (fault: GatewayFault): Authorization => ({ isAllowed: false, fault, context: {} });

/** Invokes a REQUEST authorizer for one request, as API Gateway does without caching. */
export async function authorize(
  authorizer: LocalFunction,
  event: Readonly<Record<string, unknown>>,
  methodArn: string,
): Promise<Authorization> {
  let answer: unknown;
  try {
    answer = await authorizer.invoke({ ...event, type: 'REQUEST', methodArn });
  } catch {
    return failureOf('AUTHORIZER_FAILURE');
  }
  const result = z.safeParse(resultSchema, answer);
  if (!result.success) return failureOf('AUTHORIZER_CONFIGURATION_ERROR');
  const { principalId, policyDocument, context = {} } = result.data;
  const passedOn = {
    principalId,
    ...Object.fromEntries(Object.entries(context).map(([name, value]) => [name, String(value)])),
  };
  try {
    const access = { action: 'execute-api:Invoke', resource: methodArn };
    return evaluate(readStatements(policyDocument), access).isAllowed
      ? { isAllowed: true, context: passedOn }
      : { isAllowed: false, fault: 'ACCESS_DENIED', context: passedOn };
  } catch {
    return failureOf('AUTHORIZER_CONFIGURATION_ERROR');
  }
}

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
    for (const [method, { functionArn: servingArn, authorizerArn }] of methods) {
      // In the source ARN, API Gateway writes a star for ANY and for each path parameter.
      const route = `${method === 'ANY' ? '*' : method}${path.replace(/\{[^}]+\}/g, '*')}`;
      const calls = [{ functionArn: servingArn, principal, sourceArn: `${apiArn}/${api.stage}/${route}` }];
      if (authorizerArn !== undefined) {
        calls.push({ functionArn: authorizerArn, principal, sourceArn: `${apiArn}/authorizers/authorizer` });
      }
      const refusedCall = calls.find((call) => !mayInvoke(permissions, call));
      if (refusedCall !== undefined) {
        const { functionArn: arn } = refusedCall;
        throw new Error(`API Gateway may not invoke ${arn} for ${route}: no permission matches.`);
      }
    }
  }
}
