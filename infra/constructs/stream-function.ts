import { EventSourceMapping, FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { DeadLetters } from './dead-letters.ts';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';
import type { Table } from './table.ts';

interface StreamFunctionProps extends ServiceFunctionProps {
  /** The table whose changes it processes. */
  readonly table: Pick<Table, 'streamArn' | 'feeds'>;
  /** Which changes it processes, as a pattern of Lambda's event filtering. */
  readonly filter: Readonly<Record<string, unknown>>;
  /** Maximum number of changes per invocation. */
  readonly batchSize: number;
  /** How often a batch is retried before the stream skips it. */
  readonly retryAttempts: number;
}

/**
 * A function that processes a table's changes in order. It reports where in a batch it failed, and the stream resumes
 * there. If a batch fails for good, its position in the stream is sent to a dead-letter queue.
 */
export class StreamFunction extends ServiceFunction {
  constructor(scope: Construct, name: string, props: StreamFunctionProps) {
    super(scope, name, props);
    const { table, filter, batchSize, retryAttempts, deployment } = props;
    const deadLetters = new DeadLetters(scope, name, deployment);
    table.feeds(this.role);
    this.role.addToPrincipalPolicy(deadLetters.sending());
    new EventSourceMapping(this, 'Changes', {
      target: this.invoked,
      eventSourceArn: table.streamArn,
      // Includes changes that were written before the mapping existed.
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
