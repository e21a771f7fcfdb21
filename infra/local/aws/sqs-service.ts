import * as z from 'zod/mini';
import { traceHeaderName } from '../functions/trace-header.ts';
import { accountId, region } from '../template/physical-resources.ts';
import { ask, type EngineAnswer, pass } from './forward.ts';
import { createMessageTraces } from './message-traces.ts';
import type { Access } from './policy-evaluation.ts';
import { withinDelay } from './queue-delays.ts';
import { type AwsRequest, type AwsService, bodyOf, refuseAsJson, targetOf, unsupported } from './service.ts';

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

const sent = { DelaySeconds: z.optional(z.number()) };
const message = z.looseObject({
  QueueUrl: z.optional(z.string()),
  ...sent,
  Entries: z.optional(z.array(z.looseObject(sent))),
  Attributes: z.optional(z.looseObject({ VisibilityTimeout: z.optional(z.string()) })),
});
type Message = z.output<typeof message>;

/** Times of a message or a queue, in seconds of a clock that goes faster than the engine's. */
function hastened(body: Message, speed: number): Message {
  const seconds = (given: number): number => Math.ceil(given / speed);
  const delayed = <One extends { readonly DelaySeconds?: number | undefined }>(one: One): One =>
    one.DelaySeconds === undefined ? one : { ...one, DelaySeconds: seconds(one.DelaySeconds) };
  const { Entries, Attributes } = body;
  const visibility = Attributes?.VisibilityTimeout;
  return {
    ...delayed(body),
    ...(Entries === undefined ? {} : { Entries: Entries.map(delayed) }),
    ...(visibility === undefined
      ? {}
      : { Attributes: { ...Attributes, VisibilityTimeout: String(seconds(Number(visibility))) } }),
  };
}

/** The engine knows a queue by one whole address, with a host of its own making; here a queue is known by its name. */
function readdressed(request: AwsRequest, speed: number): AwsRequest {
  const body = hastened(bodyOf(request, message), speed);
  if (body.QueueUrl === undefined) return { ...request, body: Buffer.from(JSON.stringify(body)) };
  const port = request.headers.host?.split(':')[1] ?? '';
  const name = body.QueueUrl.split('/').at(-1);
  const QueueUrl = `http://sqs.${region}.localhost:${port}/${accountId}/${name}`;
  return { ...request, body: Buffer.from(JSON.stringify({ ...body, QueueUrl })) };
}

/** SQS, answered by the engine that listens on this port; its callers' clocks go so many times faster. */
export function sqsService(port: number, speed = 1): AwsService {
  const traces = createMessageTraces();

  const answerOf = (request: AwsRequest): Promise<EngineAnswer> => {
    const asked = (): Promise<EngineAnswer> => ask(readdressed(request, speed), port);
    const { operation } = targetOf(request);
    const traceHeader = request.headers[traceHeaderName];
    if (operation === 'ReceiveMessage') return traces.receive(asked);
    if (!operation.startsWith('SendMessage') || typeof traceHeader !== 'string') return asked();
    return traces.send(traceHeader, asked);
  };

  return {
    accesses: sqsAccesses,
    answer: async (request, response) => pass(await withinDelay(request, answerOf), response),
    refuse: refuseAsJson,
  };
}
