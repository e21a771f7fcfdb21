import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { simulatedKeys } from '#domain/registry/simulated-record.ts';
import { type Access, callAws } from '../../../infra/local/aws/call.ts';
import type { AwsMiddleware } from '../../../infra/local/aws/endpoint.ts';
import { answerJson, bodyOf, targetOf } from '../../../infra/local/aws/service.ts';

const recordKey = simulatedKeys.record('');
const read = z.looseObject({
  Key: z.object({ pk: z.object({ S: z.string() }), sk: z.optional(z.object({ S: z.string() })) }),
});
const answered = z.looseObject({ Item: z.optional(z.unknown()) });

/**
 * A registry whose answers about the records that an operator set are as old as their question when they arrive.
 *
 * @param engine has the records
 * @param holdMs milliseconds for which the next answer is on its way
 */
export function slowRegistry(engine: Access, holdMs: () => number): AwsMiddleware {
  return async (call, next) => {
    const { caller, service, request, response } = call;
    if (caller.isCode !== true || service !== 'dynamodb' || targetOf(request).operation !== 'GetItem')
      return next();
    const body = bodyOf(request, read);
    const { pk, sk } = body.Key;
    if (!pk.S.startsWith(recordKey.pk) || sk?.S !== recordKey.sk) return next();
    const target = String(request.headers['x-amz-target']);
    const answer = await callAws(engine, { service, target }, body, answered);
    if (answer.Item !== undefined) await pause(holdMs());
    answerJson(response, answer);
  };
}
