import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { lambdaHandler } from '#platform/request/lambda.ts';
import { envelopeStream } from '#platform/request/response.ts';
import { apiEvent, lambdaContext } from '../../../../support/api-event.ts';
import { recordingLogger } from '../../../../support/recording-logger.ts';

Object.assign(globalThis, {
  awslambda: {
    streamifyResponse: (handler: unknown) => handler,
    HttpResponseStream: { from: (stream: unknown) => stream },
  },
});

const stamp = { requestId: 'local-1', timestamp: '2026-03-01T14:05:09.123Z' };

async function* pages() {
  for (let page = 0; page < 7; page += 1) yield [{ page, text: `${page}`.repeat(500) }];
}

/** Answers with a list of seven pages, of so many bytes at most. */
async function list(encoding: string, longest: number) {
  const logger = recordingLogger();
  const handler = lambdaHandler(
    async () => {
      return { status: 200, headers: {}, body: envelopeStream(pages(), stamp), logFields: {} };
    },
    { logger, now: () => new Date(), longest },
  );
  const event = apiEvent({ method: 'GET', path: '/v2/list' }, { headers: { 'accept-encoding': encoding } });
  const stream = Object.assign(new PassThrough(), { setContentType: () => undefined });
  const sent = buffer(stream);
  sent.catch(() => undefined);
  const failed = await Promise.resolve(handler(event, stream, lambdaContext)).then(() => undefined, String);
  return { failed, sent, lines: logger.lines };
}

describe.each([
  ['identity', (bytes: Buffer) => bytes],
  ['gzip', gunzipSync],
] as const)('a list (%s)', (encoding, plain) => {
  it('of as many bytes as Lambda streams is complete; with one more it breaks off, and one line says so', async () => {
    const { length } = await (await list(encoding, 1_000_000)).sent;
    const whole = await list(encoding, length);
    expect(JSON.parse(plain(await whole.sent).toString())).toMatchObject({ data: { length: 7 } });
    expect(whole.lines).toMatchObject([{ level: 'info', event: 'request', status: 200 }]);

    const broken = await list(encoding, length - 1);
    expect(broken.failed).toContain(`An answer has more than ${length - 1} bytes.`);
    await expect(broken.sent).rejects.toThrow();
    expect(broken.lines).toMatchObject([{ level: 'error', event: 'response_too_large', status: 200 }]);
  });
});

test.each([
  ['who takes nothing is left', Number.POSITIVE_INFINITY, 'Error: The reader takes nothing.'],
  ['who takes a little every 20 seconds gets all of it', 20, 'sent'],
])('a reader %s', async (_, everySeconds, outcome) => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  const close = jest.fn(async () => undefined);
  const body = envelopeStream(pages(), stamp);
  const handler = lambdaHandler(async () => ({ status: 200, headers: {}, logFields: {}, body, close }), {
    logger: recordingLogger(),
    now: () => new Date(),
  });
  const stream = Object.assign(new PassThrough({ highWaterMark: 600 }), { setContentType: () => undefined });
  let ended: string | undefined;
  Promise.resolve(handler(apiEvent({ method: 'GET', path: '/v2/list' }), stream, lambdaContext)).then(
    () => {
      ended = 'sent';
    },
    (error: unknown) => {
      ended = String(error);
    },
  );
  let seconds = 0;
  for (; ended === undefined && seconds < 300; seconds += 1) {
    await turn();
    await jest.advanceTimersByTimeAsync(1_000);
    await turn();
    if (seconds % everySeconds === 0 && seconds > 0) stream.read();
  }
  expect(ended).toBe(outcome);
  if (outcome !== 'sent') expect(seconds).toBe(30);
  expect([close.mock.calls.length, jest.getTimerCount()]).toEqual([1, 0]);
  jest.useRealTimers();
});
