import { workerEntry } from '../../shared/domain/worker-entry.ts';
import { createLicenseSweepFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = workerEntry('license-sweep', uses, createLicenseSweepFunction);
