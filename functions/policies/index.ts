import { apiEntry } from '../../shared/domain/api-entry.ts';
import { createPoliciesFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = apiEntry('policies', uses, createPoliciesFunction);
