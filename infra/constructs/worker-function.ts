import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { QueueWithDlq } from './queue-with-dlq.ts';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';

interface Feed {
  readonly queue: QueueWithDlq;
  /** Maximum number of messages per invocation. */
  readonly batchSize: number;
}

interface WorkerFunctionProps extends ServiceFunctionProps {
  readonly feeds: readonly Feed[];
}

/**
 * A function that processes the messages of queues; those that it reports as failed are delivered again. Its
 * concurrency is set by the environment's capacity.
 */
export class WorkerFunction extends ServiceFunction {
  constructor(scope: Construct, name: string, props: WorkerFunctionProps) {
    super(scope, name, props);
    for (const { queue, batchSize } of props.feeds) {
      queue.feeds(this.role);
      new EventSourceMapping(this, `${queue.name}-messages`, {
        target: this.invoked,
        eventSourceArn: queue.queueArn,
        batchSize,
        maxConcurrency: props.deployment.capacity.workers[queue.name],
        reportBatchItemFailures: true,
      });
    }
  }
}
