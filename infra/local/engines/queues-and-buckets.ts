import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { type CorsRule, corsConfiguration } from '../aws/s3-service.ts';
import { type Access, clientSettings } from '../aws/service.ts';
import { propertiesOf, type Resource } from '../template/template.ts';

const setting = z.optional(z.union([z.string(), z.number(), z.boolean()]));
const anything = z.optional(z.unknown());

/** Attributes of a queue with the same names in CreateQueue. */
const queueAttributes = {
  DelaySeconds: setting,
  MaximumMessageSize: setting,
  MessageRetentionPeriod: setting,
  ReceiveMessageWaitTimeSeconds: setting,
  VisibilityTimeout: setting,
} as const;

const queueProperties = z.strictObject({
  QueueName: z.optional(z.string()),
  RedrivePolicy: z.optional(z.record(z.string(), z.unknown())),
  ...queueAttributes,
  // No effect locally.
  SqsManagedSseEnabled: anything,
  Tags: anything,
});

/** Supported properties of a bucket. Only CORS has an effect locally. */
const bucketProperties = z.strictObject({
  BucketName: anything,
  BucketEncryption: anything,
  CorsConfiguration: z.optional(corsConfiguration),
  LifecycleConfiguration: anything,
  PublicAccessBlockConfiguration: anything,
  Tags: anything,
  VersioningConfiguration: anything,
});

/** Input of CreateQueue for a queue of the template. */
export function queuePlan(name: string, properties: unknown) {
  const { RedrivePolicy, ...queue } = z.parse(queueProperties, properties);
  const attributes = Object.entries(queue)
    .filter(([attribute]) => Object.hasOwn(queueAttributes, attribute))
    .map(([attribute, value]) => [attribute, String(value)]);
  return {
    QueueName: name,
    Attributes: {
      ...Object.fromEntries(attributes),
      ...(RedrivePolicy === undefined ? {} : { RedrivePolicy: JSON.stringify(RedrivePolicy) }),
    },
  };
}

/** The CORS rule of each bucket, by its name. */
export const corsRulesOf = (buckets: readonly Resource[]): ReadonlyMap<string, CorsRule | undefined> =>
  new Map(
    buckets.map((bucket) => [
      bucket.ref,
      propertiesOf(bucket, bucketProperties).CorsConfiguration?.CorsRules[0],
    ]),
  );

/** Creates the queues and buckets of the deployment through the AWS endpoint, as the operator. */
export async function createQueuesAndBuckets(
  resources: { readonly queues: readonly Resource[]; readonly buckets: readonly Resource[] },
  operator: Access,
): Promise<void> {
  const settings = clientSettings(operator);
  const sqs = new SQSClient(settings);
  const s3 = new S3Client({ ...settings, forcePathStyle: true });
  await Promise.all([
    ...resources.queues.map((queue) =>
      sqs.send(new CreateQueueCommand(queuePlan(queue.attributes['QueueName'] ?? '', queue.properties()))),
    ),
    ...resources.buckets.map((bucket) => s3.send(new CreateBucketCommand({ Bucket: bucket.ref }))),
  ]);
}

export type Fauxqs = Awaited<ReturnType<typeof startFauxqs>>;

/** The engine's module with the pattern of invalid message characters, which the package does not export. */
const characters = pathToFileURL(join('node_modules', 'fauxqs', 'dist', 'sqs', 'sqsTypes.js')).href;

/**
 * A string and not a file, so that it is imported as an ES module regardless of how this module is loaded. The engine
 * rejects characters beyond the basic plane, such as emoji, which SQS accepts
 * (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html).
 */
const program = `
const { parentPort } = require('node:worker_threads');
Promise.all([import('fauxqs'), import(${JSON.stringify(characters)})]).then(async ([{ buildApp }, { INVALID_MESSAGE_BODY_CHAR }]) => {
  const invalid = /[^\\x09\\x0A\\x0D\\x20-\\uD7FF\\uE000-\\uFFFD\\u{10000}-\\u{10FFFF}]/u;
  INVALID_MESSAGE_BODY_CHAR.test = (body) => invalid.test(body);
  const app = buildApp({ logger: false });
  await app.listen({ port: 0, host: '127.0.0.1' });
  parentPort.postMessage(app.server.address().port);
});
`;

/** Starts the engine that emulates SQS and S3 in memory, in a worker thread. */
export async function startFauxqs() {
  const worker = new Worker(program, { eval: true, env: {} });
  const endMessage = new Promise<string>((resolve) => {
    worker.once('exit', (code) => resolve(`fauxqs, which emulates SQS and S3, ended with code ${code}`));
  });
  const port = await new Promise<number>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    void endMessage.then((end) => reject(new Error(end)));
  });
  return {
    port,
    /** Resolves when the engine has ended, to a description of its end. */
    ended: endMessage,
    stop: async (): Promise<void> => {
      await worker.terminate();
    },
  };
}
