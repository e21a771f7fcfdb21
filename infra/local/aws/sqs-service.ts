import * as z from 'zod/mini';
import { queueDelaySeconds } from '#platform/aws/limits.ts';
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

/**
 * SQS, backed by the engine on this port, with one thing that the engine does not do: it rejects delays that are out of
 * range.
 */
export const sqsService = (port: number): AwsService => ({
  accesses: sqsAccesses,
  async answer(request, response) {
    const body = bodyOf(request, input);
    checkDelays(body);
    // The engine finds a queue by the URL that it gave it; of the caller's, only the name matters.
    const QueueUrl = `http://sqs.${region}.localhost:${port}/${accountId}/${queueNameOf(body)}`;
    const call = body.QueueUrl === undefined ? body : { ...body, QueueUrl };
    const headers = { ...request.headers, host: `127.0.0.1:${port}` };
    await forward({ ...request, headers, body: Buffer.from(JSON.stringify(call)) }, response, port);
  },
});
