import * as z from 'zod/mini';
import { count, timestamp } from './primitives.ts';
import type { Answer } from './route.ts';

export const requestId = z.string();

/** The success envelope around `data` (OpenAPI, "Responses"). */
export const envelope = <Data extends z.core.$ZodType>(status: number, data: Data) =>
  z.object({ statusCode: z.literal(status), data, requestId, timestamp });

/** The members of a page beside its items. */
export const pageCounts = { total: count, page: count, limit: count, totalPages: count };

/** The schema of `data` for a route's answer; undefined where the answer is a document without an envelope. */
export function dataSchema(answer: Answer): z.core.$ZodType | undefined {
  if ('one' in answer) return answer.one;
  if ('bare' in answer) return answer.bare;
  if ('all' in answer) return z.array(answer.all);
  if ('page' in answer) {
    return z.object({ [answer.as]: z.array(answer.page), ...pageCounts, ...answer.with });
  }
  if ('cursor' in answer) {
    return z.object({ items: z.array(answer.cursor), next: z.int(), hasMore: z.boolean() });
  }
  return undefined;
}
