import * as z from 'zod/mini';
import { ApiError, type ErrorType } from './errors.ts';
import { object } from './object.ts';

/** The only grant of the token endpoint (RFC 6749, section 4.4). */
export const clientCredentialsGrant = 'client_credentials';

/** A request for a token by another grant. */
export class UnsupportedGrantType extends ApiError {
  constructor() {
    super('validation_error', { message: `The grant_type must be ${clientCredentialsGrant}.` });
  }
}

/**
 * The codes of RFC 6749 (section 5.2, and for our own failures 4.1.2.1) that an `errorType` can have there. An error without
 * one, such as `rate_limit_exceeded`, keeps this API's shape.
 */
export const oauthCodes: ReadonlyMap<ErrorType, readonly string[]> = new Map<ErrorType, string[]>([
  ['validation_error', ['invalid_request', 'unsupported_grant_type']],
  ['unauthorized', ['invalid_client']],
  ['internal_server_error', ['server_error']],
  ['service_unavailable', ['temporarily_unavailable']],
]);

/** The shape of the errors of a route that follows RFC 6749 (OpenAPI, "Errors"). */
export const oauthErrorBody = object(() => ({
  error: z.enum([...oauthCodes.values()].flat()),
  error_description: z.string(),
}));

/** An error as RFC 6749 has it; undefined for one that it has no code for. */
export function oauthError(error: ApiError): z.output<typeof oauthErrorBody> | undefined {
  const [usual, ofGrant] = oauthCodes.get(error.errorType) ?? [];
  const code = error instanceof UnsupportedGrantType ? ofGrant : usual;
  if (code === undefined) return undefined;
  // A description is ASCII without quotes and backslashes; a message can have a key of the caller's.
  const description = error.message.replaceAll('"', "'").replace(/[^ -[\]-~]/g, '?');
  return { error: code, error_description: description };
}
