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
