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

/** Code points that JSON may hold and a message of a queue may not: halves of surrogate pairs, U+FFFE and U+FFFF. */
const refused = /[\uD800-\uDFFF\uFFFE\uFFFF]/gu;

/**
 * JSON that a queue accepts (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html), on its
 * way through a bus too, which writes it anew and need not keep escapes: what no message may hold becomes U+FFFD. New text holds
 * none of it (OpenAPI, "Validation"); what is stored stays as it is.
 */
export const messageJson = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'string' ? member.replace(refused, '\uFFFD') : member,
  );
