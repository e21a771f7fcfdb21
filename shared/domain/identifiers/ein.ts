import * as z from 'zod/mini';

/** Employer Identification Number: nine digits, with or without a hyphen after the second; see `comparableEin`. */
export const ein = z.string().check(z.regex(/^\d{2}-?\d{7}$/, 'must be nine digits such as 75-1234567'));
