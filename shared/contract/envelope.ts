import * as z from 'zod/mini';
import { described } from './described.ts';
import { timestamp } from './primitives.ts';
import type { Answer } from './route.ts';

export const requestId = described(
  z.string(),
  DOCUMENTED && {
    id: 'RequestId',
    description:
      'The environment and a UUID; also sent in the header `x-request-id`. Quote it when you report a problem.',
    examples: ['prod-3f6c1c52-6f3c-4c53-9d59-0a7a2b0a3b0e'],
  },
);

/** The success envelope around `data` (OpenAPI, "Responses"). */
export const envelope = <Data extends z.core.$ZodType>(status: number, data: Data) =>
  z.object({ statusCode: z.literal(status), data, requestId, timestamp });

/** The schema of `data` for a route's answer; undefined where the answer is a document without an envelope. */
export function dataSchema(answer: Answer): z.core.$ZodType | undefined {
  if ('one' in answer) return answer.one;
  if ('all' in answer) return z.array(answer.all);
  if ('page' in answer) {
    const count = (example: number) =>
      described(z.int().check(z.gte(0)), DOCUMENTED && { examples: [example] });
    return z.object({
      [answer.as]: z.array(answer.page),
      total: count(1),
      page: count(1),
      limit: count(50),
      totalPages: count(1),
      ...answer.with,
    });
  }
  return undefined;
}
