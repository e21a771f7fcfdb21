import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type ApiError, invalid } from '../contract/errors.ts';
import { basicChallenge } from '../contract/responses.ts';
import { type Route, v1DeprecatedAt } from '../contract/route.ts';

const usualPorts: Readonly<Record<string, string>> = { http: '80', https: '443' };

const segments = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

/**
 * The address in front of the routes' paths, as the caller sent it: `https://api.example.com` for a custom domain,
 * `https://<id>.execute-api.<region>.amazonaws.com/prod` for a stage's own address, which no template can pass to a
 * function of its own API.
 *
 * @param headers by their names in lower case; API Gateway sets those that begin with `x-forwarded-`.
 */
export function baseUrlOf(
  { resource, requestContext }: Pick<APIGatewayProxyEvent, 'resource' | 'requestContext'>,
  headers: Readonly<Record<string, string>>,
): string {
  const scheme = headers['x-forwarded-proto'] === 'http' ? 'http' : 'https';
  const port = headers['x-forwarded-port'];
  const isUsual = port === undefined || port === usualPorts[scheme];
  // What comes before the route in the path: a stage, or the base path of a custom domain.
  const prefix = segments(requestContext.path).slice(0, -segments(resource).length);
  const host = `${requestContext.domainName}${isUsual ? '' : `:${port}`}`;
  return [`${scheme}://${host}`, ...prefix].join('/');
}

type Headers = Readonly<Record<string, string>>;

/** Null in a test in the gateway's console. */
type RequestHeaders = { readonly multiValueHeaders: APIGatewayProxyEvent['multiValueHeaders'] | null };

/**
 * Headers of a request by their names in lower case: they arrive as the client spelled them. A header sent more than once, with
 * different values, has them as a list (RFC 9110, section 5.3), and not only the last one, as in the event's own `headers`.
 */
export function headersOf({ multiValueHeaders }: RequestHeaders): Record<string, string> {
  const valuesByName = new Map<string, string>();
  for (const [name, values = []] of Object.entries(multiValueHeaders ?? {})) {
    const key = name.toLowerCase();
    for (const value of values) {
      const previousValue = valuesByName.get(key);
      valuesByName.set(
        key,
        previousValue === undefined || previousValue === value ? value : `${previousValue}, ${value}`,
      );
    }
  }
  return Object.fromEntries(valuesByName);
}

/** Headers of every response that depend on its route, whether the request succeeds or not. */
export const routeHeaders = ({ standard, successor }: Route, event: APIGatewayProxyEvent): Headers => ({
  // RFC 6749 (section 5.1) requires it beside `cache-control`.
  ...(standard === undefined ? {} : { pragma: 'no-cache' }),
  ...(successor === undefined
    ? {}
    : {
        deprecation: `@${v1DeprecatedAt}`,
        link: `<${addressOf(successor, event)}>; rel="successor-version"`,
      }),
});

/** Path of the same resource under another template. */
const addressOf = (template: string, event: APIGatewayProxyEvent): string =>
  baseUrlOf(event, headersOf(event)) +
  template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(event.pathParameters?.[name] ?? ''));

/** Headers of a success: until when a list was read, and how long caches may keep it. */
export const successHeaders = ({ answer, followHeaders }: Route, time: Date): Headers => ({
  ...followHeaders?.(time),
  ...('cacheSeconds' in answer ? { 'cache-control': `public, max-age=${answer.cacheSeconds}` } : {}),
});

/** Headers of an error: when to try again, and how RFC 6749 wants clients to authenticate. */
export const errorHeaders = ({ status, retryAfterSeconds }: ApiError, route: Route | undefined): Headers => ({
  ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  ...(status === 401 && route?.standard !== undefined ? { 'www-authenticate': basicChallenge } : {}),
});

export const json = 'application/json';

export const multipartForm = 'multipart/form-data';

const urlEncodedForm = 'application/x-www-form-urlencoded';

/** The media type of a route's body. */
export const bodyType = ({ standard }: Pick<Route, 'standard'>) =>
  standard === undefined ? json : urlEncodedForm;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The headers that can carry a key. */
export const idempotencyKeyHeaders = ['idempotency-key', 'x-idempotency-key'] as const;

/**
 * The idempotency key of a request, from either of its two headers; quotes around it are tolerated.
 * @param headers by lower-case name; one that was sent more than once has its values as a list.
 * @throws ApiError `validation_error` when it is not a UUID, or several are sent and differ.
 */
export function idempotencyKey(headers: Readonly<Record<string, string>>): string | undefined {
  const keys = new Set<string>();
  for (const name of idempotencyKeyHeaders) {
    for (const value of headers[name]?.split(',') ?? []) {
      const key = value.trim().replace(/^"(.*)"$/, '$1');
      if (!uuid.test(key)) throw invalid({ path: name, message: 'must be a UUID' });
      keys.add(key.toLowerCase());
      if (keys.size > 1) throw invalid({ path: name, message: 'differs from another one; send one key' });
    }
  }
  return [...keys][0];
}
