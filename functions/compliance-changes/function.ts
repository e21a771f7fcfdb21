import { queueConsumer } from '../../shared/platform/queue/consumer.ts';
import { workOnChanges } from './changes.ts';
import { type ComplianceChangesDependencies, changeDeps } from './deps.ts';
import { complianceChangeMessage } from './messages.ts';

/** Processes events that may have changed compliance, and emits the changes when their window is over. */
export function createComplianceChangesFunction(dependencies: ComplianceChangesDependencies) {
  const deps = changeDeps(dependencies);
  return queueConsumer({
    schema: complianceChangeMessage,
    work: ({ message }) => workOnChanges(message, deps),
    ...dependencies.queue,
    log: dependencies.context.logger,
  });
}
