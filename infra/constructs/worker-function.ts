import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type * as z from 'zod/mini';
import type { QueueWithDlq } from './queue-with-dlq.ts';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';

interface Feed {
  readonly queue: QueueWithDlq;
  /** Maximum number of messages per invocation. */
  readonly batchSize: number;
}

interface WorkerFunctionProps<Schema extends z.core.$ZodObject>
  extends Omit<ServiceFunctionProps<Schema>, 'timeout' | 'aliased'> {
  readonly feeds: readonly [Feed, ...Feed[]];
}

/**
 * A function that processes the messages of queues; those that it reports as failed are delivered again. Its timeout is
 * that of its first queue, and its concurrency is set by the environment's capacity.
 */
export class WorkerFunction<
  Schema extends z.core.$ZodObject = z.core.$ZodObject,
> extends ServiceFunction<Schema> {
  readonly queues: readonly QueueWithDlq[];

  constructor(scope: Construct, name: string, props: WorkerFunctionProps<Schema>) {
    super(scope, name, { ...props, timeout: props.feeds[0].queue.workerTimeout, aliased: true });
    this.queues = props.feeds.map(({ queue }) => queue);
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
