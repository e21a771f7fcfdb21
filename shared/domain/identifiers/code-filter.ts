import * as z from 'zod/mini';

/** An id or a code of another system, by which a list is filtered. */
export const codeFilter = z.string().check(z.trim(), z.minLength(1), z.maxLength(200));
