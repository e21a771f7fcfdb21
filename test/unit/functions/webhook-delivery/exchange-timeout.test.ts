import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer as createTcpServer } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Exchanged, ExchangeOptions } from '../../../../functions/webhook-delivery/exchange.ts';
import { holdTimeLimits, listening, post, receiver } from '../../../support/exchange.ts';

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
  const within = async (url: string, options: Partial<ExchangeOptions> = {}): Promise<Exchanged> => {
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

  test('headers that arrive a byte at a time', async () => {
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
