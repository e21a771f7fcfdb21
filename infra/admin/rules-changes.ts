import * as z from 'zod/mini';
import { rulesChangesInput as partInput, rulesChange } from '../../functions/admin/rules-changes.ts';
import type { Invoke } from './functions.ts';

export const rulesChangesInput = z.omit(partInput, { after: true });

const part = z.object({ changes: z.array(rulesChange), next: z.optional(z.unknown()) });

/** Lists whose answers the present rules change, some NPNs in each call. */
export async function rulesChanges(invoke: Invoke, input: object) {
  // Branches share an NPN, and may be in several parts.
  const changes = new Map<string, z.output<typeof rulesChange>>();
  for (let from = {}; ; ) {
    const result = await invoke('admin', { command: 'rules-changes', input: { ...input, ...from } });
    const { changes: some, next } = z.parse(part, result);
    for (const one of some) {
      const { npn, party, productId, stateCode } = one;
      changes.set([npn, party, productId, stateCode].join(' '), one);
    }
    if (next === undefined) return { changes: [...changes.values()] };
    from = { after: next };
  }
}
