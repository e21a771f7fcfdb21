import { apiEntry } from '../../shared/domain/api-entry.ts';
import { createAgentsFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = apiEntry('agents', uses, createAgentsFunction);
