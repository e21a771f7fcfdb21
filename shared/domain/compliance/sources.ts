import { createRecordedHolders, type RecordedHolders } from '../registry-records/store.ts';
import type { Tables } from '../tables.ts';
import { type ClassKindsOf, createClassKindsOf } from './class-kinds.ts';
import {
  type CarrierIdentityOf,
  type ComplianceConfigs,
  createCarrierIdentityOf,
  createComplianceConfigs,
} from './store.ts';

/** Sources of what a carrier's answers are decided from. */
export interface DecisionSources {
  readonly carrierIdentityOf: CarrierIdentityOf;
  readonly classKindsOf: ClassKindsOf;
  readonly complianceConfigs: ComplianceConfigs;
  readonly recordedHolders: RecordedHolders;
}

export const createDecisionSources = ({
  compliance,
  organizations,
  registryRecords,
}: Tables<'compliance' | 'organizations' | 'registryRecords'>): DecisionSources => ({
  carrierIdentityOf: createCarrierIdentityOf(organizations),
  classKindsOf: createClassKindsOf(compliance),
  complianceConfigs: createComplianceConfigs(compliance),
  recordedHolders: createRecordedHolders(registryRecords),
});
