// Apart from the organization that has them, since the decision reads them too.
import * as z from 'zod/mini';

/** A NAIC code of an organization that counts on some days alone, as before or after a merger; both days are included. */
export const codeOfDays = z.object({
  code: z.string(),
  from: z.optional(z.string()),
  until: z.optional(z.string()),
});

/** NAIC codes of an organization as they are stored: each one alone counts on every day. */
export const companyCodes = z.array(z.union([z.string(), codeOfDays]));
