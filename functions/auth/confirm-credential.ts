import type { ApiRequest } from '../../shared/platform/request/operation.ts';
import type { authRoutes } from './routes.ts';

/** By the time a test endpoint's operation runs, the authorizer has accepted the credential that the route demands. */
const message = 'The credential is valid.';

export const confirmCredential = () => ({ message });

/** Confirms and names the category (OpenAPI, "Credentials"). */
export const confirmCredentialWithCategory = ({
  identity,
}: ApiRequest<typeof authRoutes.routes.testOauth>) => ({
  message,
  orgCategory: identity.category,
});
