import { Duration, Stack } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IRuleTarget } from 'aws-cdk-lib/aws-events';
import { type IRole, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { WorkedQueue } from '../capacity.ts';
import { type Environment, resourceName } from '../environments.ts';
import { type Binding, plain } from './binding.ts';
import { everyQueue } from './dead-letters.ts';

interface QueueProps {
  readonly deployment: Environment;
  /** Time limit of the function that works on it. */
  readonly workerTimeout: Duration;
  /** How often a message is delivered before it goes to the dead-letter queue. */
  readonly maxReceiveCount: number;
  /** Above this age of its oldest message the queue is behind; a quarter of an hour unless told. */
  readonly behindAfter?: Duration;
}

/**
 * A queue, and beside it the queue of what could not be done: `<name>` and `<name>-dead`. Both are encrypted, and a
 * message stays 14 days in either.
 */
export class QueueWithDlq extends Construct {
  readonly name: WorkedQueue;
  readonly workerTimeout: Duration;
  readonly behindAfter: Duration;
  readonly queueArn: string;
  readonly #queue: Queue;
  readonly #dead: Queue;
  readonly #maxReceiveCount: number;

  constructor(scope: Construct, name: WorkedQueue, props: QueueProps) {
    super(scope, `${name}-queue`);
    // A message that fails once or twice is not older; the queue of one that does fail more often is behind.
    const { deployment, maxReceiveCount, workerTimeout, behindAfter = Duration.minutes(15) } = props;
    this.name = name;
    this.#maxReceiveCount = maxReceiveCount;
    this.workerTimeout = workerTimeout;
    this.behindAfter = behindAfter;
    this.#dead = new Queue(this, 'Dead', {
      ...everyQueue,
      queueName: resourceName(deployment.name, `${name}-dead`),
    });
    this.#queue = new Queue(this, 'Queue', {
      ...everyQueue,
      queueName: resourceName(deployment.name, name),
      // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html: six times the function's limit, so
      // that a message is not delivered again while Lambda still tries to start the function for it.
      visibilityTimeout: Duration.seconds(6 * workerTimeout.toSeconds()),
      deadLetterQueue: { queue: this.#dead, maxReceiveCount },
    });
    this.queueArn = this.#queue.queueArn;
  }

  /** The queue's address together with the permission to send to it. */
  sends(): Binding {
    return { value: this.#queue.queueUrl, grant: (role) => allow(role, this.#queue, 'SendMessage') };
  }

  /**
   * What the queue's worker is given: the dead-letter queue's address with the permission to send to it, for what can
   * never be done, and how often a message is delivered.
   */
  workerUses(): { readonly DEAD_LETTER_QUEUE_URL: Binding; readonly MAX_RECEIVE_COUNT: Binding } {
    return {
      DEAD_LETTER_QUEUE_URL: {
        value: this.#dead.queueUrl,
        grant: (role) => allow(role, this.#dead, 'SendMessage'),
      },
      MAX_RECEIVE_COUNT: plain(String(this.#maxReceiveCount)),
    };
  }

  /** What Lambda needs of a function's role to hand it the queue's messages. */
  feeds(role: IRole): void {
    allow(role, this.#queue, 'ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes');
  }

  /** Has a rule of a bus put events into the queue. What it can't put there goes to the dead-letter queue, as it is. */
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

  /** Addresses of queues and of their dead-letter queues, as JSON, together with the permission to redrive. */
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

  /** Messages in the dead-letter queue. */
  deadMessages(period: Duration): IMetric {
    return this.#dead.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum', period });
  }

  /** Seconds that the oldest message has been waiting. */
  oldestMessageAge(period: Duration): IMetric {
    return this.#queue.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum', period });
  }
}

function allow(role: IRole, queue: Queue, ...actions: string[]): void {
  role.addToPrincipalPolicy(
    new PolicyStatement({
      actions: actions.map((action) => `sqs:${action}`),
      resources: [queue.queueArn],
    }),
  );
}
