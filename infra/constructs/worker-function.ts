import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type * as z from 'zod/mini';
import type { QueueWithDlq } from './queue-with-dlq.ts';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';

interface Feed {
  readonly queue: QueueWithDlq;
  /** Messages that one invocation gets at most. */
  readonly batchSize: number;
}

interface WorkerFunctionProps<Schema extends z.core.$ZodObject>
  extends Omit<ServiceFunctionProps<Schema>, 'timeout'> {
  readonly feeds: readonly [Feed, ...Feed[]];
}

/**
 * The function that works on the messages of queues; those that it reports as failed are delivered again. It may take as
 * long as its queues expect, and runs as often at the same time as the environment's capacity says.
 */
export class WorkerFunction<
  Schema extends z.core.$ZodObject = z.core.$ZodObject,
> extends ServiceFunction<Schema> {
  readonly queues: readonly QueueWithDlq[];

  constructor(scope: Construct, name: string, props: WorkerFunctionProps<Schema>) {
    super(scope, name, { ...props, timeout: props.feeds[0].queue.workerTimeout });
    this.queues = props.feeds.map(({ queue }) => queue);
    for (const { queue, batchSize } of props.feeds) {
      queue.feeds(this.role);
      new EventSourceMapping(this, `${queue.name}-messages`, {
        target: this.lambda,
        eventSourceArn: queue.queueArn,
        batchSize,
        maxConcurrency: props.deployment.capacity.workers[queue.name],
        reportBatchItemFailures: true,
      });
    }
  }
}
