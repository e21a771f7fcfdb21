import * as z from 'zod/mini';
import { traceHeaderName } from '../functions/trace-header.ts';
import { accountId, region } from '../template/physical-resources.ts';
import { ask, type EngineAnswer, pass } from './forward.ts';
import { createMessageTraces } from './message-traces.ts';
import type { Access } from './policy-evaluation.ts';
import { withinDelay } from './queue-delays.ts';
import { type AwsRequest, type AwsService, bodyOf, refuseAsJson, targetOf, unsupported } from './service.ts';

/** The IAM action of each operation; a batch needs that of its single operation. */
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

/** What a call of SQS must be allowed to do. */
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

/** Converts the times of a message or a queue from a faster clock to the engine's. */
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

/** Replaces the queue URL, of which only the name matters here, by the one that the engine expects. */
function readdressed(request: AwsRequest, speed: number): AwsRequest {
  const body = hastened(bodyOf(request, message), speed);
  if (body.QueueUrl === undefined) return { ...request, body: Buffer.from(JSON.stringify(body)) };
  const port = request.headers.host?.split(':')[1] ?? '';
  const name = body.QueueUrl.split('/').at(-1);
  const QueueUrl = `http://sqs.${region}.localhost:${port}/${accountId}/${name}`;
  return { ...request, body: Buffer.from(JSON.stringify({ ...body, QueueUrl })) };
}

/** SQS, backed by the engine on this port. `speed` is how much faster the clocks of its callers run. */
export function sqsService(port: number, speed = 1): AwsService {
  const traces = createMessageTraces();

  const answerOf = (request: AwsRequest): Promise<EngineAnswer> => {
    const send = (): Promise<EngineAnswer> => ask(readdressed(request, speed), port);
    const { operation } = targetOf(request);
    const traceHeader = request.headers[traceHeaderName];
    if (operation === 'ReceiveMessage') return traces.receive(send);
    if (!operation.startsWith('SendMessage') || typeof traceHeader !== 'string') return send();
    return traces.send(traceHeader, send);
  };

  return {
    accesses: sqsAccesses,
    answer: async (request, response) => pass(await withinDelay(request, answerOf), response),
    refuse: refuseAsJson,
  };
}
