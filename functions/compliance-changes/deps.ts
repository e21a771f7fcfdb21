import { createAssociationStore } from '../../shared/domain/associations/store.ts';
import { createRecordedConfigs } from '../../shared/domain/baselines/recorded-configs.ts';
import { createCarrierIdentityOf } from '../../shared/domain/compliance/carrier-identity.ts';
import { createClassKindsOf } from '../../shared/domain/compliance/class-kinds.ts';
import { configHeads } from '../../shared/domain/compliance/store.ts';
import type { WorkerDependencies } from '../../shared/domain/dependencies.ts';
import { createDownstreamEntities } from '../../shared/domain/downstream-entities/store.ts';
import { createEventItems } from '../../shared/domain/events/outbox.ts';
import { createRecordedFacts } from '../../shared/domain/registry-records/facts.ts';
import type { SendMessages } from '../../shared/platform/queue/send-messages.ts';
import { createChangeStore } from './store.ts';
import type { uses } from './uses.ts';
import { createWalkStore } from './walk-store.ts';

/** `send` sends to the worker's own queue. */
export type ComplianceChangesDependencies = WorkerDependencies<typeof uses, { readonly send: SendMessages }>;

/** What work on changes works with. */
export function changeDeps({
  clients: { send },
  tables,
  context: { now, logger: log },
}: ComplianceChangesDependencies) {
  return {
    changes: createChangeStore(tables),
    walks: createWalkStore(tables),
    configHeads: (owner: string) => configHeads(tables.compliance, owner),
    recordedConfigs: createRecordedConfigs(tables.compliance),
    carrierIdentityOf: createCarrierIdentityOf(tables.organizations),
    classKindsOf: createClassKindsOf(tables.compliance),
    recordedFacts: createRecordedFacts(tables.registryRecords),
    associations: createAssociationStore(tables.associations),
    downstreamEntities: createDownstreamEntities(tables.downstreamEntities),
    events: createEventItems(tables.outbox.items),
    send,
    now,
    log,
  };
}

export type ChangeDeps = ReturnType<typeof changeDeps>;
