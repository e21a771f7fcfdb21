import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose';
import * as z from 'zod/mini';
import { type Log, toError } from '../log/log.ts';

/** A version of the signing secret; `id` travels in a token's `kid` header. */
export interface SigningKey {
  readonly id: string;
  readonly secret: Uint8Array;
}

/** The valid versions of the signing secret: the current, the previous, and the one that a rotation makes. All verify. */
export type SigningKeys = ReturnType<typeof createSigningKeys>;

/** A version with the time of its creation, in milliseconds. */
interface Version extends SigningKey {
  readonly createdAt: number;
}

/** The versions that Secrets Manager has. */
interface Versions {
  /** Version of a rotation under way or left unfinished; the current one, where its label is still there. */
  readonly pending: Version | undefined;
  readonly current: Version;
  readonly previousVersion: Version | undefined;
}

const lifetimeMs = 60_000;

/** However many tokens name an unknown version, and whether or not reading succeeds. */
const refreshAtMostEveryMs = 30_000;

/** Time that a caller waits for newer versions than the known ones: the authorizer has five seconds in all. */
const refreshWaitMs = 1_000;

/**
 * Age at which a version signs. Every authorizer has read it by then, even if one attempt failed: that takes the lifetime,
 * the time to the next attempt, and the wait for it. The rest is for the steps of the rotation and for clocks that differ.
 */
export const signsAfterMs = 120_000;

/**
 * Time that a signer waits whose keys are older than that: an instance that was frozen may have missed two rotations, and what it
 * signed with the version that it knows would verify nowhere. The token endpoint has 29 seconds in all.
 */
const signerWaitMs = 20_000;

/** Resolves when the work is done, or after the time if that is earlier. */
const settledWithin = (work: Promise<void>, ms: number): Promise<void> =>
  Promise.race([work, pause(ms, undefined, { ref: false })]);

/**
 * Signing keys from Secrets Manager, read again after a minute. A rotation makes the current version the previous one, which
 * signs for two minutes more: an authorizer may have read the keys just before, and does not read them again for every unknown
 * `kid`. A version's age counts from when its value was created, and from then on it verifies: one that an unfinished rotation
 * left pending for longer signs as soon as it is current, and is known by then. What it signed verifies for the rest of its
 * hour, unless another rotation comes sooner. After two at once, as when the secret has leaked, tokens may be refused for two
 * minutes. Known keys stay until newer ones have been read: neither a failure of Secrets Manager nor a token with an invented
 * `kid` invalidates good tokens.
 */
export function createSigningKeys(options: {
  readonly client: SecretsManagerClient;
  readonly secretArn: string;
  readonly now: () => number;
  readonly log: Log;
}) {
  const read = async (stage: 'AWSPENDING' | 'AWSCURRENT' | 'AWSPREVIOUS'): Promise<Version | undefined> => {
    try {
      const { VersionId, SecretString, CreatedDate } = await options.client.send(
        new GetSecretValueCommand({ SecretId: options.secretArn, VersionStage: stage }),
      );
      if (VersionId === undefined || SecretString === undefined || CreatedDate === undefined)
        return undefined;
      return {
        id: VersionId,
        secret: new TextEncoder().encode(SecretString),
        createdAt: CreatedDate.getTime(),
      };
    } catch (error) {
      // Before the first rotation there is no previous version, and a pending one has no value at first.
      if (stage !== 'AWSCURRENT' && error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  };

  let knownVersions: Versions | undefined;
  let readSinceMs = Number.NEGATIVE_INFINITY;
  let attemptedAt = Number.NEGATIVE_INFINITY;
  let firstRead: Promise<Versions> | undefined;
  let refresh: Promise<void> | undefined;

  const readAll = async (): Promise<Versions> => {
    const startedAt = options.now();
    attemptedAt = startedAt;
    // In this order: if they were read at once, a rotation between them would hide a version that it gave another stage.
    const pending = await read('AWSPENDING');
    const current = await read('AWSCURRENT');
    const previousVersion = await read('AWSPREVIOUS');
    if (current === undefined) throw new Error('The signing secret has no current version.');
    knownVersions = { pending, current, previousVersion };
    readSinceMs = startedAt;
    return knownVersions;
  };

  const readFirst = (): Promise<Versions> => {
    firstRead ??= readAll().finally(() => {
      firstRead = undefined;
    });
    return firstRead;
  };

  const readAgain = async (): Promise<void> => {
    try {
      await readAll();
    } catch (error) {
      options.log.error('The signing keys cannot be read; those already known stay in use.', {
        event: 'signing_keys_not_refreshed',
        error: toError(error),
      });
    } finally {
      refresh = undefined;
    }
  };

  /** Reads the versions again unless that was just tried; a caller waits for a while, even for a read that another one began. */
  const refreshVersions = async (waitMs = refreshWaitMs): Promise<void> => {
    if (refresh === undefined && options.now() - attemptedAt < refreshAtMostEveryMs) return;
    refresh ??= readAgain();
    await settledWithin(refresh, waitMs);
  };

  const versions = async (): Promise<Versions> => {
    if (knownVersions === undefined) return readFirst();
    // Only the caller who begins waits: while Secrets Manager hangs, the others are served with what is known.
    if (refresh === undefined && options.now() - readSinceMs >= lifetimeMs) await refreshVersions();
    return knownVersions;
  };

  const lookUp = async (id: string): Promise<SigningKey | undefined> => {
    const { pending, current, previousVersion } = await versions();
    return [pending, current, previousVersion].find((key) => key?.id === id);
  };

  return {
    /** The version that signs: a new one only once it is known wherever tokens are verified. */
    async current(): Promise<SigningKey> {
      if (knownVersions !== undefined && options.now() - readSinceMs >= signsAfterMs)
        await refreshVersions(signerWaitMs);
      const { current, previousVersion = current } = await versions();
      return options.now() - current.createdAt < signsAfterMs ? previousVersion : current;
    },
    /** The version named by a token's `kid`, or undefined when it is none of these. */
    async find(id: string): Promise<SigningKey | undefined> {
      const key = await lookUp(id);
      if (key !== undefined) return key;
      await refreshVersions();
      return lookUp(id);
    },
  };
}

/** Minutes for which an access token is valid. */
export const tokenLifetimeMinutes = 60;

const lifetimeSeconds = tokenLifetimeMinutes * 60;
const algorithm = 'HS256';

/** The claims of an access token: the API client and its organization. */
interface AccessTokenClaims {
  readonly clientId: string;
  readonly organizationId: string;
}

const claims = z.object({ sub: z.string(), organizationId: z.string() });

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
        const result = z.safeParse(claims, payload);
        return result.success
          ? { clientId: result.data.sub, organizationId: result.data.organizationId }
          : undefined;
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}
