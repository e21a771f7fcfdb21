import { randomUUID } from 'node:crypto';
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose';
import * as z from 'zod/mini';
import { compatible } from '../contract/compatible.ts';
import { object } from '../contract/object.ts';
import type { SigningKeys } from './signing-keys.ts';
import { tokenLifetimeMinutes } from './token-lifetime.ts';

const lifetimeSeconds = tokenLifetimeMinutes * 60;
const algorithm = 'HS256';

/** The claims of an access token: the API client and its organization. */
export interface AccessTokenClaims {
  readonly clientId: string;
  readonly organizationId: string;
}

const claims = compatible(
  'access-token-claims',
  object(() => ({ sub: z.string(), organizationId: z.string() })),
);

/** Access tokens of one environment: HS256 JWTs. */
export type AccessTokens = ReturnType<typeof createAccessTokens>;

/** `kid` of a token's header; undefined when the token is not a JWT at all. */
function keyIdOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid;
  } catch (error) {
    if (error instanceof TypeError || error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

export function createAccessTokens(options: {
  readonly keys: SigningKeys;
  readonly environment: string;
  readonly now: () => number;
}) {
  const issuer = `insurance-compliance-api/${options.environment}`;
  return {
    async sign({ clientId, organizationId }: AccessTokenClaims): Promise<string> {
      const key = await options.keys.current();
      const issuedAt = Math.floor(options.now() / 1000);
      return new SignJWT({ organizationId })
        .setProtectedHeader({ alg: algorithm, typ: 'JWT', kid: key.id })
        .setIssuer(issuer)
        .setAudience(issuer)
        .setSubject(clientId)
        .setJti(randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetimeSeconds)
        .sign(key.secret);
    },
    /** The claims of a valid token; undefined for one that is malformed, foreign, unsigned, altered or expired. */
    async verify(token: string): Promise<AccessTokenClaims | undefined> {
      const keyId = keyIdOf(token);
      const key = keyId === undefined ? undefined : await options.keys.find(keyId);
      if (key === undefined) return undefined;
      try {
        const { payload } = await jwtVerify(token, key.secret, {
          algorithms: [algorithm],
          issuer,
          audience: issuer,
          requiredClaims: ['exp', 'iat', 'jti', 'sub'],
          currentDate: new Date(options.now()),
        });
        const parsed = z.safeParse(claims, payload);
        return parsed.success
          ? { clientId: parsed.data.sub, organizationId: parsed.data.organizationId }
          : undefined;
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}
