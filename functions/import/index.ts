import { functionEntry } from '../../shared/domain/entry.ts';
import { createImportFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = functionEntry('import', uses, createImportFunction);
