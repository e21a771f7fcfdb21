import { setImmediate as turn } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { FunctionContext } from '../config/context.ts';
import { ApiError } from '../contract/errors.ts';
import { commonHeaders, oauthError } from '../contract/responses.ts';
import type { Route } from '../contract/route.ts';
import { mostIssues } from '../errors/domain-error.ts';
import type { Endpoint } from './endpoint.ts';
import { namedMembers, unwrapSchema } from './validation.ts';

/** Content type of a list in this form. */
export const csvType = 'text/csv; charset=utf-8';

/**
 * Whether an `accept` prefers CSV to JSON (RFC 9110, section 12.5.1). Where it likes both as well, the one that it names counts, and
 * JSON where it names both: generated clients list all that an operation answers.
 */
export function prefersCsv(accept = ''): boolean {
  const qualities = new Map(
    accept
      .toLowerCase()
      .split(',')
      .map((range) => {
        const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
        return [type, Number(parameters.find((part) => part.startsWith('q='))?.slice('q='.length) ?? 1)];
      }),
  );
  const qualityOf = (type: string, wider: string): number =>
    qualities.get(type) ?? qualities.get(wider) ?? qualities.get('*/*') ?? 0;
  const csv = qualityOf('text/csv', 'text/*');
  const json = qualityOf('application/json', 'application/*');
  const isCsvAlone = qualities.has('text/csv') && !qualities.has('application/json');
  return csv > json || (csv === json && csv > 0 && isCsvAlone);
}

/** The fields on the way to a column's value. */
type Column = readonly string[];

/** Rows of one list as text. */
interface CsvTable {
  /** The names of its columns, which stand before the first row. */
  readonly header: string;
  readonly rows: (items: readonly unknown[]) => string;
}

/** The table of a list whose items have a schema. */
export function csvTableOf(item: z.core.$ZodType): CsvTable {
  const columns = columnsOf(item);
  return {
    header: lineOf(columns.map((column) => column.join('.'))),
    rows: (items) =>
      items.map((row) => lineOf(columns.map((column) => cellOf(valueAt(row, column))))).join(''),
  };
}

/**
 * A column for each value of a schema. What has no columns of its own is one column: what the schema leaves open, and what lies in
 * a list within a list.
 */
function columnsOf(schema: z.core.$ZodType, path: Column = [], isListed = false): Column[] {
  const { def } = unwrapSchema(schema)._zod;
  if (def.type === 'array' && !isListed) return columnsOf(def.element, path, true);
  if (def.type === 'object') {
    return Object.entries(def.shape).flatMap(([name, member]) =>
      columnsOf(member, [...path, name], isListed),
    );
  }
  if (def.type !== 'union' || !def.options.every(isObjectSchema)) return [path];
  // A column that several of them have stands where the first one has it.
  const columns = def.options.flatMap((option) => columnsOf(option, path, isListed));
  return [...new Map(columns.map((column) => [column.join('.'), column])).values()];
}

const isObjectSchema = (schema: z.core.$ZodType): boolean => unwrapSchema(schema)._zod.def.type === 'object';

