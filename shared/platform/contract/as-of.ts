import * as z from 'zod/mini';
import { fields } from './object.ts';
import { instant } from './primitives.ts';

/** `asOf` of the lists that can say what was true on a former day. */
export const asOfQuery = fields(() => ({
  asOf: z.optional(z.iso.date({ error: 'must be a date such as 2026-04-15' })),
  knownAt: z.optional(instant),
}));
