import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import {
  createExchange,
  type Exchanged,
  type ExchangeOptions,
} from '../../../../functions/webhook-delivery/exchange.ts';
import { selfSigned } from '../../../support/self-signed.ts';
import { until } from '../../../support/until.ts';

const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Listens on this machine until the test is over, and counts connections. */
async function listening(server: Server, port = 0) {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { port: (server.address() as AddressInfo).port, connections: () => connections, sockets };
}

const receiver = (listener: RequestListener) => listening(createServer(listener));

const post = (url: string, options: Partial<ExchangeOptions> = {}): Promise<Exchanged> =>
  createExchange({ rules: { loopback: true }, ...options })({
    url,
    headers: { 'Content-Type': 'application/json', 'X-Service-Timestamp': '1' },
    body: '{"a":"é"}',
  });

const read = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

test('a receiver gets the body and the headers as they are, and its answer is kept', async () => {
  const got: { method?: string | undefined; url?: string | undefined; headers?: object; body?: string } = {};
  const { port } = await receiver(async (request, response) => {
    Object.assign(got, { method: request.method, url: request.url, headers: request.headers });
    got.body = await read(request);
    response.writeHead(202).end('thank you');
  });
  const exchanged = await post(`http://127.0.0.1:${port}/hooks?a=b%20c`);
  expect(exchanged).toMatchObject({
    statusCode: 202,
    error: null,
    responseBody: 'thank you',
    retryAfter: null,
  });
  expect(got).toMatchObject({
    method: 'POST',
    url: '/hooks?a=b%20c',
    headers: { 'content-type': 'application/json', 'content-length': '10', 'x-service-timestamp': '1' },
    body: '{"a":"é"}',
  });
});

test('a connection is used once: no kept one leads to what a name stood for before', async () => {
  const { port, connections } = await receiver((_, response) => response.end());
  for (let time = 0; time < 3; time += 1) await post(`http://127.0.0.1:${port}/`);
  expect(connections()).toBe(3);
});

test('Retry-After is told as it came', async () => {
  const { port } = await receiver((_, response) => response.writeHead(503, { 'Retry-After': '7' }).end());
  expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ statusCode: 503, retryAfter: '7' });
});

test('a redirect is not followed', async () => {
  const target = await receiver((_, response) => response.end());
  const { port } = await receiver((_, response) =>
    response.writeHead(307, { Location: `http://127.0.0.1:${target.port}/` }).end(),
  );
  expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ statusCode: 307, error: null });
  expect(target.connections()).toBe(0);
});

