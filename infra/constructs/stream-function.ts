import { EventSourceMapping, FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { StreamMapping } from '../../shared/domain/function-uses.ts';
import { DeadLetters } from './dead-letters.ts';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';
import type { Table } from './table.ts';

interface StreamFunctionProps extends ServiceFunctionProps {
  /** The table whose changes it processes. */
  readonly table: Pick<Table, 'streamArn' | 'feeds'>;
  /** Which changes it processes, and how, by the names of the mappings. */
  readonly mappings: Readonly<Record<string, StreamMapping>>;
}

/**
 * A function that processes a table's changes in order. It reports where in a batch it failed, and the stream resumes
 * there. If a batch fails after retries, its position in the stream is sent to a dead-letter queue, where the mapping has one.
 */
export class StreamFunction extends ServiceFunction {
  constructor(scope: Construct, name: string, props: StreamFunctionProps) {
    super(scope, name, props);
    const { table, mappings, deployment } = props;
    const deadLetters = new DeadLetters(scope, name, deployment);
    table.feeds(this.role);
    this.role.addToPrincipalPolicy(deadLetters.sending());
    const onFailure = { bind: () => ({ destination: deadLetters.queueArn }) };
    for (const [id, { filter, batchSize, retryAttempts, hasDeadLetters }] of Object.entries(mappings)) {
      new EventSourceMapping(this, id, {
        target: this.invoked,
        eventSourceArn: table.streamArn,
        // Includes changes that were written before the mapping existed.
        startingPosition: StartingPosition.TRIM_HORIZON,
        filters: [FilterCriteria.filter(filter)],
        batchSize,
        retryAttempts,
        reportBatchItemFailures: true,
        bisectBatchOnError: true,
        ...(hasDeadLetters ? { onFailure } : {}),
      });
    }
  }
}
