import type { FunctionUses } from '#domain/function-uses.ts';

export const uses = { timeoutSeconds: 30, rotates: true } as const satisfies FunctionUses;
