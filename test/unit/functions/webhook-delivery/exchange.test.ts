import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer as createTcpServer } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { start } from '#function/start.ts';
import type { ExchangeOptions, ExchangeResult } from '../../../../functions/webhook-delivery/exchange.ts';
import { closeServers, holdTimeLimits, listening, post, receiver } from '../../../support/exchange.ts';
import { selfSigned } from '../../../support/self-signed.ts';
import { until } from '../../../support/until.ts';

describe('the error of a delivery names', () => {
  const read = async (request: IncomingMessage): Promise<string> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('utf8');
  };

  test('the receiver gets body and headers unchanged, and its response is recorded', async () => {
    const got: { method?: string | undefined; url?: string | undefined; headers?: object; body?: string } =
      {};
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

  test('Retry-After is passed on as received', async () => {
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

  test('only 2 KB of a huge body are read, and then the connection is closed', async () => {
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

  test('invalid UTF-8 in a response is replaced, and a character cut by the limit is left out', async () => {
    const { port } = await receiver((_, response) => response.end(Buffer.from([0x61, 0xff, 0xfe, 0x62])));
    expect((await post(`http://127.0.0.1:${port}/`)).responseBody).toBe('a\ufffd\ufffdb');
    const long = await receiver((_, response) => response.end(`x${'é'.repeat(2_000)}`));
    const { responseBody } = await post(`http://127.0.0.1:${long.port}/`);
    expect(responseBody).toBe(`x${'é'.repeat(1_023)}`);
  });

  test('a refused connection', async () => {
    const { port } = await receiver(() => undefined);
    closeServers();
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({
      statusCode: null,
      error: 'connection refused',
      responseBody: null,
    });
  });

  test('a connection reset before or during the response', async () => {
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

  test('a response that is not HTTP, or upgrades to another protocol', async () => {
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

  test('an untrusted certificate, and a port without TLS', async () => {
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

  // The last one is the name server's refusal, not the receiver's.
  test.each(['ENOTFOUND', 'ENODATA', 'ETIMEOUT', 'ECONNREFUSED'])(
    'a name that does not resolve: %s',
    async (code) => {
      const resolve = () => Promise.reject(Object.assign(new Error(), { code }));
      expect((await post('https://receiver.example/', { resolve })).error).toBe('name not resolved');
    },
  );
});

describe('a name that stands for two addresses', () => {
  /** A receiver that takes no connection for a moment; the kernel repeats a first packet after a second. */
  const busyReceiver = `
    const server = require('node:http').createServer((_, response) => response.end());
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      require('node:worker_threads').parentPort.postMessage(server.address().port);
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800));
    });`;

  test('is reached at the first one although its first packet is lost', async () => {
    process.env['ENVIRONMENT'] = 'test';
    start('test', { uses: { timeoutSeconds: 1 }, handler: () => undefined });
    const worker = new Worker(busyReceiver, { eval: true });
    const port = await new Promise<number>((resolve) => worker.once('message', resolve));
    const waiting = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    await pause(100);
    const addresses = ['127.0.0.1', '127.0.0.9'].map((address) => ({ address, family: 4 }));
    const exchanged = await post(`http://localhost:${port}/`, { resolve: async () => addresses });
    for (const socket of waiting) socket.destroy();
    await worker.terminate();
    expect(exchanged).toMatchObject({ statusCode: 200, error: null });
  });
});

describe('one timeout for the whole exchange covers', () => {
  const timeLimitMs = 300;
  /** Called when the exchange is where the test lets its time run out. */
  let stalled: () => void;
  let whenStalled: Promise<void>;

  beforeEach(() => {
    holdTimeLimits();
    whenStalled = new Promise((resolve) => {
      stalled = resolve;
    });
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  /** Lets the timeout pass once the exchange has stalled. One that had been restarted would not be over then. */
  const within = async (url: string, options: Partial<ExchangeOptions> = {}): Promise<ExchangeResult> => {
    const startedAt = 5_000;
    let now = startedAt;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const exchanging = post(url, { timeLimitMs, ...options });
    now = startedAt + timeLimitMs - 1;
    jest.advanceTimersByTime(timeLimitMs - 1);
    await whenStalled;
    now = startedAt + timeLimitMs;
    jest.advanceTimersByTime(1);
    const exchanged = await exchanging;
    expect(exchanged).toMatchObject({ error: 'timeout', durationMs: timeLimitMs });
    return exchanged;
  };

  /** Calls `then` when the client has the head of a response and what arrived with it. */
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

  test('a TLS handshake that never starts', async () => {
    const { port } = await listening(createTcpServer((socket) => void socket.once('data', stalled)));
    expect((await within(`https://127.0.0.1:${port}/`)).statusCode).toBeNull();
  });

  test('headers that never arrive', async () => {
    const { port } = await receiver(stalled);
    expect((await within(`http://127.0.0.1:${port}/`)).statusCode).toBeNull();
  });

  test('a body that never ends, although its status arrived', async () => {
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
});
