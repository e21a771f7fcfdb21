/**
 * Headers of every response, whether a function or the gateway itself gives it (OpenAPI, "Responses"). Browsers ignore
 * `strict-transport-security` over http, as in the local run.
 */
export const commonHeaders = {
  'cache-control': 'no-store',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
} as const;

/**
 * `www-authenticate` of a 401 (RFC 6750, section 3). A gateway response has fixed headers, so a request without a token gets
 * the same error code as one with an expired token, although the RFC recommends none for it.
 */
export const challenge = 'Bearer realm="insurance-compliance-api", error="invalid_token"';

/** `www-authenticate` of a 401 of the token endpoint of RFC 6749 (section 5.2). */
export const basicChallenge = 'Basic realm="insurance-compliance-api"';

/** Under which name the gateway passes on a function's `www-authenticate`. */
export const remappedChallenge = 'x-amzn-remapped-www-authenticate';
