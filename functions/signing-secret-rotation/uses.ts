import type { FunctionUses } from '#function/uses.ts';

export const uses = { timeoutSeconds: 30, rotates: true } as const satisfies FunctionUses;
