import * as z from 'zod/mini';
import { AwsError, type AwsRequest } from './service.ts';

const anything = z.tuple([z.literal('*')]);

/** A bucket's property `CorsConfiguration`: one rule, for pages of every origin and all headers. */
export const corsConfiguration = z.strictObject({
  CorsRules: z.tuple([
    z.strictObject({
      AllowedMethods: z.array(z.enum(['GET', 'HEAD', 'PUT', 'POST', 'DELETE'])),
      AllowedOrigins: anything,
      AllowedHeaders: anything,
      ExposedHeaders: z.array(z.string()),
      MaxAge: z.number(),
    }),
  ]),
});

export type CorsRule = z.output<typeof corsConfiguration>['CorsRules'][0];

const allows = (rule: CorsRule | undefined, method: string): rule is CorsRule =>
  rule?.AllowedMethods.some((one) => one === method) === true;

const common = ({ AllowedMethods, ExposedHeaders }: CorsRule): Record<string, string> => ({
  'access-control-allow-origin': '*',
  'access-control-allow-methods': AllowedMethods.join(', '),
  'access-control-expose-headers': ExposedHeaders.join(', '),
  vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
});

/** Response headers for a request from a page; none where the rule does not allow it, so that the page cannot read the response. */
export const corsHeaders = (rule: CorsRule | undefined, { headers, method }: AwsRequest) =>
  headers.origin !== undefined && allows(rule, method) ? common(rule) : {};

/**
 * Response headers of a preflight request.
 *
 * @throws AwsError `AccessForbidden` when no rule allows the request; `BadRequest` without an origin or a method
 */
export function preflightHeaders(
  rule: CorsRule | undefined,
  { headers }: AwsRequest,
): Record<string, string> {
  const { 'access-control-request-method': method, 'access-control-request-headers': names } = headers;
  if (headers.origin === undefined || method === undefined) {
    throw new AwsError('BadRequest', 'Insufficient information. Origin request header needed.');
  }
  if (!allows(rule, method)) {
    throw new AwsError('AccessForbidden', 'CORSResponse: This CORS request is not allowed.', 403);
  }
  return {
    ...common(rule),
    ...(names === undefined ? {} : { 'access-control-allow-headers': names }),
    'access-control-max-age': String(rule.MaxAge),
  };
}
