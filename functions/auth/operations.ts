import { confirmCredential, confirmCredentialWithCategory } from './confirm-credential.ts';
import { exchangeToken, exchangeTokenV1, requestToken } from './exchange-token.ts';
import { getOpenApiDocument } from './get-openapi-document.ts';

/** The operation of each row of the auth table. */
export const authOperations = {
  exchangeToken,
  exchangeTokenV1,
  requestToken,
  testOauth: confirmCredentialWithCategory,
  testOauthV1: confirmCredential,
  testRestrictedAccessToken: confirmCredential,
  testRestrictedAccessTokenV1: confirmCredential,
  getHeartbeat: () => ({ status: 'ok' as const }),
  getOpenApiDocument,
};
