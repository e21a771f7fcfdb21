import * as z from 'zod/mini';

/** A string that is JSON; the next schema validates its value. */
export const jsonText = z.pipe(
  z.string(),
  z.transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.issues.push({ code: 'custom', message: 'is not JSON', input: undefined });
      return z.NEVER;
    }
  }),
);
