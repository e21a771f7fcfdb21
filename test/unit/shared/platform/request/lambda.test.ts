import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { lambdaHandler } from '../../../../../shared/platform/request/lambda.ts';
import { envelopeStream } from '../../../../../shared/platform/request/response.ts';
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
      const all = pages();
      return { status: 200, headers: {}, body: envelopeStream(all, await all.next(), stamp), logFields: {} };
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
