import type { FunctionUses } from '../../shared/domain/function-uses.ts';

/** The canary's event arrives at a function of its own: its address is public, so it may do nothing and know nothing. */
export const uses = {
  timeoutSeconds: 5,
  // Like the receivers of customers, it is called without AWS credentials. The signature is what counts.
  functionUrl: true,
} as const satisfies FunctionUses;
