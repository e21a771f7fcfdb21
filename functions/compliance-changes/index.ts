import { workerEntry } from '../../shared/domain/worker-entry.ts';
import { createComplianceChangesFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = workerEntry('compliance-changes', uses, createComplianceChangesFunction);
