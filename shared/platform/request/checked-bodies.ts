import * as z from 'zod/mini';
import type { FunctionContext } from '../config/context.ts';
import { ApiError } from '../contract/errors.ts';
import { type LeaveOut, pagesOfList } from '../data/left-out.ts';
import { mostIssues } from '../errors/issue.ts';
import type { Endpoint } from './endpoint.ts';
import { namedMembers } from './input-schema.ts';
import { envelopeStream, envelopeText, type Stamp, type SuccessStamp } from './response.ts';

/** Bodies of responses, each checked by its own schema. */
export function checkedBodies({ logger, responseCheck }: FunctionContext) {
  /** Parses a response by its own schema, which also drops members that the schema does not name. */
  function checked(endpoint: Endpoint, data: unknown, stamp: Stamp): unknown {
    const schema = endpoint.schemas().data;
    if (schema === undefined) return data;
    const result = z.safeParse(schema, data);
    if (result.success) return result.data;
    logger.error('A response does not match its schema.', {
      event: 'response_breaks_schema',
      operationId: endpoint.operationId,
      requestId: stamp.requestId,
      faults: result.error.issues
        .slice(0, mostIssues)
        .map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    });
    if (responseCheck !== 'report') throw new ApiError('internal_server_error');
    return namedMembers(schema, data);
  }

  async function* checkedPages(endpoint: Endpoint, pages: AsyncIterable<readonly unknown[]>, stamp: Stamp) {
    for await (const page of pages) yield checked(endpoint, page, stamp) as readonly unknown[];
  }

  /**
   * The body of an operation's outcome.
   * @param stampNow what is to be said of the response when its last byte is written.
   */
  async function bodyOf(
    endpoint: Endpoint,
    outcome: unknown,
    query: unknown,
    stampNow: () => SuccessStamp,
    leaveOut: LeaveOut,
  ) {
    const { answer } = endpoint.route;
    const stamp = stampNow();
    if ('bare' in answer) return JSON.stringify(checked(endpoint, outcome, stamp));
    if ('page' in answer) {
      const { items, ...rest } = outcome as { readonly items: readonly unknown[]; readonly total: number };
      const { page, limit: size } = query as { readonly page: number; readonly limit: number };
      const data = {
        [answer.as]: items,
        ...rest,
        page,
        limit: size,
        totalPages: Math.ceil(rest.total / size),
      };
      return envelopeText(answer.status, checked(endpoint, data, stamp), stamp);
    }
    if ('all' in answer) {
      const read = pagesOfList(leaveOut, outcome as AsyncIterable<readonly unknown[]>);
      const pages = checkedPages(endpoint, read, stamp);
      // The first page is read before the status line is sent, so that an early failure is still a proper error.
      return envelopeStream(pages, await pages.next(), stampNow);
    }
    return envelopeText(answer.status, checked(endpoint, outcome, stamp), stamp);
  }

  return { checked, bodyOf };
}
