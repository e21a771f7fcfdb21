import { randomBytes } from 'node:crypto';
import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import {
  createAccessTokens,
  createSigningKeys,
  type SigningKey,
  type SigningKeys,
} from '#platform/identity/access-tokens.ts';
import { recordingLogger } from '../../../support/recording-logger.ts';

/** Signing keys in memory, with a rotation as Secrets Manager would do it. */
function memorySigningKeys(): SigningKeys & { rotate(): void } {
  let count = 0;
  const next = (): SigningKey => {
    count += 1;
    return { id: `version-${count}`, secret: randomBytes(64) };
  };
  let current = next();
  let previous: SigningKey | undefined;
  return {
    current: () => Promise.resolve(current),
    find: (id) => Promise.resolve([current, previous].find((key) => key?.id === id)),
    rotate() {
      previous = current;
      current = next();
    },
  };
}

describe('refuses', () => {
  const claims = { clientId: 'client_1', organizationId: '65f0c1d2e3a4b5c6d7e8f900' };
  const start = Date.parse('2026-03-01T00:00:00.000Z');

  function setup(environment = 'test') {
    const keys = memorySigningKeys();
    let now = start;
    const tokens = createAccessTokens({ keys, environment, now: () => now });
    return { keys, tokens, at: (seconds: number) => (now = start + seconds * 1000) };
  }

  it('verifies the tokens that it signs, each with a unique id', async () => {
    const { tokens } = setup();
    const [one, two] = [await tokens.sign(claims), await tokens.sign(claims)];
    expect(await tokens.verify(one)).toEqual(claims);
    expect(decodeJwt(one).jti).not.toBe(decodeJwt(two).jti);
  });

  it('accepts a token for exactly 60 minutes', async () => {
    const { tokens, at } = setup();
    const token = await tokens.sign(claims);
    at(3_599);
    expect(await tokens.verify(token)).toEqual(claims);
    at(3_600);
    expect(await tokens.verify(token)).toBeUndefined();
  });

  it('keeps a token valid through one rotation of the secret, and not through two', async () => {
    const { tokens, keys } = setup();
    const token = await tokens.sign(claims);
    keys.rotate();
    expect(await tokens.verify(token)).toEqual(claims);
    expect(await tokens.verify(await tokens.sign(claims))).toEqual(claims);
    keys.rotate();
    expect(await tokens.verify(token)).toBeUndefined();
  });

  const payload = { organizationId: claims.organizationId };
  const issuer = 'insurance-compliance-api/test';
  const token = (key: { id: string; secret: Uint8Array }, alg = 'HS256') =>
    new SignJWT(payload)
      .setProtectedHeader({ alg, kid: key.id })
      .setSubject(claims.clientId)
      .setIssuer(issuer)
      .setAudience(issuer)
      .setJti('1')
      .setIssuedAt(start / 1000)
      .setExpirationTime(start / 1000 + 60)
      .sign(key.secret);

  it('not the valid token that the cases below change', async () => {
    const { tokens, keys } = setup();
    expect(await tokens.verify(await token(await keys.current()))).toEqual(claims);
  });

  it('a token signed with another secret under a known version', async () => {
    const { tokens, keys } = setup();
    const { id } = await keys.current();
    expect(await tokens.verify(await token({ id, secret: new Uint8Array(64) }))).toBeUndefined();
  });

  it('another algorithm, even with the right secret', async () => {
    const { tokens, keys } = setup();
    expect(await tokens.verify(await token(await keys.current(), 'HS512'))).toBeUndefined();
  });

  it('alg none', async () => {
    const { tokens } = setup();
    const unsecured = new UnsecuredJWT(payload)
      .setSubject(claims.clientId)
      .setIssuer(issuer)
      .setAudience(issuer)
      .encode();
    expect(await tokens.verify(unsecured)).toBeUndefined();
  });

  it('a token of another environment', async () => {
    const { keys } = setup();
    const sandbox = createAccessTokens({ keys, environment: 'sandbox', now: () => start });
    const prod = createAccessTokens({ keys, environment: 'prod', now: () => start });
    expect(await prod.verify(await sandbox.sign(claims))).toBeUndefined();
  });

  it.each(['', 'x', 'a.b.c', '..', 'eyJhbGciOiJIUzI1NiJ9.e30.x', 'é.é.é'])(
    '%j, which is no token',
    async (text) => {
      expect(await setup().tokens.verify(text)).toBeUndefined();
    },
  );
});

