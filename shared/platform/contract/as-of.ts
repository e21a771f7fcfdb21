import * as z from 'zod/mini';
import { fields } from './object.ts';

/** `asOf` of the lists that can say what was true on a former day. */
export const asOfQuery = fields(() => ({
  asOf: z.optional(z.iso.date({ error: 'must be a date such as 2026-04-15' })),
  knownAt: z.optional(
    z.iso.datetime({ offset: true, error: 'must be a date-time such as 2026-04-15T14:05:09Z' }),
  ),
}));
