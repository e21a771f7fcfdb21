import * as z from 'zod/mini';
import { evaluate, readStatements } from '../aws/policy-evaluation.ts';
import { FunctionError } from '../functions/invocation-errors.ts';
import type { LocalFunction } from '../functions/local-function.ts';
import type { GatewayFault } from './responses.ts';

/** API Gateway accepts strings, numbers and booleans in the context; arrays and objects are a configuration error. */
const resultSchema = z.looseObject({
  principalId: z.string(),
  policyDocument: z.unknown(),
  context: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
});

/** The authorizer's decision on a request. `context` holds its values as the strings that are passed on. */
type Authorization = { readonly context: Readonly<Record<string, string>> } & (
  | { readonly allowed: true }
  | { readonly allowed: false; readonly fault: GatewayFault }
);

const failed = (fault: GatewayFault): Authorization => ({ allowed: false, fault, context: {} });

/** Invokes a REQUEST authorizer for one request, as API Gateway does without caching. */
export async function authorize(
  authorizer: LocalFunction,
  event: Readonly<Record<string, unknown>>,
  methodArn: string,
): Promise<Authorization> {
  let answer: unknown;
  try {
    answer = await authorizer.invoke({ ...event, type: 'REQUEST', methodArn });
  } catch (error) {
    // The error message by which an authorizer requests a 401.
    const isUnauthorized = error instanceof FunctionError && error.payload.errorMessage === 'Unauthorized';
    return failed(isUnauthorized ? 'UNAUTHORIZED' : 'AUTHORIZER_FAILURE');
  }
  const result = z.safeParse(resultSchema, answer);
  if (!result.success) return failed('AUTHORIZER_CONFIGURATION_ERROR');
  const { principalId, policyDocument, context = {} } = result.data;
  const passedOn = {
    principalId,
    ...Object.fromEntries(Object.entries(context).map(([name, value]) => [name, String(value)])),
  };
  try {
    const access = { action: 'execute-api:Invoke', resource: methodArn };
    return evaluate(readStatements(policyDocument), access).allowed
      ? { allowed: true, context: passedOn }
      : { allowed: false, fault: 'ACCESS_DENIED', context: passedOn };
  } catch {
    return failed('AUTHORIZER_CONFIGURATION_ERROR');
  }
}
