import { Duration, Validations } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { queueRetentionSeconds } from '../../shared/aws/limits.ts';
import { type Environment, resourceName } from '../environments.ts';

/** What all queues have in common: a message stays as long as SQS keeps one. */
export const everyQueue = {
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  retentionPeriod: Duration.seconds(queueRetentionSeconds),
} as const;

/** The queue `<name>-dead` of calls that could not be made, where they are not a queue's messages: it tells on-call. */
export class DeadLetters extends Construct {
  readonly name: string;
  readonly queueArn: string;
  readonly #queue: Queue;

  constructor(scope: Construct, name: string, deployment: Environment) {
    super(scope, `${name}-queue`);
    this.name = name;
    this.#queue = new Queue(this, 'Dead', {
      ...everyQueue,
      queueName: resourceName(deployment.name, `${name}-dead`),
    });
    this.queueArn = this.#queue.queueArn;
    Validations.of(this.#queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is a dead-letter queue itself, though not of a queue.',
    });
  }

  /** Lets a role send to it. */
  grantSend(role: IRole): void {
    role.addToPrincipalPolicy(
      new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [this.queueArn] }),
    );
  }

  /** Messages in it. */
  messages(period: Duration): IMetric {
    return this.#queue.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum', period });
  }
}
