import { createSignInTokens } from '#domain/one-time-links/store.ts';
import type { SecretText } from '#platform/config/secret-text.ts';

/** A secret of sign-in links that is no secret. */
export const linkSecret: SecretText = {
  current: async () => 'secret of sign-in links',
  forget: () => undefined,
};

export const signInTokens = createSignInTokens(linkSecret.current);
