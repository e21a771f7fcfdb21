import type { FunctionUses } from '#function/uses.ts';

export const uses = {
  timeoutSeconds: 5,
  tables: { organizations: { items: ['GetItem'] } },
  signingSecret: true,
  settings: ['SANDBOX'],
} as const satisfies FunctionUses;
