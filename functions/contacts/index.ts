import { apiEntry } from '../../shared/domain/api-entry.ts';
import { createContactsFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = apiEntry('contacts', uses, createContactsFunction);
