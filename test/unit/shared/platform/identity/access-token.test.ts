import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import { createAccessTokens } from '../../../../../shared/platform/identity/access-token.ts';
import { memorySigningKeys } from '../../../../support/signing-keys.ts';

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

describe('refuses', () => {
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
