import { ApiError, invalid } from '../contract/errors.ts';
import { clientCredentialsGrant, UnsupportedGrantType } from '../contract/responses.ts';
import { singleValues } from './validation.ts';

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
