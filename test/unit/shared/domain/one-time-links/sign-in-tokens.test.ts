import { createSignInTokens } from '#domain/one-time-links/store.ts';

const tokens = createSignInTokens(async () => 'secret');
const now = new Date('2026-03-01T12:00:00.000Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const signIn = {
  downstreamEntityAssociationId: '65f0c1d2e3a4b5c6d7e8f901',
  contactId: '65f0c1d2e3a4b5c6d7e8f902',
};
const [email, other] = ['maria@lonestar.example', 'mary@lonestar.example'];
const make = () => tokens.make({ ...signIn, email }, now);

it('is read as it was made, for fifteen minutes', async () => {
  const { token, expiresAt } = await make();
  expect(token).toMatch(/^[\w-]{1,200}$/);
  expect(expiresAt).toBe(later(900).getTime() / 1_000);
  expect(await tokens.read(token, later(899))).toMatchObject({ ...signIn, expiresAt });
  expect(await tokens.read(token, later(900))).toBeUndefined();
});

it('is for the address that it was made for, in any case', async () => {
  const read = await tokens.read((await make()).token, now);
  expect(await read?.isFor(email.toUpperCase())).toBe(true);
  expect(await read?.isFor(other)).toBe(false);
});

it('is another one each time, and the same however it is written', async () => {
  const [one, two] = [await make(), await make()];
  const idOf = async (token: string) => (await tokens.read(token, now))?.id;
  expect(await idOf(one.token)).not.toBe(await idOf(two.token));
  expect(await idOf(`${one.token}==`)).toBe(await idOf(one.token));
});

it('is refused with any other byte, without one, and by another secret', async () => {
  const { token } = await make();
  const bytes = Buffer.from(token, 'base64url');
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    expect(await tokens.read(changed.toString('base64url'), now)).toBeUndefined();
  }
  for (const changed of ['', token.slice(0, -4), `${token}AAAA`]) {
    expect(await tokens.read(changed, now)).toBeUndefined();
  }
  expect(await createSignInTokens(async () => 'other').read(token, now)).toBeUndefined();
});
