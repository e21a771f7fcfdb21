import * as z from 'zod/mini';
import { propertiesOf } from '../template/template.ts';
import { type EventSourcesOptions, targetOf } from './event-sources.ts';
import { queueMessages } from './queue-messages.ts';

/** Supported settings of a function's asynchronous invocations. */
const invokeConfig = z.strictObject({
  FunctionName: z.string(),
  Qualifier: z.literal('$LATEST'),
  MaximumEventAgeInSeconds: z.optional(z.number()),
  MaximumRetryAttempts: z.optional(z.literal(2)),
  DestinationConfig: z.strictObject({ OnFailure: z.strictObject({ Destination: z.string() }) }),
});

/** Keeps an asynchronous invocation that failed for good. */
export type KeepFailure = (functionArn: string, payload: unknown, error: unknown) => Promise<void>;

/**
 * Sends invocations that failed for good to the queue of their function, with the permissions of the function's role, as
 * Lambda does. Without such a queue they are forgotten.
 *
 * @throws Error for a role that may not send to its queue.
 */
export function failedInvocations(options: EventSourcesOptions): KeepFailure {
  const configs = options.deployment.ofType('AWS::Lambda::EventInvokeConfig').map((resource) => {
    const { FunctionName, DestinationConfig } = propertiesOf(resource, invokeConfig);
    const queueArn = DestinationConfig.OnFailure.Destination;
    const needed = { actions: ['sqs:SendMessage'], resource: queueArn };
    const { target, access } = targetOf({ functionName: FunctionName }, options, needed);
    return { functionArn: target.settings.functionArn, queue: queueMessages(queueArn, access) };
  });
  return async (functionArn, payload, error) => {
    const config = configs.find((one) => one.functionArn === functionArn);
    const message = {
      version: '1.0',
      requestContext: { functionArn, condition: 'RetriesExhausted', approximateInvokeCount: 3 },
      requestPayload: payload,
      responsePayload: { errorMessage: error instanceof Error ? error.message : String(error) },
    };
    await config?.queue.send(JSON.stringify(message));
  };
}
