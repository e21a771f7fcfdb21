import * as z from 'zod/mini';
import {
  type AwsRequest,
  type AwsService,
  bodyOf,
  refuseAsJson,
  targetOf,
  unsupported,
} from './aws-service.ts';
import { forward } from './forward.ts';
import { accountId, region } from './physical-resources.ts';
import type { Access } from './policy-evaluation.ts';

/** The action of IAM for each operation: a batch is allowed by the action that it repeats. */
const actions: Readonly<Record<string, string>> = {
  ChangeMessageVisibility: 'ChangeMessageVisibility',
  ChangeMessageVisibilityBatch: 'ChangeMessageVisibility',
  CreateQueue: 'CreateQueue',
  DeleteMessage: 'DeleteMessage',
  DeleteMessageBatch: 'DeleteMessage',
  GetQueueAttributes: 'GetQueueAttributes',
  ReceiveMessage: 'ReceiveMessage',
  SendMessage: 'SendMessage',
  SendMessageBatch: 'SendMessage',
};

const onQueue = z.object({ QueueUrl: z.optional(z.string()), QueueName: z.optional(z.string()) });

/** What a call of SQS needs to be allowed. */
export function sqsAccesses(request: AwsRequest): Access[] {
  const { operation } = targetOf(request);
  const action = Object.hasOwn(actions, operation) ? actions[operation] : undefined;
  if (action === undefined) throw unsupported(`sqs:${operation}`);
  const { QueueUrl, QueueName } = bodyOf(request, onQueue);
  const name = QueueName ?? QueueUrl?.split('/').at(-1) ?? '';
  return [{ action: `sqs:${action}`, resource: `arn:aws:sqs:${region}:${accountId}:${name}` }];
}

const message = z.looseObject({ QueueUrl: z.optional(z.string()) });

/** The engine knows a queue by one whole address, with a host of its own making; here a queue is known by its name. */
function readdressed(request: AwsRequest): AwsRequest {
  const body = bodyOf(request, message);
  if (body.QueueUrl === undefined) return request;
  const port = request.headers.host?.split(':')[1] ?? '';
  const name = body.QueueUrl.split('/').at(-1);
  const QueueUrl = `http://sqs.${region}.localhost:${port}/${accountId}/${name}`;
  return { ...request, body: Buffer.from(JSON.stringify({ ...body, QueueUrl })) };
}

/** SQS, answered by the engine that listens on this port. */
export const sqsService = (port: number): AwsService => ({
  accesses: sqsAccesses,
  answer: (request, response) => forward(readdressed(request), response, port),
  refuse: refuseAsJson,
});
