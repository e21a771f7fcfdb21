import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { type Access, clientSettings } from '../aws/call.ts';
import { type CorsRule, corsConfiguration } from '../aws/cors.ts';
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
    buckets.map((one) => [one.ref, propertiesOf(one, bucketProperties).CorsConfiguration?.CorsRules[0]]),
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
