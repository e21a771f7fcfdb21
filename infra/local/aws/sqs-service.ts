import * as z from 'zod/mini';
import { queueDelaySeconds } from '../../../shared/platform/aws/limits.ts';
import { traceAttribute, traceHeaderName } from '../functions/worker-messages.ts';
import { accountId, region } from '../template/template.ts';
import type { AccessRequest } from './policy-evaluation.ts';
import { AwsError, type AwsRequest, type AwsService, bodyOf, targetOf, unsupported } from './service.ts';

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
  Entries: z.optional(z.array(z.looseObject({ Id: z.string(), DelaySeconds: delay }))),
});
type Input = z.output<typeof input>;

const queueNameOf = ({ QueueName, QueueUrl }: Input): string =>
  QueueName ?? QueueUrl?.split('/').at(-1) ?? '';

/** What a call of SQS must be allowed to do. */
export function sqsAccesses(request: AwsRequest): AccessRequest[] {
  const { operation } = targetOf(request);
  if (!operations.has(operation)) throw unsupported(`sqs:${operation}`);
  const name = queueNameOf(bodyOf(request, input));
  // A batch needs the action of its single operation.
  return [
    {
      action: `sqs:${operation.replace(/Batch$/, '')}`,
      resource: `arn:aws:sqs:${region}:${accountId}:${name}`,
    },
  ];
}

type Delayed = Pick<Input, 'DelaySeconds'>;

const isOutOfRange = ({ DelaySeconds = 0 }: Delayed): boolean =>
  DelaySeconds < 0 || DelaySeconds > queueDelaySeconds;
const invalidDelay = ({ DelaySeconds }: Delayed): AwsError =>
  new AwsError(
    'InvalidParameterValue',
    `Value ${DelaySeconds} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= ${queueDelaySeconds}.`,
  );

const sentMessage = z.looseObject({ MessageId: z.optional(z.string()) });
const receivedMessage = z.looseObject({
  MessageId: z.string(),
  Attributes: z.optional(z.record(z.string(), z.string())),
});
const output = z.looseObject({
  MessageId: z.optional(z.string()),
  Successful: z.optional(z.array(sentMessage)),
  Failed: z.optional(z.array(z.unknown())),
  Messages: z.optional(z.array(receivedMessage)),
});

const contentType = 'application/x-amz-json-1.0';

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
  /** By message id; kept until the run ends, because a dead letter keeps its attributes too. */
  const traceHeaders = new Map<string, string>();
  const sending = new Set<Promise<unknown>>();

  const call = async ({ headers }: AwsRequest, body: Input): Promise<Answer> => {
    // The engine finds a queue by the URL that it gave it; of the caller's, only the name matters.
    const QueueUrl = `http://sqs.${region}.localhost:${port}/${accountId}/${queueNameOf(body)}`;
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: {
        'content-type': contentType,
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

  /** Sends messages; in a batch, only those with an invalid delay fail. */
  const send = async (request: AwsRequest, body: Input): Promise<Answer> => {
    if (isOutOfRange(body)) throw invalidDelay(body);
    const Entries = body.Entries?.filter((entry) => !isOutOfRange(entry));
    const refused = (body.Entries ?? []).filter(isOutOfRange).map((entry) => {
      const { code: Code, message: Message } = invalidDelay(entry);
      return { Id: entry.Id, SenderFault: true, Code, Message };
    });
    const answer: Answer =
      Entries?.length === 0 && refused.length > 0
        ? { status: 200, headers: { 'content-type': contentType }, body: { Successful: [] } }
        : await call(request, { ...body, Entries });
    const { MessageId, Successful = [], Failed = [] } = answer.body;
    const traceHeader = request.headers[traceHeaderName];
    if (typeof traceHeader === 'string') {
      for (const one of [{ MessageId }, ...Successful]) {
        if (one.MessageId !== undefined) traceHeaders.set(one.MessageId, traceHeader);
      }
    }
    return refused.length === 0
      ? answer
      : { ...answer, body: { ...answer.body, Failed: [...Failed, ...refused] } };
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
    const sent = send(request, body).finally(() => sending.delete(sent));
    sending.add(sent);
    return sent;
  };

  return {
    accesses: sqsAccesses,
    async answer(request, response) {
      const { status, headers, body } = await answerOf(request);
      response.writeHead(status, headers).end(JSON.stringify(body));
    },
  };
}
