import type { Duration } from 'aws-cdk-lib';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type * as z from 'zod/mini';
import type { QueueWithDlq } from './queue-with-dlq.ts';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';

interface Feed {
  readonly queue: QueueWithDlq;
  /** Messages that one invocation gets at most. */
  readonly batchSize: number;
  /** How long Lambda gathers messages for a batch; it does not wait unless told. */
  readonly batchingWindow?: Duration;
  /** Invocations at the same time. */
  readonly maxConcurrency: number;
}

interface WorkerFunctionProps<Schema extends z.core.$ZodObject> extends ServiceFunctionProps<Schema> {
  readonly feeds: readonly [Feed, ...Feed[]];
}

/** The function that works on the messages of queues; those that it reports as failed are delivered again. */
export class WorkerFunction<
  Schema extends z.core.$ZodObject = z.core.$ZodObject,
> extends ServiceFunction<Schema> {
  readonly queues: readonly QueueWithDlq[];

  constructor(scope: Construct, name: string, props: WorkerFunctionProps<Schema>) {
    super(scope, name, props);
    this.queues = props.feeds.map(({ queue }) => queue);
    for (const { queue, batchSize, batchingWindow, maxConcurrency } of props.feeds) {
      queue.feeds(this.role);
      new EventSourceMapping(this, `${queue.name}-messages`, {
        target: this.lambda,
        eventSourceArn: queue.queueArn,
        batchSize,
        maxConcurrency,
        reportBatchItemFailures: true,
        ...(batchingWindow === undefined ? {} : { maxBatchingWindow: batchingWindow }),
      });
    }
  }
}
