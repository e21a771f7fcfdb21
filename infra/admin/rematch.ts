import * as z from 'zod/mini';
import type { Answer, Invoke } from './functions.ts';

const outcome = z.object({
  matched: z.number(),
  review: z.number(),
  unmatched: z.number(),
  withoutTransactions: z.number(),
  next: z.optional(z.unknown()),
});

/** Matches again, one part after another, each in a call of its own, and adds up the results. */
export async function rematch(invoke: Invoke, input: Readonly<Record<string, unknown>>): Promise<Answer> {
  const total = { matched: 0, review: 0, unmatched: 0, withoutTransactions: 0 };
  let after = input['after'];
  for (;;) {
    const from = after === undefined ? {} : { after };
    const response = await invoke('import', { command: 'rematch', input: { ...input, ...from } });
    if (!response.ok) return response;
    const { next, ...part } = z.parse(outcome, response.result);
    total.matched += part.matched;
    total.review += part.review;
    total.unmatched += part.unmatched;
    total.withoutTransactions += part.withoutTransactions;
    if (next === undefined) return { ok: true, result: total };
    after = next;
  }
}
