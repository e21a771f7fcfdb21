import * as z from 'zod/mini';
import { queueDelaySeconds } from '#platform/aws/limits.ts';
import { traceAttribute, traceHeaderName } from '../functions/worker-messages.ts';
import { accountId, region } from '../template/template.ts';
import type { AccessRequest } from './policy-evaluation.ts';
import {
  AwsError,
  type AwsRequest,
  type AwsService,
  bodyOf,
  forward,
  targetOf,
  unsupportedCall,
} from './service.ts';

const operations = new Set(
  'CreateQueue DeleteMessage DeleteMessageBatch GetQueueAttributes ReceiveMessage SendMessage SendMessageBatch'.split(
    ' ',
  ),
);

const delay = z.optional(z.number());
const input = z.looseObject({
  QueueUrl: z.optional(z.string()),
  QueueName: z.optional(z.string()),
  DelaySeconds: delay,
  Entries: z.optional(z.array(z.looseObject({ DelaySeconds: delay }))),
});
type Input = z.output<typeof input>;

const queueNameOf = ({ QueueName, QueueUrl }: Input): string =>
  QueueName ?? QueueUrl?.split('/').at(-1) ?? '';

/** Accesses that a call of SQS needs. */
export function sqsAccesses(request: AwsRequest): AccessRequest[] {
  const { operation } = targetOf(request);
  if (!operations.has(operation)) throw unsupportedCall(`sqs:${operation}`);
  const name = queueNameOf(bodyOf(request, input));
  // A batch needs the action of its single operation.
  return [
    {
      action: `sqs:${operation.replace(/Batch$/, '')}`,
      resource: `arn:aws:sqs:${region}:${accountId}:${name}`,
    },
  ];
}

/** @throws AwsError for a delay that SQS does not allow. SQS refuses one of a batch, this the whole batch. */
function checkDelays({ DelaySeconds, Entries = [] }: Input): void {
  for (const delay of [DelaySeconds, ...Entries.map((entry) => entry.DelaySeconds)]) {
    if (delay === undefined || (delay >= 0 && delay <= queueDelaySeconds)) continue;
    throw new AwsError(
      'InvalidParameterValue',
      `Value ${delay} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= ${queueDelaySeconds}.`,
    );
  }
}

/** The message with the trace header as an attribute, beside those that its sender gave it. */
const traced = (message: object, StringValue: string) => ({
  ...message,
  MessageAttributes: {
    ...('MessageAttributes' in message ? (message.MessageAttributes as object) : {}),
    [traceAttribute]: { DataType: 'String', StringValue },
  },
});

/**
 * SQS, backed by the engine on this port. What the engine does not do is done here: it rejects delays that are out of
 * range, and stores the trace header with which a message was sent.
 */
export const sqsService = (port: number): AwsService => ({
  accesses: sqsAccesses,
  async answer(request, response) {
    const { Entries, ...message } = bodyOf(request, input);
    checkDelays({ Entries, ...message });
    const header = request.headers[traceHeaderName];
    const isTraced = targetOf(request).operation.startsWith('SendMessage') && typeof header === 'string';
    const body = {
      ...(isTraced && Entries === undefined ? traced(message, header) : message),
      ...(Entries && { Entries: isTraced ? Entries.map((entry) => traced(entry, header)) : Entries }),
      // The engine finds a queue by the URL that it gave it; of the caller's, only the name matters.
      ...(message.QueueUrl && {
        QueueUrl: `http://sqs.${region}.localhost:${port}/${accountId}/${queueNameOf(message)}`,
      }),
    };
    await forward({ ...request, body: Buffer.from(JSON.stringify(body)) }, response, port);
  },
});
