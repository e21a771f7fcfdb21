import { createAssociationStore } from '../../shared/domain/associations/store.ts';
import { createCarrierIdentityOf } from '../../shared/domain/compliance/carrier-identity.ts';
import { recordedConfigs } from '../../shared/domain/compliance/store.ts';
import { createDownstreamEntities } from '../../shared/domain/downstream-entities/store.ts';
import { createEventItems } from '../../shared/domain/events/outbox.ts';
import { createRecordedFacts } from '../../shared/domain/registry-records/facts.ts';
import { tablesOf } from '../../shared/domain/tables.ts';
import type { WorkerDependencies } from '../../shared/platform/config/dependencies.ts';
import { queueConsumer } from '../../shared/platform/queue/consumer.ts';
import type { SendMessages } from '../../shared/platform/queue/send-messages.ts';
import { type ChangeDeps, workOnChanges } from './changes.ts';
import { complianceChangeMessage } from './messages.ts';
import { createChangeStore } from './store.ts';
import type { uses } from './uses.ts';
import { createWalkStore } from './walk-store.ts';

type ComplianceChangesDependencies = WorkerDependencies<
  typeof uses,
  {
    /** Sends to the worker's own queue. */
    readonly send: SendMessages;
  }
>;

/** Processes events that may have changed compliance, and emits the changes when their window is over. */
export function createComplianceChangesFunction({
  clients: { dynamo, send },
  tables: names,
  queue,
  context: { logger: log, now },
}: ComplianceChangesDependencies) {
  const tables = tablesOf(dynamo, names);
  const deps: ChangeDeps = {
    changes: createChangeStore(tables),
    walks: createWalkStore(tables),
    configsOf: (owner) => recordedConfigs(tables.compliance, { owner, isConsistent: false }),
    carrierIdentityOf: createCarrierIdentityOf(tables.organizations),
    recordedFacts: createRecordedFacts(tables.registryRecords),
    associations: createAssociationStore(tables.associations),
    downstreamEntities: createDownstreamEntities(tables.downstreamEntities),
    events: createEventItems(tables.outbox.items),
    send,
    now,
  };
  return queueConsumer({
    schema: complianceChangeMessage,
    work: ({ message }) => workOnChanges(message, deps),
    ...queue,
    log,
  });
}
