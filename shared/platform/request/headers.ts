import type { APIGatewayProxyEvent } from 'aws-lambda';
import { basicChallenge } from '../contract/common-headers.ts';
import type { ApiError } from '../contract/errors.ts';
import type { Route } from '../contract/route.ts';
import { v1DeprecatedAt } from '../contract/v1.ts';
import { baseUrlOf } from './base-url.ts';

type Headers = Readonly<Record<string, string>>;

/** Null in a test in the gateway's console. */
type RequestHeaders = { readonly multiValueHeaders: APIGatewayProxyEvent['multiValueHeaders'] | null };

/**
 * Headers of a request by their names in lower case: they arrive as the client spelled them. One that is sent more than once, with
 * different values, has them as a list (RFC 9110, section 5.3), and not only the last one, as in the event's own `headers`.
 */
export function headersOf({ multiValueHeaders }: RequestHeaders): Record<string, string> {
  const found = new Map<string, string>();
  for (const [name, values = []] of Object.entries(multiValueHeaders ?? {})) {
    const key = name.toLowerCase();
    for (const value of values) {
      const before = found.get(key);
      found.set(key, before === undefined || before === value ? value : `${before}, ${value}`);
    }
  }
  return Object.fromEntries(found);
}

/** What every response says of its route, whether the request succeeds or not. */
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

/** Where the same resource is under another path template. */
const addressOf = (template: string, event: APIGatewayProxyEvent): string =>
  baseUrlOf(event, headersOf(event)) +
  template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(event.pathParameters?.[name] ?? ''));

/** What a success says: until when a list was read, and how long caches may keep it. */
export const successHeaders = ({ answer, followed }: Route, at: Date): Headers => ({
  ...followed?.(at),
  ...('cacheSeconds' in answer ? { 'cache-control': `public, max-age=${answer.cacheSeconds}` } : {}),
});

/** What an error says: when to try again, and how RFC 6749 wants clients to authenticate. */
export const errorHeaders = ({ status, retryAfterSeconds }: ApiError, route: Route | undefined): Headers => ({
  ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  ...(status === 401 && route?.standard !== undefined ? { 'www-authenticate': basicChallenge } : {}),
});
