import { createNameResolver } from '../../../../functions/webhook-delivery/resolve-name.ts';
import { startNameServer } from '../../../support/name-server.ts';
import { longestMs, until } from '../../../support/until.ts';

const publicV6 = '2606:2800:21f:cb07:6820:80da:af6b:8b2c';

const slow = Array.from({ length: 20 }, (_, index) => `slow-${index}.example`);
let answerSlow: () => void;
let server: Awaited<ReturnType<typeof startNameServer>>;

beforeAll(async () => {
  const answered = new Promise<{ readonly A: readonly string[] }>((resolve) => {
    answerSlow = () => resolve({ A: ['93.184.215.16'] });
  });
  server = await startNameServer({
    'both.example': { A: ['93.184.215.14', '93.184.215.15'], AAAA: [publicV6] },
    'four.example': { A: ['93.184.215.14'] },
    'six.example': { AAAA: [publicV6] },
    'none.example': {},
    'localhost.example': { A: ['93.184.215.14'] },
    'not-localhost': { A: ['93.184.215.14'] },
    ...Object.fromEntries(slow.map((name) => [name, answered])),
  });
});

afterAll(() => server.close());

const resolverWithin = (timeoutMs: number) => createNameResolver({ timeoutMs, servers: [server.address] });

const v4 = (address: string) => ({ address, family: 4 });
const v6 = (address: string) => ({ address, family: 6 });

it.each([
  ['both.example', [v4('93.184.215.14'), v4('93.184.215.15'), v6(publicV6)]],
  ['four.example', [v4('93.184.215.14')]],
  ['six.example', [v6(publicV6)]],
  ['localhost.example', [v4('93.184.215.14')]],
  ['not-localhost', [v4('93.184.215.14')]],
])('finds the addresses of %s', async (name, addresses) => {
  expect(await resolverWithin(longestMs)(name)).toEqual(addresses);
});

it('fails for a name without addresses', async () => {
  await expect(resolverWithin(longestMs)('none.example')).rejects.toMatchObject({ code: 'ENODATA' });
});

it('gives up on a name that no server answers for', async () => {
  await expect(resolverWithin(20)('unknown.example')).rejects.toMatchObject({ code: 'ETIMEOUT' });
});

it('finds a name at once while many others wait for an answer', async () => {
  const resolve = resolverWithin(longestMs);
  let found = 0;
  const waiting = slow.map(async (name) => {
    expect(await resolve(name)).toEqual([v4('93.184.215.16')]);
    found += 1;
  });
  await until(() => slow.every((name) => server.asked.includes(name)));
  expect(await resolve('four.example')).toEqual([v4('93.184.215.14')]);
  expect(found).toBe(0);
  answerSlow();
  await Promise.all(waiting);
});

it.each(['localhost', 'localhost.'])('%s is this machine, whatever a name server says', async (name) => {
  expect(await resolverWithin(20)(name)).toEqual([v4('127.0.0.1'), v6('::1')]);
  expect(await createNameResolver()(name)).toEqual([v4('127.0.0.1'), v6('::1')]);
});
