import { apiEntry } from '../../shared/domain/api-entry.ts';
import { createSandboxFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = apiEntry('sandbox', uses, createSandboxFunction);