describe('signing keys', () => {
  const secrets = mockClient(SecretsManagerClient);

  /** An answer of Secrets Manager; versions are an hour old when a test begins, unless it says otherwise. */
  const versionOf = (VersionId: string, createdAtSecond = -3_600) => ({
    VersionId,
    SecretString: `secret of ${VersionId}`,
    CreatedDate: new Date(createdAtSecond * 1_000),
  });

  /** What Secrets Manager answers where a stage has no version, or one without a value. */
  const none = new ResourceNotFoundException({ message: 'none', $metadata: {} });

  /** Secrets Manager holding these versions, none of them pending; an undefined one does not exist. */
  function holding(current: string, previous: string | undefined, createdAtSecond?: number): void {
    secrets.on(GetSecretValueCommand, { VersionStage: 'AWSPENDING' }).rejects(none);
    secrets
      .on(GetSecretValueCommand, { VersionStage: 'AWSCURRENT' })
      .resolves(versionOf(current, createdAtSecond));
    const before = secrets.on(GetSecretValueCommand, { VersionStage: 'AWSPREVIOUS' });
    if (previous === undefined) before.rejects(none);
    else before.resolves(versionOf(previous));
  }

  function setup() {
    let now = 0;
    const log = recordingLogger();
    const instance = () =>
      createSigningKeys({
        client: new SecretsManagerClient({ region: 'us-east-1' }),
        secretArn: 'arn',
        now: () => now,
        log,
      });
    return {
      keys: instance(),
      /** The keys of another function's instance, by the same clock. */
      instance,
      log,
      pass: (seconds: number) => {
        now += seconds * 1_000;
      },
    };
  }

  beforeEach(() => secrets.reset());

  it('signs with the current version and finds both', async () => {
    holding('v2', 'v1');
    const { keys } = setup();
    expect((await keys.current()).id).toBe('v2');
    expect((await keys.find('v1'))?.id).toBe('v1');
    expect(secrets.calls()).toHaveLength(3);
  });

  it('notices a rotation when a token names an unknown version', async () => {
    holding('v1', undefined);
    const { keys, pass } = setup();
    await keys.current();
    secrets.reset();
    holding('v2', 'v1');
    pass(31);
    expect((await keys.find('v2'))?.id).toBe('v2');
  });

  describe('after a rotation', () => {
    /** A rotation at second 5, which an authorizer that read the keys at second 0 does not know of. */
    async function rotated() {
      holding('v1', 'v0');
      const { keys: authorizer, instance, pass } = setup();
      await authorizer.find('v1');
      pass(5);
      holding('v2', 'v1', 5);
      return { authorizer, instance, pass };
    }

    it('a token that is signed at once is accepted by an authorizer that has just read the keys', async () => {
      const { authorizer, instance, pass } = await rotated();
      pass(5);
      const { id } = await instance().current();
      pass(1);
      expect((await authorizer.find(id))?.id).toBe(id);
    });

    it('the new version signs after two minutes, when every authorizer has read it', async () => {
      const { authorizer, instance, pass } = await rotated();
      const auth = instance();
      pass(119);
      expect((await auth.current()).id).toBe('v1');
      pass(1);
      expect((await auth.current()).id).toBe('v2');
      expect((await authorizer.find('v2'))?.id).toBe('v2');
    });

    it('and another one at once, the version between them signs, and the one before no longer verifies', async () => {
      const { instance } = await rotated();
      holding('v3', 'v2', 5);
      const auth = instance();
      expect((await auth.current()).id).toBe('v2');
      expect(await auth.find('v1')).toBeUndefined();
    });

    it('that happens while the versions are read, none is missed between the current and the previous one', async () => {
      holding('v1', 'v0');
      secrets.on(GetSecretValueCommand, { VersionStage: 'AWSCURRENT' }).callsFake(async () => {
        await setImmediate();
        holding('v2', 'v1', 0);
        return versionOf('v2', 0);
      });
      expect((await setup().keys.current()).id).toBe('v1');
    });
  });

  describe('while a rotation is not finished', () => {
    const pendingIs = (version: string, createdAtSecond: number) =>
      secrets
        .on(GetSecretValueCommand, { VersionStage: 'AWSPENDING' })
        .resolves(versionOf(version, createdAtSecond));

    it('its version verifies and does not sign, so that it is known when the last step, late, makes it sign at once', async () => {
      const { keys: authorizer, instance, pass } = setup();
      holding('v1', 'v0');
      pendingIs('v2', 0);
      pass(130);
      expect((await authorizer.find('v1'))?.id).toBe('v1');
      expect((await instance().current()).id).toBe('v1');
      pass(5);
      holding('v2', 'v1', 0);
      const { id } = await instance().current();
      expect(id).toBe('v2');
      expect((await authorizer.find(id))?.id).toBe('v2');
    });

    it('and finishes while the versions are read, its version is known', async () => {
      holding('v1', 'v0');
      pendingIs('v2', -3_600);
      secrets.on(GetSecretValueCommand, { VersionStage: 'AWSCURRENT' }).callsFake(() => {
        holding('v2', 'v1');
        return versionOf('v1');
      });
      expect((await setup().keys.find('v2'))?.id).toBe('v2');
    });
  });

  it('signs with a first version at once', async () => {
    holding('v1', undefined, 0);
    expect((await setup().keys.current()).id).toBe('v1');
  });

  it('reads again at most once in 30 seconds, however many unknown versions are named', async () => {
    holding('v1', undefined);
    const { keys, pass } = setup();
    await keys.current();
    for (let i = 0; i < 29; i += 1) {
      pass(1);
      expect(await keys.find(`foreign${i}`)).toBeUndefined();
    }
    expect(secrets.calls()).toHaveLength(3);
    pass(1);
    await Promise.all([keys.find('one'), keys.find('two')]);
    expect(secrets.calls()).toHaveLength(6);
  });

  describe('while Secrets Manager fails', () => {
    async function failing() {
      holding('v2', 'v1');
      const started = setup();
      await started.keys.current();
      secrets.reset();
      secrets.on(GetSecretValueCommand).rejects(new Error('down'));
      return started;
    }

    it('keeps the known keys, whether a token names an unknown version or the keys are due to be read', async () => {
      const { keys, pass } = await failing();
      pass(31);
      expect(await keys.find('foreign')).toBeUndefined();
      expect((await keys.find('v1'))?.id).toBe('v1');
      pass(600);
      expect((await keys.find('v2'))?.id).toBe('v2');
      expect((await keys.current()).id).toBe('v2');
    });

    it('tries again at most once in 30 seconds and logs each failure', async () => {
      const { keys, log, pass } = await failing();
      pass(60);
      for (let second = 0; second < 60; second += 1) {
        await keys.find('v2');
        await keys.find(`foreign${second}`);
        pass(1);
      }
      expect(secrets.calls()).toHaveLength(2);
      expect(log.lines).toEqual([
        expect.objectContaining({ level: 'error', event: 'signing_keys_not_refreshed' }),
        expect.objectContaining({ level: 'error', event: 'signing_keys_not_refreshed' }),
      ]);
    });

    it('takes newer keys as soon as they can be read', async () => {
      const { keys, pass } = await failing();
      pass(60);
      await keys.current();
      secrets.reset();
      holding('v3', 'v2');
      pass(30);
      expect((await keys.current()).id).toBe('v3');
      expect(await keys.find('v1')).toBeUndefined();
    });

    it('serves the known keys when Secrets Manager does not respond at all', async () => {
      const { keys, pass } = await failing();
      secrets.reset();
      secrets.on(GetSecretValueCommand).callsFake(() => new Promise(() => {}));
      pass(60);
      expect((await keys.find('v2'))?.id).toBe('v2');
      pass(60);
      expect((await keys.find('v2'))?.id).toBe('v2');
    });
  });

  it('an instance that was frozen during two rotations waits for what it is to sign with, however slowly it comes', async () => {
    holding('v2', 'v1');
    const { keys, pass } = setup();
    await keys.current();
    secrets.reset();
    secrets.on(GetSecretValueCommand, { VersionStage: 'AWSPENDING' }).rejects(none);
    secrets.on(GetSecretValueCommand, { VersionStage: 'AWSCURRENT' }).callsFake(async () => {
      await pause(1_200);
      return versionOf('v4');
    });
    secrets.on(GetSecretValueCommand, { VersionStage: 'AWSPREVIOUS' }).resolves(versionOf('v3'));
    pass(1_200);
    const signing = await Promise.all([keys.current(), keys.current()]);
    expect(signing.map(({ id }) => id)).toEqual(['v4', 'v4']);
  });

  it('does not cache a failure of the first read', async () => {
    secrets.on(GetSecretValueCommand).rejects(new Error('down'));
    const { keys } = setup();
    await expect(keys.current()).rejects.toThrow('down');
    holding('v1', undefined);
    expect((await keys.current()).id).toBe('v1');
  });
});
