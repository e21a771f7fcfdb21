import * as z from 'zod/mini';

/** The number of an insurance company. */
export const naicCode = z.string().check(z.minLength(1), z.maxLength(20));
