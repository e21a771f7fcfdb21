import * as z from 'zod/mini';
import { rematchInput as partInput } from '../../functions/import/policy/rematch.ts';
import type { Invoke } from './functions.ts';

export const rematchInput = z.omit(partInput, { after: true });

const outcome = z.object({
  matched: z.number(),
  review: z.number(),
  unmatched: z.number(),
  withoutTransactions: z.number(),
  next: z.optional(z.unknown()),
});

/** Matches again, one part after another, each in a call of its own, and adds up the results. */
export async function rematch(invoke: Invoke, input: object) {
  const total = { matched: 0, review: 0, unmatched: 0, withoutTransactions: 0 };
  for (let from = {}; ; ) {
    const result = await invoke('import', { command: 'rematch', input: { ...input, ...from } });
    const { next, ...part } = z.parse(outcome, result);
    total.matched += part.matched;
    total.review += part.review;
    total.unmatched += part.unmatched;
    total.withoutTransactions += part.withoutTransactions;
    if (next === undefined) return total;
    from = { after: next };
  }
}
