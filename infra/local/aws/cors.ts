import type { IncomingHttpHeaders } from 'node:http';
import * as z from 'zod/mini';
import { matches } from './policy-evaluation.ts';
import { AwsError, type AwsRequest } from './service.ts';

/** S3 allows one `*`. */
const pattern = z.string().check(z.regex(/^[^*?]*\*?[^*?]*$/));

const corsRule = z.strictObject({
  Id: z.optional(z.string()),
  AllowedMethods: z.array(z.enum(['GET', 'HEAD', 'PUT', 'POST', 'DELETE'])),
  AllowedOrigins: z.array(pattern),
  AllowedHeaders: z.optional(z.array(pattern)),
  ExposedHeaders: z.optional(z.array(z.string())),
  MaxAge: z.optional(z.number()),
});

/** A bucket's property `CorsConfiguration`. */
export const corsConfiguration = z.strictObject({ CorsRules: z.array(corsRule) });

export type CorsRules = z.output<typeof corsConfiguration>['CorsRules'];

/** S3's patterns for origins and headers are case-insensitive. */
const fits = (wanted: string, value: string): boolean => matches(wanted.toLowerCase(), value.toLowerCase());

const textOf = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
};

/** The rule and the origin under which a browser may send a request and read the response. */
function ruleFor(rules: CorsRules, origin: string, method: string, headers: readonly string[] = []) {
  for (const rule of rules) {
    const allowed = rule.AllowedOrigins.find((wanted) => fits(wanted, origin));
    if (allowed === undefined || !rule.AllowedMethods.some((one) => one === method)) continue;
    const refused = headers.some((name) => !(rule.AllowedHeaders ?? []).some((wanted) => fits(wanted, name)));
    if (!refused) return { rule, origin: allowed === '*' ? '*' : origin };
  }
  return undefined;
}

type Found = NonNullable<ReturnType<typeof ruleFor>>;

const common = ({ rule, origin }: Found): Record<string, string> => ({
  'access-control-allow-origin': origin,
  'access-control-allow-methods': rule.AllowedMethods.join(', '),
  ...(rule.ExposedHeaders === undefined
    ? {}
    : { 'access-control-expose-headers': rule.ExposedHeaders.join(', ') }),
  vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
});

/** Response headers for a request from a page; none without a matching rule, so that the page cannot read the response. */
export function corsHeaders(rules: CorsRules, { headers, method }: AwsRequest): Record<string, string> {
  const origin = textOf(headers, 'origin');
  const found = origin === undefined ? undefined : ruleFor(rules, origin, method);
  return found === undefined ? {} : common(found);
}

/**
 * Response headers of a preflight request.
 *
 * @throws AwsError `AccessForbidden` when no rule allows the request; `BadRequest` without an origin or a method
 */
export function preflightHeaders(rules: CorsRules, { headers }: AwsRequest): Record<string, string> {
  const origin = textOf(headers, 'origin');
  const method = textOf(headers, 'access-control-request-method');
  if (origin === undefined || method === undefined) {
    throw new AwsError('BadRequest', 'Insufficient information. Origin request header needed.');
  }
  const requested = (textOf(headers, 'access-control-request-headers') ?? '')
    .split(',')
    .map((name) => name.trim());
  const names = requested.filter((name) => name !== '');
  const found = ruleFor(rules, origin, method, names);
  if (found === undefined) {
    const why =
      rules.length === 0 ? 'CORS is not enabled for this bucket.' : 'This CORS request is not allowed.';
    throw new AwsError('AccessForbidden', `CORSResponse: ${why}`, 403);
  }
  return {
    ...common(found),
    ...(names.length === 0 ? {} : { 'access-control-allow-headers': names.join(', ') }),
    ...(found.rule.MaxAge === undefined ? {} : { 'access-control-max-age': String(found.rule.MaxAge) }),
  };
}
