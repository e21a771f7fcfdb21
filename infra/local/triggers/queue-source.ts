// A queue's messages: how they are received, sent, and passed to a function.
import { setTimeout as pause } from 'node:timers/promises';
import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { queueBatchMessages, queueWaitSeconds } from '#platform/aws/limits.ts';
import { chunks } from '#platform/data/concurrently.ts';
import { type Access, clientSettings } from '../aws/service.ts';
import { traceAttribute } from '../functions/worker-messages.ts';
import { accountId } from '../template/template.ts';
import { partsOf, type QueueMapping, reportedFailures } from './mapping.ts';

export type QueueMessages = ReturnType<typeof queueMessages>;

/** A queue, by its name or its ARN, with the permissions of the access key. */
export function queueMessages(nameOrArn: string, access: Access) {
  const queueName = nameOrArn.split(':').at(-1);
  const QueueUrl = `${access.endpoint}/${accountId}/${queueName}`;
  // The engine may close a connection that the client is about to use.
  const client = new SQSClient({ ...clientSettings(access), maxAttempts: 3 });
  return {
    /** Waits for messages, for `WaitTimeSeconds` at most. */
    async receive(limit: number, WaitTimeSeconds: number, abortSignal: AbortSignal): Promise<Message[]> {
      const command = new ReceiveMessageCommand({
        QueueUrl,
        WaitTimeSeconds,
        MaxNumberOfMessages: Math.min(limit, queueBatchMessages),
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      });
      return (await client.send(command, { abortSignal })).Messages ?? [];
    },
    async send(MessageBody: string): Promise<void> {
      await client.send(new SendMessageCommand({ QueueUrl, MessageBody }));
    },
    async delete(messages: readonly Message[]): Promise<void> {
      for (const batch of chunks(messages, { count: queueBatchMessages })) {
        const Entries = batch.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
        const { Failed = [] } = await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
        if (Failed.length > 0) throw new Error(`Messages of ${queueName} were not deleted.`);
      }
    },
    async attributes(): Promise<Readonly<Record<string, string>>> {
      const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] });
      return (await client.send(command)).Attributes ?? {};
    },
  };
}

/** A message as Lambda passes it to a function, as far as functions read it. */
const sqsRecord = ({ MessageId, Body, Attributes }: Message, eventSourceARN: string) => ({
  messageId: MessageId,
  body: Body,
  attributes: Attributes,
  eventSource: 'aws:sqs',
  eventSourceARN,
});

interface QueueSourceOptions {
  readonly mapping: QueueMapping;
  readonly queue: QueueMessages;
  /** Invokes the function for messages that were sent with these trace headers. */
  readonly invoke: (event: unknown, causes: readonly string[]) => Promise<unknown>;
  /** Called with errors of the queue; those of the function are in its own log. */
  readonly onFault: (message: string) => void;
}

const faultPauseMs = 1_000;

/**
 * The messages that a function's result reports as done. As in Lambda, a malformed result, or one with a message that is
 * not in the batch, fails the whole batch.
 */
export function doneMessages(messages: readonly Message[], answer: unknown): readonly Message[] {
  const failedIds = reportedFailures(answer);
  if (failedIds === undefined) return [];
  const ids = new Set(messages.map(({ MessageId = '' }) => MessageId));
  if (Array.from(failedIds).some((id) => !ids.has(id))) return [];
  return messages.filter(({ MessageId = '' }) => !failedIds.has(MessageId));
}

/**
 * Passes a queue's messages to a function as Lambda does. Failed messages stay in the queue, which delivers them again
 * after the visibility timeout and finally moves them to the dead-letter queue.
 */
export function queueSource({ mapping, queue, invoke, onFault }: QueueSourceOptions) {
  const { BatchSize, ScalingConfig, EventSourceArn } = mapping;
  const stopping = new AbortController();
  const deliveries = new Set<Promise<void>>();
  let polling: Promise<void> = Promise.resolve();

  const deliver = async (batch: readonly Message[]): Promise<void> => {
    let answer: unknown;
    try {
      const causes = batch.flatMap(
        ({ MessageAttributes }) => MessageAttributes?.[traceAttribute]?.StringValue ?? [],
      );
      answer = await invoke({ Records: batch.map((message) => sqsRecord(message, EventSourceArn)) }, causes);
    } catch {
      // Including messages that Lambda drops as recursive. How they get to the dead-letter queue is not documented; only
      // the queue itself can move them there, so they fail until their receive count is exhausted.
      return;
    }
    try {
      await queue.delete(doneMessages(batch, answer));
    } catch (error) {
      onFault(String(error));
    }
  };

  const deliverParts = async (batch: readonly Message[]): Promise<void> => {
    for (const part of partsOf(batch, (message) => sqsRecord(message, EventSourceArn))) await deliver(part);
  };

  const poll = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        while (deliveries.size >= ScalingConfig.MaximumConcurrency) await Promise.race(deliveries);
        const batch = await queue.receive(BatchSize, queueWaitSeconds, stopping.signal);
        if (batch.length === 0) continue;
        const delivery = deliverParts(batch).finally(() => deliveries.delete(delivery));
        deliveries.add(delivery);
      } catch (error) {
        if (stopping.signal.aborted) return;
        onFault(String(error));
        await pause(faultPauseMs);
      }
    }
  };

  return {
    /** Passes on all messages from now on. */
    async start(): Promise<void> {
      polling = poll();
    },
    /** Whether no messages are waiting or being processed. */
    async idle(): Promise<boolean> {
      if (deliveries.size > 0) return false;
      const attributes = await queue.attributes();
      // Delayed messages, such as a retry in five minutes, do not count.
      const waiting = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'].some(
        (name) => Number(attributes[name] ?? 0) > 0,
      );
      return !waiting && deliveries.size === 0;
    },
    /** Stops polling; resolves when the messages in progress are done. */
    async stop(): Promise<void> {
      stopping.abort();
      await polling;
      await Promise.all(deliveries);
    },
  };
}
