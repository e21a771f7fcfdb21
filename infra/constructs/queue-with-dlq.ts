import { Duration, Stack, Validations } from 'aws-cdk-lib';
import type { IRuleTarget } from 'aws-cdk-lib/aws-events';
import { type IRole, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { WorkedQueue } from '../../shared/domain/queues.ts';
import {
  queueMessageBytes,
  queueRetentionSeconds,
  visibilityTimeouts,
} from '../../shared/platform/aws/limits.ts';
import { type Environment, resourceName } from '../environments.ts';
import type { Binding } from './binding.ts';

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

/** The dead-letter queue `<name>-dead` of a stream or a schedule. */
export class DeadLetters extends Construct {
  readonly queueArn: string;
  readonly #queue: Queue;

  constructor(scope: Construct, name: string, deployment: Environment) {
    super(scope, `${name}-queue`);
    this.#queue = new Queue(this, 'Dead', {
      ...everyQueue,
      queueName: resourceName(deployment.name, `${name}-dead`),
    });
    this.queueArn = this.#queue.queueArn;
    Validations.of(this.#queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is itself a dead-letter queue, of a stream or a schedule.',
    });
  }

  /** Allows to send to it. */
  sending(): PolicyStatement {
    return new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [this.queueArn] });
  }
}

interface QueueProps {
  readonly deployment: Environment;
  /** Timeout of the function that processes its messages. */
  readonly workerTimeout: Duration;
  /** How often a message is delivered before it goes to the dead-letter queue. */
  readonly maxReceiveCount: number;
}

/**
 * A queue `<name>` with its dead-letter queue `<name>-dead`. Both are encrypted and keep messages for 14 days.
 */
export class QueueWithDlq extends Construct {
  readonly name: WorkedQueue;
  readonly workerTimeout: Duration;
  readonly queueArn: string;
  readonly #queue: Queue;
  readonly #dead: Queue;
  /** How often a message is delivered. */
  readonly maxReceiveCount: number;

  constructor(scope: Construct, name: WorkedQueue, props: QueueProps) {
    super(scope, `${name}-queue`);
    const { deployment, maxReceiveCount, workerTimeout } = props;
    const visibilityTimeout = Duration.seconds(visibilityTimeouts * workerTimeout.toSeconds());
    this.name = name;
    this.maxReceiveCount = maxReceiveCount;
    this.workerTimeout = workerTimeout;
    this.#dead = new Queue(this, 'Dead', {
      ...everyQueue,
      queueName: resourceName(deployment.name, `${name}-dead`),
    });
    this.#queue = new Queue(this, 'Queue', {
      ...everyQueue,
      queueName: resourceName(deployment.name, name),
      visibilityTimeout,
      deadLetterQueue: { queue: this.#dead, maxReceiveCount },
    });
    this.queueArn = this.#queue.queueArn;
  }

  /** The queue's URL, with the permission to send to it. */
  sends(): Binding {
    return { value: this.#queue.queueUrl, grant: (role) => allow(role, this.#queue, 'SendMessage') };
  }

  /** The dead-letter queue's URL, with the permission to send messages there that can never be processed. */
  deadLetters(): Binding {
    return { value: this.#dead.queueUrl, grant: (role) => allow(role, this.#dead, 'SendMessage') };
  }

  /** Grants a function's role what Lambda needs to poll the queue. */
  feeds(role: IRole): void {
    allow(role, this.#queue, 'ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes');
  }

  /** The queue as the target of a rule. Events that cannot be sent to it go to the dead-letter queue unchanged. */
  ruleTarget(): IRuleTarget {
    return {
      bind: ({ ruleRef: { ruleArn } }) => {
        for (const queue of [this.#queue, this.#dead]) {
          queue.addToResourcePolicy(
            new PolicyStatement({
              principals: [new ServicePrincipal('events.amazonaws.com')],
              actions: ['sqs:SendMessage'],
              resources: [queue.queueArn],
              conditions: { ArnEquals: { 'aws:SourceArn': ruleArn } },
            }),
          );
        }
        return { arn: this.queueArn, deadLetterConfig: { arn: this.#dead.queueArn } };
      },
    };
  }

  /** URLs of queues and their dead-letter queues, as JSON, with the permissions to redrive. */
  static redrives(scope: Construct, queues: readonly QueueWithDlq[]): Binding {
    return {
      value: Stack.of(scope).toJsonString(
        Object.fromEntries(
          queues.map((one) => [one.name, { queue: one.#queue.queueUrl, dead: one.#dead.queueUrl }]),
        ),
      ),
      grant: (role) => {
        for (const one of queues) {
          allow(role, one.#dead, 'ReceiveMessage', 'DeleteMessage');
          allow(role, one.#queue, 'SendMessage');
        }
      },
    };
  }
}

function allow(role: IRole, queue: Queue, ...actions: string[]): void {
  role.addToPrincipalPolicy(
    new PolicyStatement({ actions: actions.map((action) => `sqs:${action}`), resources: [queue.queueArn] }),
  );
}
