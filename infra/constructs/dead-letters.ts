import { Duration, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { queueMessageBytes, queueRetentionSeconds } from '../../shared/platform/aws/limits.ts';
import { type Environment, resourceName } from '../environments.ts';

/**
 * Options of every queue: it accepts what SQS accepts, which was once less for a queue that did not say so, and a message
 * stays as long as SQS can keep it.
 */
export const everyQueue = {
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
