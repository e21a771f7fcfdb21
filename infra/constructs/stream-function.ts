import { EventSourceMapping, FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type * as z from 'zod/mini';
import { DeadLetters } from './dead-letters.ts';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';
import type { Table } from './table.ts';

interface StreamFunctionProps<Schema extends z.core.$ZodObject> extends ServiceFunctionProps<Schema> {
  /** The table whose changes it is handed. */
  readonly table: Pick<Table, 'streamArn' | 'feeds'>;
  /** Which changes: a pattern of Lambda's event filtering. */
  readonly filter: Readonly<Record<string, unknown>>;
  /** Changes that one invocation gets at most. */
  readonly batchSize: number;
  /** How often a batch is handed over again before the stream goes on without it. */
  readonly retryAttempts: number;
}

/**
 * The function that works on a table's changes, in the order in which they were made. It says where in a batch it failed,
 * and the stream goes on from there; a batch that fails to the end is told to `deadLetters`, where from and where to.
 */
export class StreamFunction<
  Schema extends z.core.$ZodObject = z.core.$ZodObject,
> extends ServiceFunction<Schema> {
  readonly deadLetters: DeadLetters;

  constructor(scope: Construct, name: string, props: StreamFunctionProps<Schema>) {
    super(scope, name, props);
    const { table, filter, batchSize, retryAttempts, deployment } = props;
    const deadLetters = new DeadLetters(scope, name, deployment);
    this.deadLetters = deadLetters;
    table.feeds(this.role);
    deadLetters.grantSend(this.role);
    new EventSourceMapping(this, 'Changes', {
      target: this.lambda,
      eventSourceArn: table.streamArn,
      // What was written before the mapping was there counts too.
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters: [FilterCriteria.filter(filter)],
      batchSize,
      retryAttempts,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      onFailure: { bind: () => ({ destination: deadLetters.queueArn }) },
    });
  }
}
