import type { CredentialMethod } from '../../shared/platform/contract/route.ts';
import { tokenLifetimeMinutes } from '../../shared/platform/identity/token-lifetime.ts';

/** Names of the two security schemes, by credential method. */
export const schemes: Readonly<Record<CredentialMethod, string>> = {
  oauth: 'accessToken',
  'restricted access token': 'restrictedAccessToken',
};

/** The document's security schemes, by name. */
export const securitySchemes = {
  [schemes.oauth]: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: `Access token from \`/v2/auth/jwt\` (upstream organizations: or \`/v1/auth/jwt\`); expires after ${tokenLifetimeMinutes} minutes.`,
  },
  [schemes['restricted access token']]: {
    type: 'apiKey',
    in: 'header',
    name: 'x-restricted-access-token',
    description: 'Restricted access token; accepted only from its allowlisted addresses.',
  },
};
