import { apiEntry } from '../../shared/domain/api-entry.ts';
import { createAgencyFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = apiEntry('agency', uses, createAgencyFunction);
