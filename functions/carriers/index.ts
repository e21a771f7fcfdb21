import { apiEntry } from '../../shared/domain/api-entry.ts';
import { createCarriersFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = apiEntry('carriers', uses, createCarriersFunction);
