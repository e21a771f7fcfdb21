import type { FunctionUses } from '../../shared/domain/function-uses.ts';

export const uses = {
  timeoutSeconds: 5,
  tables: { organizations: { items: ['GetItem'] }, rateCounters: { items: ['UpdateItem'] } },
  signingSecret: true,
} as const satisfies FunctionUses;
