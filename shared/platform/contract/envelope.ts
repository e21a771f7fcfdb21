import * as z from 'zod/mini';
import { described, describedShape } from './described.ts';
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
  z.object(
    describedShape(
      { statusCode: z.literal(status), data, requestId, timestamp },
      DOCUMENTED && {
        statusCode: 'The HTTP status of the response.',
        data: 'The result of the operation.',
        requestId: 'Identifies the request; quote it when you report a problem.',
        timestamp: 'When the service received the request, in UTC.',
      },
    ),
  );

/** The schema of `data` for a route's answer; undefined where the answer is a document without an envelope. */
export function dataSchema(answer: Answer): z.core.$ZodType | undefined {
  if ('one' in answer) return answer.one;
  if ('all' in answer) return z.array(answer.all);
  if ('page' in answer) {
    const items: Record<string, z.core.$ZodType> = { [answer.as]: z.array(answer.page) };
    const count = z.int().check(z.gte(0));
    const counts = { total: count, page: count, limit: count, totalPages: count };
    return z.object({
      ...describedShape(items, DOCUMENTED && { [answer.as]: 'The records on this page, in order.' }),
      ...describedShape(
        counts,
        DOCUMENTED && {
          total: { description: 'Number of matching records on all pages.', examples: [1] },
          page: { description: 'Number of this page, as requested.', examples: [1] },
          limit: { description: 'Most records on a page, as requested.', examples: [50] },
          totalPages: {
            description: 'Number of pages with that `limit`; 0 if nothing matches.',
            examples: [1],
          },
        },
      ),
      ...answer.with,
    });
  }
  if ('cursor' in answer) {
    const shape = { items: z.array(answer.cursor), next: z.int(), hasMore: z.boolean() };
    return z.object(
      describedShape(
        shape,
        DOCUMENTED && {
          items: 'The records after `after`, in order; there can be none although `hasMore` is true.',
          next: { description: 'Value of `after` for the next request.', minimum: 0, examples: [1] },
          hasMore: {
            description: 'Whether more can be read at once; if not, ask again later.',
            examples: [false],
          },
        },
      ),
    );
  }
  return undefined;
}
