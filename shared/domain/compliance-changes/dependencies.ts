import type { Log } from '../../platform/log/log.ts';
import { createAssociationStore } from '../associations/store.ts';
import { createRecordedConfigs } from '../baselines/baseline.ts';
import { createClassKindsOf } from '../compliance/class-kinds.ts';
import { configHeads, createCarrierIdentityOf } from '../compliance/store.ts';
import { createDownstreamEntities } from '../downstream-entities/stored.ts';
import { createEventItems } from '../events/outbox.ts';
import { createRecordedFacts } from '../registry-records/store.ts';
import type { Tables } from '../tables.ts';
import { createChangeStore } from './store.ts';

interface ReportParts {
  readonly tables: Tables<
    | 'compliance'
    | 'registryRecords'
    | 'agents'
    | 'associations'
    | 'downstreamEntities'
    | 'organizations'
    | 'outbox'
  >;
  readonly now: () => Date;
  readonly log: Log;
}

/** What a report of compliance changes works with. */
export const reportDeps = ({ tables, now, log }: ReportParts) => ({
  changes: createChangeStore(tables),
  configHeads: (owner: string) => configHeads(tables.compliance, owner),
  recordedConfigs: createRecordedConfigs(tables.compliance),
  carrierIdentityOf: createCarrierIdentityOf(tables.organizations),
  classKindsOf: createClassKindsOf(tables.compliance),
  recordedFacts: createRecordedFacts(tables.registryRecords),
  associations: createAssociationStore(tables.associations),
  downstreamEntities: createDownstreamEntities(tables.downstreamEntities),
  events: createEventItems(tables.outbox.items),
  now,
  log,
});

export type ReportDeps = ReturnType<typeof reportDeps>;
