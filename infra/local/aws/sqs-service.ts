import * as z from 'zod/mini';
import { queueDelaySeconds } from '#platform/aws/limits.ts';
import { traceAttribute, traceHeaderName } from '../functions/worker-messages.ts';
import { accountId, region } from '../template/template.ts';
import type { AccessRequest } from './policy-evaluation.ts';
import { AwsError, type AwsRequest, type AwsService, bodyOf, targetOf, unsupportedCall } from './service.ts';

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

const sentMessage = z.looseObject({ MessageId: z.optional(z.string()) });
const receivedMessage = z.looseObject({
  MessageId: z.string(),
  Attributes: z.optional(z.record(z.string(), z.string())),
});
const output = z.looseObject({
  MessageId: z.optional(z.string()),
  Successful: z.optional(z.array(sentMessage)),
  Messages: z.optional(z.array(receivedMessage)),
});

/** A response of the engine. */
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: z.output<typeof output>;
}

/**
 * SQS, backed by the engine on this port. What the engine does not do is done here: it rejects delays that are out of
 * range, and stores the trace header with which a message was sent.
 */
export function sqsService(port: number): AwsService {
  /** Trace headers by message id; kept until the run ends, because a dead letter keeps its attributes too. */
  const traceHeaders = new Map<string, string>();
  const sending = new Set<Promise<unknown>>();

  const call = async ({ headers }: AwsRequest, body: Input): Promise<Answer> => {
    // The engine finds a queue by the URL that it gave it; of the caller's, only the name matters.
    const QueueUrl = `http://sqs.${region}.localhost:${port}/${accountId}/${queueNameOf(body)}`;
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': String(headers['x-amz-target']),
        authorization: String(headers.authorization),
      },
      body: JSON.stringify({
        ...body,
        ...(body.QueueUrl === undefined ? {} : { QueueUrl }),
      }),
    });
    const { connection: _, 'content-length': __, ...rest } = Object.fromEntries(answer.headers);
    const text = await answer.text();
    return { status: answer.status, headers: rest, body: z.parse(output, JSON.parse(text || '{}')) };
  };

  const send = async (request: AwsRequest, body: Input): Promise<Answer> => {
    checkDelays(body);
    const answer = await call(request, body);
    const { MessageId, Successful = [] } = answer.body;
    const traceHeader = request.headers[traceHeaderName];
    if (typeof traceHeader === 'string') {
      for (const message of [{ MessageId }, ...Successful]) {
        if (message.MessageId !== undefined) traceHeaders.set(message.MessageId, traceHeader);
      }
    }
    return answer;
  };

  /** Receives messages, each with its trace header as the attribute `AWSTraceHeader`. */
  const receive = async (request: AwsRequest, body: Input): Promise<Answer> => {
    const answer = await call(request, body);
    // A message may be received before its sender has the response with its id.
    await Promise.allSettled(sending);
    const Messages = answer.body.Messages?.map((message) => {
      const header = traceHeaders.get(message.MessageId);
      const Attributes = { ...message.Attributes, ...(header && { [traceAttribute]: header }) };
      return { ...message, Attributes };
    });
    return { ...answer, body: { ...answer.body, Messages } };
  };

  const answerOf = (request: AwsRequest): Promise<Answer> => {
    const { operation } = targetOf(request);
    const body = bodyOf(request, input);
    if (operation === 'ReceiveMessage') return receive(request, body);
    if (!operation.startsWith('SendMessage')) return call(request, body);
    const sendCall = send(request, body).finally(() => sending.delete(sendCall));
    sending.add(sendCall);
    return sendCall;
  };

  return {
    accesses: sqsAccesses,
    async answer(request, response) {
      const { status, headers, body } = await answerOf(request);
      response.writeHead(status, headers).end(JSON.stringify(body));
    },
  };
}
