import type { SQSEvent, SQSMessageAttributes, SQSRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import { queueBatchMessages } from '../../../shared/aws/limits.ts';
import { type Access, callSqs } from '../aws/call.ts';
import { accountId, region } from '../template/physical-resources.ts';

const message = z.object({
  MessageId: z.string(),
  ReceiptHandle: z.string(),
  Body: z.string(),
  MD5OfBody: z.string(),
  Attributes: z.record(z.string(), z.string()),
  MessageAttributes: z.optional(
    z.record(
      z.string(),
      z.object({
        DataType: z.string(),
        StringValue: z.optional(z.string()),
        BinaryValue: z.optional(z.string()),
      }),
    ),
  ),
});

export type Message = z.output<typeof message>;

const received = z.object({ Messages: z._default(z.array(message), []) });
const deleted = z.object({ Failed: z._default(z.array(z.object({ Message: z.optional(z.string()) })), []) });
const attributes = z.object({ Attributes: z.record(z.string(), z.string()) });

/** A queue, as whoever holds the access key may use it. */
export interface QueueMessages {
  /** Waits until there is a message, so many seconds at most. */
  receive(limit: number, waitSeconds: number, signal: AbortSignal): Promise<Message[]>;
  delete(messages: readonly Message[]): Promise<void>;
  attributes(): Promise<Readonly<Record<string, string>>>;
}

export function queueMessages(queueName: string, access: Access): QueueMessages {
  const QueueUrl = `${access.endpoint}/${accountId}/${queueName}`;
  return {
    async receive(limit, WaitTimeSeconds, signal) {
      const input = {
        QueueUrl,
        WaitTimeSeconds,
        MaxNumberOfMessages: Math.min(limit, queueBatchMessages),
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      };
      return (await callSqs(access, 'ReceiveMessage', input, { answer: received, signal })).Messages;
    },
    async delete(messages) {
      for (let start = 0; start < messages.length; start += queueBatchMessages) {
        const Entries = messages
          .slice(start, start + queueBatchMessages)
          .map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
        const { Failed } = await callSqs(
          access,
          'DeleteMessageBatch',
          { QueueUrl, Entries },
          { answer: deleted },
        );
        if (Failed.length > 0) throw new Error(`Messages of ${queueName} were not deleted.`);
      }
    },
    async attributes() {
      const input = { QueueUrl, AttributeNames: ['All'] };
      return (await callSqs(access, 'GetQueueAttributes', input, { answer: attributes })).Attributes;
    },
  };
}

/** A message as Lambda hands it to a function. */
export const sqsRecord = (one: Message, queueArn: string): SQSRecord => ({
  messageId: one.MessageId,
  receiptHandle: one.ReceiptHandle,
  body: one.Body,
  attributes: {
    ...one.Attributes,
    ApproximateReceiveCount: one.Attributes['ApproximateReceiveCount'] ?? '',
    SentTimestamp: one.Attributes['SentTimestamp'] ?? '',
    SenderId: one.Attributes['SenderId'] ?? '',
    ApproximateFirstReceiveTimestamp: one.Attributes['ApproximateFirstReceiveTimestamp'] ?? '',
  },
  messageAttributes: messageAttributes(one),
  md5OfBody: one.MD5OfBody,
  eventSource: 'aws:sqs',
  eventSourceARN: queueArn,
  awsRegion: region,
});

/** The event with which Lambda hands messages to a function. */
export const sqsEvent = (messages: readonly Message[], queueArn: string): SQSEvent => ({
  Records: messages.map((one) => sqsRecord(one, queueArn)),
});

const messageAttributes = ({ MessageAttributes = {} }: Message): SQSMessageAttributes =>
  Object.fromEntries(
    Object.entries(MessageAttributes).map(([name, { DataType, StringValue, BinaryValue }]) => [
      name,
      {
        dataType: DataType,
        ...(StringValue === undefined ? {} : { stringValue: StringValue }),
        ...(BinaryValue === undefined ? {} : { binaryValue: BinaryValue }),
      },
    ]),
  );
