import * as z from 'zod/mini';

/** A text that is JSON; its value is for the next schema to judge. */
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