/** The value of a column; that of a list is the values of its members. */
function valueAt(value: unknown, column: Column, from = 0): unknown {
  const name = column[from];
  if (name === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((member) => valueAt(member, column, from));
  return valueAt((value as Readonly<Record<string, unknown>>)[name], column, from + 1);
}

const separator = '; ';

const cellOf = (value: unknown): string =>
  Array.isArray(value)
    ? // A separator within a value would move those after it.
      value.map((member) => textOf(member).replaceAll(separator, ', ')).join(separator)
    : textOf(value);

/** A value as text. A spreadsheet runs a text that begins like a formula. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return String(value ?? '');
}

/** A line of RFC 4180. A semicolon is quoted too: some spreadsheets part columns there. */
const lineOf = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join()}\r\n`;

/** A response to be sent. An iterable body is streamed. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | AsyncIterable<string>;
  /** The members of the request's log line: our ids and names, nothing that the caller sent. */
  readonly logFields: Readonly<Record<string, unknown>>;
  /** Called when the last byte is written, or the response broke off; it does not fail. */
  readonly close?: () => Promise<void>;
}

/** Stamp of every response about its request. */
export interface Stamp {
  readonly requestId: string;
  readonly timestamp: string;
}

export const baseHeaders = (requestId: string): Record<string, string> => ({
  ...commonHeaders,
  'content-type': 'application/json',
  'x-request-id': requestId,
});

/** `{statusCode, data, requestId, timestamp}` as text (OpenAPI, "Responses"). */
export const envelopeText = (status: number, data: unknown, stamp: Stamp): string =>
  JSON.stringify({ statusCode: status, data, ...stamp });

/** Pages of a list. */
type Pages = AsyncIterable<readonly unknown[]>;

/**
 * Envelope around an array that is written page by page. The closing brackets are written only when every page
 * was: a failure on the way leaves broken JSON, never a list that looks complete.
 */
export async function* envelopeStream(pages: Pages, stamp: Stamp): AsyncGenerator<string> {
  let lead = '{"statusCode":200,"data":[';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield lead + JSON.stringify(page).slice(1, -1);
    lead = ',';
  }
  yield `${lead === ',' ? '' : lead}],${JSON.stringify(stamp).slice(1)}`;
}

/** Pages as a table. */
async function* tableStream(pages: Pages, item: z.core.$ZodType): AsyncGenerator<string> {
  const { header, rows } = csvTableOf(item);
  yield header;
  for await (const page of pages) yield rows(page);
}

type PageResult = IteratorResult<readonly unknown[]>;

/** The first pages, which were asked for already, and the others. */
async function* continuedPages(
  results: readonly (PageResult | Promise<PageResult>)[],
  pages: AsyncIterator<readonly unknown[]>,
): Pages {
  for await (const { done, value } of results) {
    if (done === true) return;
    yield value;
  }
  yield* { [Symbol.asyncIterator]: () => pages };
}

/** The error shape, or that of the standard which the route follows (OpenAPI, "Errors"). */
export const errorText = (error: ApiError, stamp: Stamp, standard?: Route['standard']): string =>
  JSON.stringify(
    (standard && oauthError(error)) ?? {
      statusCode: error.status,
      requestId: stamp.requestId,
      errorType: error.errorType,
      errorMessage: [error.message],
      timestamp: stamp.timestamp,
      ...(error.details === undefined ? {} : { details: error.details }),
    },
  );

/** Answers to an outcome. */
interface Answering {
  readonly query: unknown;
  /** Whether a list is answered as a table. */
  readonly csv: boolean;
  /** Takes a place among the lists that are open at once. */
  readonly takePlace: () => Promise<void>;
}

/** Bodies of responses, each checked by its own schema. */
export function checkedBodies({ logger, responseCheck }: FunctionContext) {
  /** Parses a response by its own schema, which also drops members that the schema does not name. */
  function checkAnswer(endpoint: Endpoint, data: unknown, stamp: Stamp): unknown {
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
    for await (const page of pages) yield checkAnswer(endpoint, page, stamp) as readonly unknown[];
  }

  /** The body of an operation's outcome, of a list as CSV where that is preferred. */
  async function bodyOf(
    endpoint: Endpoint,
    outcome: unknown,
    { query, csv, takePlace }: Answering,
    stamp: Stamp,
  ) {
    const { answer } = endpoint.route;
    if ('bare' in answer) return JSON.stringify(checkAnswer(endpoint, outcome, stamp));
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
      return envelopeText(answer.status, checkAnswer(endpoint, data, stamp), stamp);
    }
    if ('all' in answer) {
      const pages = checkedPages(endpoint, outcome as AsyncIterable<readonly unknown[]>, stamp);
      // The first page is read before the status line is sent, so that an early failure is still a proper error.
      const first = await pages.next();
      const second = first.done === true ? first : pages.next();
      // That there is no second page takes no reading and is known at once: few lists are counted.
      const isOver = Promise.resolve(second).then(({ done }) => done === true);
      if (!(await Promise.race([isOver, turn(false)]))) await takePlace();
      const allPages = continuedPages([first, second], pages);
      return csv ? tableStream(allPages, answer.all) : envelopeStream(allPages, stamp);
    }
    return envelopeText(answer.status, checkAnswer(endpoint, outcome, stamp), stamp);
  }

  return { checkAnswer, bodyOf };
}
