import * as z from 'zod/mini';
import { functionArn } from '../template/physical-resources.ts';
import { propertiesOf } from '../template/template.ts';
import { type EventSourcesOptions, targetOf } from './event-sources.ts';
import { queueMessages } from './queue-messages.ts';

/** Supported settings of a function's asynchronous invocations. */
const invokeConfig = z.strictObject({
  FunctionName: z.string(),
  Qualifier: z.string(),
  MaximumEventAgeInSeconds: z.optional(z.number()),
  MaximumRetryAttempts: z.optional(z.literal(2)),
  DestinationConfig: z.strictObject({ OnFailure: z.strictObject({ Destination: z.string() }) }),
});

/** Keeps an asynchronous invocation that failed for good, of what it called: a function, or its alias. */
export type KeepFailure = (called: string, payload: unknown, error: unknown) => Promise<void>;

/**
 * Sends invocations that failed for good to the queue of what they called, a function or its alias, with the permissions of the function's role, as
 * Lambda does. Without such a queue they are forgotten.
 *
 * @throws Error for a role that may not send to its queue.
 */
export function failedInvocations(options: EventSourcesOptions): KeepFailure {
  const configs = options.deployment.ofType('AWS::Lambda::EventInvokeConfig').map((resource) => {
    const { FunctionName, Qualifier, DestinationConfig } = propertiesOf(resource, invokeConfig);
    const called = functionArn(Qualifier === '$LATEST' ? FunctionName : `${FunctionName}:${Qualifier}`);
    const queueArn = DestinationConfig.OnFailure.Destination;
    const needed = { actions: ['sqs:SendMessage'], resource: queueArn };
    const { access } = targetOf({ functionName: called }, options, needed);
    return { called, queue: queueMessages(queueArn, access) };
  });
  return async (called, payload, error) => {
    const config = configs.find((one) => one.called === called);
    const message = {
      version: '1.0',
      requestContext: { functionArn: called, condition: 'RetriesExhausted', approximateInvokeCount: 3 },
      requestPayload: payload,
      responsePayload: { errorMessage: error instanceof Error ? error.message : String(error) },
    };
    await config?.queue.send(JSON.stringify(message));
  };
}
