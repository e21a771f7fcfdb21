import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: the e2e setup has not run.`);
  return value;
};

const client = () =>
  new SQSClient({
    endpoint: setting('TEST_AWS_ENDPOINT'),
    region: 'us-east-1',
    credentials: { accessKeyId: setting('TEST_OPERATOR_KEY'), secretAccessKey: 'local' },
  });

/** Address of a queue of the local run: `registry-sync`, `registry-sync-dead`. */
const addressOf = (queue: string): string =>
  `${setting('TEST_AWS_ENDPOINT')}/000000000000/insurance-compliance-local-${queue}`;

/** Puts a message into a queue, as an operator. */
export async function sendMessage(queue: string, MessageBody: string): Promise<void> {
  await client().send(new SendMessageCommand({ QueueUrl: addressOf(queue), MessageBody }));
}

/** How many messages a queue holds, including those in flight. */
export async function messagesIn(queue: string): Promise<number> {
  const { Attributes = {} } = await client().send(
    new GetQueueAttributesCommand({ QueueUrl: addressOf(queue), AttributeNames: ['All'] }),
  );
  return [
    Attributes['ApproximateNumberOfMessages'],
    Attributes['ApproximateNumberOfMessagesNotVisible'],
    Attributes['ApproximateNumberOfMessagesDelayed'],
  ].reduce((sum, count) => sum + Number(count ?? 0), 0);
}
