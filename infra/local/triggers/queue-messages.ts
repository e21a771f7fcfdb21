import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { queueBatchMessages } from '#platform/aws/limits.ts';
import { chunks } from '#platform/data/chunks.ts';
import { type Access, clientSettings } from '../aws/call.ts';
import { accountId, region } from '../template/template.ts';

export type { Message };

export type QueueMessages = ReturnType<typeof queueMessages>;

/** A queue, by its name or its ARN, with the permissions of the access key. */
export function queueMessages(nameOrArn: string, access: Access) {
  const queueName = nameOrArn.split(':').at(-1);
  const QueueUrl = `${access.endpoint}/${accountId}/${queueName}`;
  const client = new SQSClient(clientSettings(access));
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

/** Attributes that every message has. */
const systemAttributes = {
  ApproximateReceiveCount: '',
  SentTimestamp: '',
  SenderId: '',
  ApproximateFirstReceiveTimestamp: '',
};

/** A message in the form in which Lambda passes it to a function, but for its sender's attributes, which none reads. */
export const sqsRecord = (message: Message, queueArn: string): SQSRecord => ({
  messageId: message.MessageId ?? '',
  receiptHandle: message.ReceiptHandle ?? '',
  body: message.Body ?? '',
  attributes: { ...systemAttributes, ...message.Attributes },
  messageAttributes: {},
  md5OfBody: message.MD5OfBody ?? '',
  eventSource: 'aws:sqs',
  eventSourceARN: queueArn,
  awsRegion: region,
});

/** The event with which Lambda passes messages to a function. */
export const sqsEvent = (messages: readonly Message[], queueArn: string): SQSEvent => ({
  Records: messages.map((message) => sqsRecord(message, queueArn)),
});
