import { Duration, Stack, Validations } from 'aws-cdk-lib';
import type { IRuleTarget } from 'aws-cdk-lib/aws-events';
import {
  type IRole,
  PolicyStatement,
  type PolicyStatementProps,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { WorkedQueue } from '#function/uses.ts';
import { queueMessageBytes, queueRetentionSeconds, visibilityTimeouts } from '#platform/aws/limits.ts';
import { type Environment, resourceName } from '../environments.ts';
import { type Binding, granting } from './resource.ts';

/**
 * Options of every queue: it accepts what SQS accepts, which was once less for a queue that did not say so, and a message
 * stays as long as SQS can keep it.
 */
const everyQueue = {
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  maxMessageSizeBytes: queueMessageBytes,
  retentionPeriod: Duration.seconds(queueRetentionSeconds),
} as const;

const deadQueue = (scope: Construct, name: string, deployment: Environment): Queue =>
  new Queue(scope, 'Dead', { ...everyQueue, queueName: resourceName(deployment.name, `${name}-dead`) });

/** The permission for these actions on a queue. */
const allowing = ({ queueArn }: Queue, ...actions: readonly string[]): PolicyStatementProps => ({
  actions: actions.map((action) => `sqs:${action}`),
  resources: [queueArn],
});

/** The dead-letter queue `<name>-dead` of a stream or a schedule. */
export function deadLetters(parent: Construct, name: string, deployment: Environment) {
  const queue = deadQueue(new Construct(parent, `${name}-queue`), name, deployment);
  Validations.of(queue).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason: 'It is itself a dead-letter queue, of a stream or a schedule.',
  });
  return {
    queueArn: queue.queueArn,
    /** The queue as where Lambda sends what failed. */
    onFailure: { bind: () => ({ destination: queue.queueArn }) },
    /** Allows to send to it. */
    sending: () => new PolicyStatement(allowing(queue, 'SendMessage')),
  };
}

interface QueueProps {
  readonly deployment: Environment;
  /** Timeout of the function that processes its messages. */
  readonly workerTimeoutSeconds: number;
  /** Deliveries of a message before it goes to the dead-letter queue. */
  readonly maxReceiveCount: number;
}

export type QueueWithDlq = ReturnType<typeof queueWithDlq>;

/**
 * A queue `<name>` with its dead-letter queue `<name>-dead`. Both are encrypted and keep messages for 14 days.
 */
export function queueWithDlq(
  parent: Construct,
  name: WorkedQueue,
  { deployment, workerTimeoutSeconds, maxReceiveCount }: QueueProps,
) {
  const scope = new Construct(parent, `${name}-queue`);
  const dead = deadQueue(scope, name, deployment);
  const queue = new Queue(scope, 'Queue', {
    ...everyQueue,
    queueName: resourceName(deployment.name, name),
    visibilityTimeout: Duration.seconds(visibilityTimeouts * workerTimeoutSeconds),
    deadLetterQueue: { queue: dead, maxReceiveCount },
  });
  return {
    name,
    /** Deliveries of a message. */
    maxReceiveCount,
    queueArn: queue.queueArn,
    /** The queue's URL, with the permission to send to it. */
    sends: granting(queue.queueUrl, allowing(queue, 'SendMessage')),
    /** The dead-letter queue's URL, with the permission to send messages there that can never be processed. */
    deadLetters: granting(dead.queueUrl, allowing(dead, 'SendMessage')),
    /** Grants a function's role what Lambda needs to poll the queue. */
    feeds: (role: IRole) =>
      role.addToPrincipalPolicy(
        new PolicyStatement(allowing(queue, 'ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes')),
      ),
    /** The queue as the target of a rule. Events that cannot be sent to it go to the dead-letter queue unchanged. */
    ruleTarget: {
      bind: ({ ruleRef: { ruleArn } }) => {
        for (const target of [queue, dead]) {
          target.addToResourcePolicy(
            new PolicyStatement({
              ...allowing(target, 'SendMessage'),
              principals: [new ServicePrincipal('events.amazonaws.com')],
              conditions: { ArnEquals: { 'aws:SourceArn': ruleArn } },
            }),
          );
        }
        return { arn: queue.queueArn, deadLetterConfig: { arn: dead.queueArn } };
      },
    } satisfies IRuleTarget,
    /** The URLs of both, and the permissions to move messages back. */
    urls: { queue: queue.queueUrl, dead: dead.queueUrl },
    redriving: [allowing(dead, 'ReceiveMessage', 'DeleteMessage'), allowing(queue, 'SendMessage')],
  };
}

/** URLs of queues and their dead-letter queues, as JSON, with the permissions to redrive. */
export const redrives = (scope: Construct, queues: readonly QueueWithDlq[]): Binding =>
  granting(
    Stack.of(scope).toJsonString(Object.fromEntries(queues.map(({ name, urls }) => [name, urls]))),
    ...queues.flatMap(({ redriving }) => redriving),
  );
