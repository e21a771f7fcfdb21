import * as z from 'zod/mini';
import { traceAttribute } from '../functions/trace-header.ts';
import type { EngineAnswer } from './forward.ts';

const sent = z.object({
  MessageId: z.optional(z.string()),
  Successful: z.optional(z.array(z.object({ MessageId: z.string() }))),
});

const received = z.looseObject({
  Messages: z.optional(
    z.array(
      z.looseObject({ MessageId: z.string(), Attributes: z.optional(z.record(z.string(), z.string())) }),
    ),
  ),
});

/** Trace headers of messages, which SQS stores with the messages and the engine does not. */
export interface MessageTraces {
  /** Sends messages with a header and stores it for each message that the engine accepted. */
  send(traceHeader: string, ask: () => Promise<EngineAnswer>): Promise<EngineAnswer>;
  /** Receives messages, each with its header as the attribute `AWSTraceHeader`. */
  receive(ask: () => Promise<EngineAnswer>): Promise<EngineAnswer>;
}

export function createMessageTraces(): MessageTraces {
  /** By message id; kept until the run ends, because a dead letter keeps its attributes too. */
  const headers = new Map<string, string>();
  const sending = new Set<Promise<unknown>>();

  return {
    send(traceHeader, ask) {
      const sends = ask()
        .then((answer) => {
          if (answer.status !== 200) return answer;
          const { MessageId, Successful = [] } = z.parse(sent, JSON.parse(answer.body.toString('utf8')));
          const ids = [
            ...(MessageId === undefined ? [] : [MessageId]),
            ...Successful.map((one) => one.MessageId),
          ];
          for (const id of ids) headers.set(id, traceHeader);
          return answer;
        })
        .finally(() => sending.delete(sends));
      sending.add(sends);
      return sends;
    },
    async receive(ask) {
      const answer = await ask();
      if (answer.status !== 200) return answer;
      // A message may be received before its sender has the response with its id.
      await Promise.allSettled(sending);
      const body = z.parse(received, JSON.parse(answer.body.toString('utf8')));
      const Messages = body.Messages?.map((message) => {
        const header = headers.get(message.MessageId);
        return header === undefined
          ? message
          : { ...message, Attributes: { ...message.Attributes, [traceAttribute]: header } };
      });
      return { ...answer, body: Buffer.from(JSON.stringify({ ...body, Messages })) };
    },
  };
}
