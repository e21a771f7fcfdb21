import { by } from '../../shared/platform/dates/clock.ts';
import { queueConsumer } from '../../shared/platform/queue/consumer.ts';
import { workOnChanges } from './changes.ts';
import { type ComplianceChangesDependencies, changeDeps } from './deps.ts';
import { type ComplianceChangeMessage, complianceChangeMessage } from './messages.ts';

const ownerOf = (message: ComplianceChangeMessage): string => {
  if ('due' in message) return message.due.upstreamEntityId;
  return 'walk' in message ? message.walk.upstreamEntityId : message.detail.upstreamEntityId;
};

/** Processes events that may have changed compliance, and emits the changes when their window is over. */
export function createComplianceChangesFunction(dependencies: ComplianceChangesDependencies) {
  const deps = changeDeps(dependencies);
  return queueConsumer({
    schema: complianceChangeMessage,
    work: ({ message }) =>
      by(dependencies.context.clocks, ownerOf(message), () => workOnChanges(message, deps)),
    ...dependencies.queue,
    log: dependencies.context.logger,
  });
}
