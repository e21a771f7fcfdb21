import { textUpTo } from '../../platform/contract/primitives.ts';

/** The number of an insurance company. */
export const naicCode = textUpTo(20);
