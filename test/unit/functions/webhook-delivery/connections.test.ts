import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import {
  type Connections,
  createNameResolver,
  openConnections,
} from '../../../../functions/webhook-delivery/exchange.ts';
import { holdTimeLimits, listening, post, receiver } from '../../../support/exchange.ts';
import { selfSigned } from '../../../support/self-signed.ts';
import { longestMs, until } from '../../../support/until.ts';

interface Addresses {
  readonly A?: readonly string[];
  readonly AAAA?: readonly string[];
}

/** What a name server knows of a name, or when it will; a name that it does not know gets no response at all. */
type Zone = Readonly<Record<string, Addresses | Promise<Addresses>>>;

const types: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };

/** The name and the type in a DNS question, and where the question ends. */
function questionOf(message: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: types[message.readUInt16BE(at + 1)], end: at + 5 };
}

/** The bytes of an address: full IPv6 addresses alone, without `::`. */
const bytesOf = (address: string): Buffer =>
  address.includes(':')
    ? Buffer.from(
        address
          .split(':')
          .map((group) => group.padStart(4, '0'))
          .join(''),
        'hex',
      )
    : Buffer.from(address.split('.').map(Number));

/** A record that refers to the name in the question. */
function recordOf(typeCode: number, address: string): Buffer {
  const data = bytesOf(address);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(typeCode, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

/** Starts a name server on this machine. */
async function startNameServer(zone: Zone) {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', async (message, { port, address }) => {
    const { name, type, end } = questionOf(message);
    asked.push(name);
    const known = await zone[name];
    if (known === undefined || type === undefined) return;
    const records = (known[type] ?? []).map((one) => recordOf(type === 'A' ? 1 : 28, one));
    const head = Buffer.from(message.subarray(0, 12));
    // A response without an error, with one question and these records.
    head.writeUInt16BE(0x8180, 2);
    [1, records.length, 0, 0].forEach((count, index) => void head.writeUInt16BE(count, 4 + 2 * index));
    socket.send(Buffer.concat([head, message.subarray(12, end), ...records]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}

describe('connections', () => {
  const timeLimitMs = 15_000;
  const open = (): Connections => openConnections({ rules: { loopback: true }, timeLimitMs });

  const post = ({ exchange }: Connections, port: number) =>
    exchange({ url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}' });

  afterEach(() => jest.useRealTimers());

  test('one connection is kept for the exchanges of a draining, and closed with it', async () => {
    // It closes no connection itself, as Node's servers do after some seconds.
    const patient = createServer({ keepAliveTimeout: 0 }, (_, response) => response.end('ok'));
    const { port, connections, sockets } = await listening(patient);
    const draining = open();
    for (let time = 0; time < 3; time += 1) {
      expect(await post(draining, port)).toMatchObject({ statusCode: 200, responseBody: 'ok' });
    }
    expect(connections()).toBe(1);
    draining.close();
    await until(() => Array.from(sockets).every(({ destroyed }) => destroyed));
  });

  test('a kept connection that the receiver has closed is replaced', async () => {
    const first = new Set<Socket>();
    const { port, connections } = await receiver((request, response) => {
      // The receiver gives up the connection in the moment in which the second request arrives on it.
      if (first.has(request.socket)) request.socket.destroy();
      else response.end('ok');
      first.add(request.socket);
    });
    const draining = open();
    for (let time = 0; time < 2; time += 1) {
      expect(await post(draining, port)).toMatchObject({ statusCode: 200, error: null });
    }
    expect(connections()).toBe(2);
    draining.close();
  });

  test('a request that times out on a kept connection is not sent again', async () => {
    let requests = 0;
    holdTimeLimits();
    const { port, sockets } = await receiver((_, response) => {
      requests += 1;
      if (requests === 2) jest.advanceTimersByTime(timeLimitMs);
      else response.end('ok');
    });
    const draining = open();
    await post(draining, port);
    expect(await post(draining, port)).toMatchObject({ statusCode: null, error: 'timeout' });
    // A third exchange comes after whatever the second might still send once its connection is closed.
    await until(() => Array.from(sockets).every(({ destroyed }) => destroyed));
    expect(await post(draining, port)).toMatchObject({ statusCode: 200 });
    expect(requests).toBe(3);
    draining.close();
  });
});

describe('resolve name', () => {
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
});

describe('addresses are checked when connecting', () => {
  const rules = { loopback: false };
  const resolvingTo = (...addresses: readonly string[]) => {
    const asked: string[] = [];
    return {
      asked,
      resolve: async (name: string) => {
        asked.push(name);
        return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      },
    };
  };

  test.each([
    '10.0.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '::1',
    'fd00::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
  ])('a name that resolves to %s is refused', async (address) => {
    const { resolve } = resolvingTo(address);
    expect(await post('https://receiver.example/', { rules, resolve })).toMatchObject({
      statusCode: null,
      error: 'forbidden address',
    });
  });

  test('a name with one forbidden address among public ones is refused', async () => {
    const { resolve } = resolvingTo('93.184.215.14', '10.0.0.1');
    expect((await post('https://receiver.example/', { rules, resolve })).error).toBe('forbidden address');
  });

  test('a name that resolves to no address is refused', async () => {
    const { resolve } = resolvingTo();
    expect((await post('https://receiver.example/', { rules, resolve })).error).toBe('forbidden address');
  });

  test('a name is resolved once per attempt, which prevents DNS rebinding', async () => {
    const server = createHttpsServer(selfSigned('receiver.example'), (_, response) => response.end());
    const { connections } = await listening(server, 8443);
    const answers = ['127.0.0.1', '10.0.0.1'];
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return [{ address: answers[asked - 1] ?? '', family: 4 }];
    };
    const first = await post('https://receiver.example:8443/', { resolve });
    // Connected to the address that was checked; the certificate is for this name but not trusted.
    expect([first.error, asked, connections()]).toEqual(['tls', 1, 1]);
    const second = await post('https://receiver.example:8443/', { resolve });
    expect([second.error, asked, connections()]).toEqual(['forbidden address', 2, 1]);
  });

  test.each([
    'http://receiver.example/',
    'https://receiver.example:8080/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://2130706433/',
    'https://0x7f.1/',
    'http://localhost:3000/',
    'https://metadata.internal/',
  ])('%s is not even looked up', async (url) => {
    const { resolve, asked } = resolvingTo('93.184.215.14');
    expect((await post(url, { rules, resolve })).error).toBe('forbidden address');
    expect(asked).toEqual([]);
  });
});
