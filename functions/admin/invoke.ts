import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod/mini';
import { compatible } from '../../shared/platform/contract/compatible.ts';
import { ApiError, type ErrorType, errorRegistry } from '../../shared/platform/contract/errors.ts';
import type { uses } from './uses.ts';

/** A function whose work operators have done. */
type Invoked = (typeof uses)['invokes'][number];

/** Invokes a function, and waits for its answer. @throws Error when it fails; SDK errors. */
export type Invoke = (name: Invoked, payload: object) => Promise<unknown>;

/** Longer than any of them may run. */
const requestTimeout = 310_000;

/** @param functions the ARN of each. */
export function createInvoke(functions: Readonly<Record<Invoked, string>>): Invoke {
  // Once: what an attempt without an answer has done is not to be done again.
  const client = new LambdaClient({
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 1_000, requestTimeout },
  });
  return async (name, payload) => {
    const { FunctionError, Payload } = await client.send(
      new InvokeCommand({ FunctionName: functions[name], Payload: JSON.stringify(payload) }),
    );
    const text = Payload?.transformToString() ?? '';
    if (FunctionError !== undefined) throw new Error(`The function ${name} failed: ${text}`);
    return JSON.parse(text);
  };
}

/** What scheduled work counts. */
export const totalsAnswer = compatible(
  'invocations/totals',
  z.looseObject({ failed: z.int().check(z.gte(0)) }),
);

const errorTypes = Object.keys(errorRegistry) as [ErrorType, ...ErrorType[]];

const operatorAnswer = compatible(
  'invocations/operator-answer',
  z.union([
    z.object({ ok: z.literal(true), result: z.looseObject({}) }),
    z.object({
      ok: z.literal(false),
      error: z.object({
        errorType: z.enum(errorTypes),
        errorMessage: z.array(z.string()),
        details: z.optional(z.looseObject({})),
      }),
    }),
  ]),
);

/** The result in the answer of a function that operators can call, too. @throws ApiError where it refused. */
export function resultOf(answer: unknown): object {
  const outcome = z.parse(operatorAnswer, answer);
  if (outcome.ok) return outcome.result;
  const { errorType, errorMessage, details } = outcome.error;
  throw new ApiError(errorType, { message: errorMessage.join(' '), details });
}
