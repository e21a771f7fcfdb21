import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';

/** What the registry knows of one NPN. */
export const npnLookup = object(() => ({
  npn: z.string(),
  result: z.enum(['firm', 'individual', 'not found']),
  name: z.nullable(z.string()),
}));

export type NpnLookup = z.output<typeof npnLookup>;
