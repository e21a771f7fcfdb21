import type { APIGatewayProxyEvent } from 'aws-lambda';
import { KB } from '../aws/limits.ts';
import { ApiError, invalid, tooLarge } from '../contract/errors.ts';
import { clientCredentialsGrant, UnsupportedGrantType } from '../contract/responses.ts';
import type { Route } from '../contract/route.ts';
import type { ParseForm } from './form.ts';
import { bodyType, multipartForm } from './headers.ts';
import {
  checkCharset,
  checkContentEncoding,
  isMediaType,
  malformedBody,
  otherMediaType,
  parseInput,
  parseJson,
  parseWritten,
  singleValues,
} from './validation.ts';

const encodingOf = (event: APIGatewayProxyEvent) => (event.isBase64Encoded ? 'base64' : 'utf8');

const bodyBytes = (event: APIGatewayProxyEvent): Uint8Array<ArrayBuffer> =>
  Buffer.from(event.body ?? '', encodingOf(event));

/** Whether the body has more bytes than that; without a limit it has not. */
export const exceeds = (event: APIGatewayProxyEvent, limit = Number.POSITIVE_INFINITY): boolean =>
  Buffer.byteLength(event.body ?? '', encodingOf(event)) > limit;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The body as text, whether or not the gateway encoded it.
 * @throws ApiError `validation_error` for bytes that are not UTF-8: read as if they were, they would be stored as U+FFFD.
 */
export function bodyText(event: APIGatewayProxyEvent): string {
  if (!event.isBase64Encoded) return event.body ?? '';
  try {
    return utf8.decode(bodyBytes(event));
  } catch (error) {
    throw malformedBody('The body is not UTF-8.', 'is not UTF-8', error);
  }
}

/** Bytes of the largest JSON body of most routes: none needs as many, and a body of megabytes takes seconds to check. */
const largestJson = 256 * KB;

/** The error for a JSON body above the route's limit. */
export const tooLargeBody = ({ largestBody = largestJson }: Pick<Route, 'largestBody'>): ApiError =>
  tooLarge('The body is too large.', {
    expected: `a body of at most ${largestBody} bytes`,
    actual: 'a larger body',
  });

/**
 * The body, parsed by the schema of the route; undefined for a route without one.
 * @param headers by their names in lower case
 * @throws ApiError `validation_error` for a missing, malformed, compressed, unexpected or too large body; what `tokenParameters`
 * throws.
 */
export async function parseBody(
  route: Route,
  event: APIGatewayProxyEvent,
  headers: Readonly<Record<string, string>>,
  parseForm: ParseForm | undefined,
): Promise<unknown> {
  const contentType = headers['content-type'];
  if (event.body) checkContentEncoding(headers['content-encoding']);
  if (route.form !== undefined && parseForm !== undefined) {
    if (isMediaType(contentType, multipartForm)) {
      return parseWritten(route.form, await parseForm(bodyBytes(event), contentType ?? ''));
    }
    if (!isMediaType(contentType, 'application/json')) {
      throw otherMediaType('application/json', multipartForm);
    }
  }
  if (route.body !== undefined && exceeds(event, route.largestBody ?? largestJson)) throw tooLargeBody(route);
  checkCharset(contentType);
  const text = bodyText(event).trim();
  if (route.body !== undefined && route.standard !== undefined) {
    if (!isMediaType(contentType, bodyType(route))) throw otherMediaType(bodyType(route));
    return parseInput(route.body, tokenParameters(text, headers));
  }
  if (route.body !== undefined) {
    // What the token endpoint is sent is compared, not stored.
    const parse = route.rate === 'token' ? parseInput : parseWritten;
    const isLeftOut = route.isBodyOptional && text === '';
    return parse(route.body, isLeftOut ? {} : parseJson({ text, contentType }));
  }
  if (route.method !== 'GET' && text !== '' && text !== '{}') {
    throw invalid({ path: '', message: 'This endpoint does not accept a body.' });
  }
  return undefined;
}

/**
 * The parameters of a token request (RFC 6749, sections 2.3.1 and 4.4.2). Its client's credentials are `client_id` and
 * `client_secret`, also where they are sent as HTTP Basic.
 *
 * @param headers by their names in lower case
 * @throws ApiError `validation_error` for a parameter that is sent twice, credentials that are sent in both ways, and another
 *   grant; `unauthorized` for Basic credentials that cannot be read
 */
export function tokenParameters(
  form: string,
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(form)) {
    // One without a value counts as left out (section 3.2).
    if (value !== '') values.set(name, [...(values.get(name) ?? []), value]);
  }
  const parameters = singleValues(Object.fromEntries(values));
  const { grant_type: grant = clientCredentialsGrant, client_id: id, client_secret: secret } = parameters;
  const basic = basicCredentials(headers['authorization'] ?? '');
  // A client may name itself in the form as well (section 3.2.1).
  const isAnother = id !== undefined && id !== basic?.['client_id'];
  if (basic !== undefined && (isAnother || secret !== undefined)) {
    throw invalid({
      path: 'authorization',
      message: 'must not be sent together with a client_secret or another client_id in the form',
    });
  }
  if (grant !== clientCredentialsGrant) throw new UnsupportedGrantType();
  return { ...parameters, ...basic };
}

/** The credentials of HTTP Basic, each of which is encoded as in a form; undefined for a request without them. */
function basicCredentials(authorization: string): Record<string, string> | undefined {
  const [, encodedPair] = /^basic +(.*)$/i.exec(authorization) ?? [];
  if (encodedPair === undefined) return undefined;
  const [, id = '', secret = ''] =
    /^([^:]+):(.+)$/s.exec(Buffer.from(encodedPair, 'base64').toString()) ?? [];
  const decodePart = (part: string): string => decodeURIComponent(part.replaceAll('+', ' '));
  try {
    if (secret !== '') return { client_id: decodePart(id), client_secret: decodePart(secret) };
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
  }
  throw new ApiError('unauthorized', { message: 'The HTTP Basic credentials cannot be read.' });
}