describe('the time limit is one for the whole exchange', () => {
  const timeLimitMs = 300;
  /** Says that the exchange is where the test wants its time to be over. */
  let stalled: () => void;
  let whenStalled: Promise<void>;

  // The limit's own timer alone stands still; the receivers' go on.
  beforeEach(() => {
    jest.useFakeTimers({
      doNotFake: [
        ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
        ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
      ],
    });
    whenStalled = new Promise((resolve) => {
      stalled = resolve;
    });
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  /** Lets the time limit pass once the exchange has stalled. A limit that something had set anew would not be over then. */
  const within = async (url: string, options: Partial<ExchangeOptions> = {}): Promise<Exchanged> => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const exchanging = post(url, { timeLimitMs, ...options });
    now = timeLimitMs - 1;
    jest.advanceTimersByTime(now);
    await whenStalled;
    now = timeLimitMs;
    jest.advanceTimersByTime(1);
    const exchanged = await exchanging;
    expect(exchanged).toMatchObject({ error: 'timeout', durationMs: timeLimitMs });
    return exchanged;
  };

  /** Calls `then` when the client has the head of an answer and what came with it. */
  const onAnswer = (then: () => void): void => {
    const answered = (): void => {
      unsubscribe('http.client.response.finish', answered);
      setImmediate(then);
    };
    subscribe('http.client.response.finish', answered);
  };

  test('a name that never resolves', async () => {
    const resolve = () => {
      stalled();
      return new Promise<never>(() => undefined);
    };
    const options = { resolve };
    expect((await within('https://receiver.example/', options)).statusCode).toBeNull();
  });

  test('TLS that is never spoken', async () => {
    const { port } = await listening(createTcpServer((socket) => void socket.once('data', stalled)));
    expect((await within(`https://127.0.0.1:${port}/`)).statusCode).toBeNull();
  });

  test('headers that never come', async () => {
    const { port } = await receiver(stalled);
    expect((await within(`http://127.0.0.1:${port}/`)).statusCode).toBeNull();
  });

  test('headers that come a byte at a time', async () => {
    const { port } = await listening(
      createTcpServer((socket) => {
        const bytes = `HTTP/1.1 200 OK\r\nX-Slow: ${'x'.repeat(1_000)}`[Symbol.iterator]();
        let written = 0;
        const timer = setInterval(() => {
          socket.write(bytes.next().value ?? 'x');
          written += 1;
          if (written === 5) stalled();
        }, 10);
        socket.on('close', () => clearInterval(timer));
      }),
    );
    expect((await within(`http://127.0.0.1:${port}/`)).statusCode).toBeNull();
  });

  test('a body that never ends: the status was there, the answer was not', async () => {
    onAnswer(stalled);
    const { port } = await receiver((_, response) => {
      response.writeHead(200);
      response.write('so far');
    });
    expect(await within(`http://127.0.0.1:${port}/`)).toMatchObject({
      statusCode: 200,
      responseBody: 'so far',
    });
  });

  test('a body that trickles', async () => {
    const { port } = await receiver((_, response) => {
      response.writeHead(200);
      let written = 0;
      const timer = setInterval(() => {
        response.write('x');
        written += 1;
        if (written === 1) onAnswer(stalled);
      }, 20);
      response.on('close', () => clearInterval(timer));
    });
    expect((await within(`http://127.0.0.1:${port}/`)).statusCode).toBe(200);
  });
});

test('of a huge body 2 KB are read, then the connection is closed', async () => {
  let sent = 0;
  const { port, sockets } = await receiver((_, response) => {
    response.writeHead(200);
    const more = (): void => {
      while (sent < 200_000_000 && !response.destroyed) {
        sent += 65_536;
        if (!response.write('x'.repeat(65_536))) return void response.once('drain', more);
      }
    };
    more();
  });
  const exchanged = await post(`http://127.0.0.1:${port}/`);
  expect(exchanged).toMatchObject({ statusCode: 200, error: null, responseBody: 'x'.repeat(2_048) });
  expect(sockets.size).toBe(1);
  await until(() => Array.from(sockets).every(({ destroyed }) => destroyed));
  expect(sent).toBeLessThan(20_000_000);
});

test('what is no UTF-8 in an answer is replaced, and a character that the limit cuts is left out', async () => {
  const { port } = await receiver((_, response) => response.end(Buffer.from([0x61, 0xff, 0xfe, 0x62])));
  expect((await post(`http://127.0.0.1:${port}/`)).responseBody).toBe('a\ufffd\ufffdb');
  const long = await receiver((_, response) => response.end(`x${'é'.repeat(2_000)}`));
  const { responseBody } = await post(`http://127.0.0.1:${long.port}/`);
  expect(responseBody).toBe(`x${'é'.repeat(1_023)}`);
});

describe('what fails is named', () => {
  test('a connection that is refused', async () => {
    const { port } = await receiver(() => undefined);
    for (const close of closing.splice(0)) close();
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({
      statusCode: null,
      error: 'connection refused',
      responseBody: null,
    });
  });

  test('a connection that is reset before and amid the answer', async () => {
    const before = await receiver((request) => request.socket.resetAndDestroy());
    expect((await post(`http://127.0.0.1:${before.port}/`)).error).toBe('connection reset');
    const amid = await receiver((_, response) => {
      response.writeHead(200, { 'Content-Length': '100' });
      response.write('half', () => response.destroy());
    });
    expect(await post(`http://127.0.0.1:${amid.port}/`)).toMatchObject({
      statusCode: 200,
      error: 'connection reset',
      responseBody: 'half',
    });
  });

  test('an answer that is no HTTP, or wants to speak another protocol', async () => {
    const { port } = await listening(createTcpServer((socket) => void socket.end('SSH-2.0-server\r\n')));
    expect((await post(`http://127.0.0.1:${port}/`)).error).toBe('invalid answer');
    const upgrading = await listening(
      createTcpServer((socket) =>
        socket.once('data', () =>
          socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n'),
        ),
      ),
    );
    expect((await post(`http://127.0.0.1:${upgrading.port}/`)).error).toBe('invalid answer');
    expect(upgrading.sockets.size).toBe(1);
    await until(() => Array.from(upgrading.sockets).every(({ destroyed }) => destroyed));
  });

  test('a certificate that nobody vouches for, and a port without TLS', async () => {
    let requests = 0;
    const server = createHttpsServer(selfSigned('localhost'), (_, response) => {
      requests += 1;
      response.end();
    });
    const { port } = await listening(server);
    expect(await post(`https://localhost:${port}/`)).toMatchObject({ statusCode: null, error: 'tls' });
    expect(requests).toBe(0);
    const plain = await receiver((_, response) => response.end());
    expect((await post(`https://127.0.0.1:${plain.port}/`)).error).toBe('tls');
  });

  test('a name that does not resolve', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' }));
    expect((await post('https://receiver.example/', { resolve })).error).toBe('name not resolved');
  });
});

describe('addresses are checked when the connection is made', () => {
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
  ])('a name that stands for %s is refused', async (address) => {
    const { resolve } = resolvingTo(address);
    expect(await post('https://receiver.example/', { rules, resolve })).toMatchObject({
      statusCode: null,
      error: 'forbidden address',
    });
  });

  test('one forbidden address among public ones forbids the name', async () => {
    const { resolve } = resolvingTo('93.184.215.14', '10.0.0.1');
    expect((await post('https://receiver.example/', { rules, resolve })).error).toBe('forbidden address');
  });

  test('a name that no longer stands for anything is refused', async () => {
    const { resolve } = resolvingTo();
    expect((await post('https://receiver.example/', { rules, resolve })).error).toBe('forbidden address');
  });

  test('a name is resolved once an attempt, so that it can’t stand for another address afterwards (DNS rebinding)', async () => {
    const server = createHttpsServer(selfSigned('receiver.example'), (_, response) => response.end());
    const { connections } = await listening(server, 8443);
    const answers = ['127.0.0.1', '10.0.0.1'];
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return [{ address: answers[asked - 1] ?? '', family: 4 }];
    };
    const first = await post('https://receiver.example:8443/', { resolve });
    // Connected to what was checked; the certificate then is for this name and still not trusted.
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
