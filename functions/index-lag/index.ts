import { functionEntry } from '../../shared/domain/entry.ts';
import { createIndexLagFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = functionEntry('index-lag', uses, createIndexLagFunction);
