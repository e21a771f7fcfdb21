import type { APIGatewayProxyEvent } from 'aws-lambda';
import { invalid } from '../contract/errors.ts';
import type { Route } from '../contract/route.ts';
import { multipartForm, parseForm } from './form.ts';
import { isMediaType, otherMediaType, parseInput, parseJson } from './validation.ts';

const bodyBytes = (event: APIGatewayProxyEvent): Uint8Array<ArrayBuffer> =>
  Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');

/** The body as text, whether or not the gateway encoded it. */
export const bodyText = (event: APIGatewayProxyEvent): string =>
  event.isBase64Encoded ? Buffer.from(event.body ?? '', 'base64').toString('utf8') : (event.body ?? '');

/**
 * The body, parsed by the schema of the route; undefined for a route without one.
 * @throws ApiError `validation_error` for a missing, malformed or unexpected body.
 */
export async function parseBody(
  route: Route,
  event: APIGatewayProxyEvent,
  contentType: string | undefined,
): Promise<unknown> {
  if (route.form !== undefined) {
    if (isMediaType(contentType, multipartForm)) {
      return parseInput(route.form, await parseForm(bodyBytes(event), contentType ?? ''));
    }
    if (!isMediaType(contentType, 'application/json')) {
      throw otherMediaType('application/json', multipartForm);
    }
  }
  const text = bodyText(event).trim();
  if (route.body !== undefined) {
    const isLeftOut = route.isBodyOptional && !text;
    return parseInput(route.body, isLeftOut ? {} : parseJson({ text, contentType }));
  }
  if (route.method !== 'GET' && text && text !== '{}') {
    throw invalid({ path: '', message: 'This endpoint does not accept a body.' });
  }
  return undefined;
}
