import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { build } from 'esbuild';
import { type FunctionLog, openFunctionLog } from '../../../infra/local/functions/function-log.ts';
import { createLocalFunction, type LocalFunction } from '../../../infra/local/functions/local-function.ts';
import { readHead } from '../../../infra/local/gateway/streamed-answer.ts';
import { bundleWorker } from '../../support/function-worker.ts';
import { longestMs, until } from '../../support/until.ts';

/** A function whose list has as many pages as its event says, and a limit that the event sets. */
const source = `
import { randomBytes } from 'node:crypto';
import { lambdaHandler } from './shared/platform/request/lambda.ts';
import { envelopeStream } from './shared/platform/request/response.ts';
const log = (level) => (message, extra) => console.log(JSON.stringify({ ...extra, level, message }));
const logger = { info: log('INFO'), error: log('ERROR') };
async function* pagesOf(count) {
  for (let page = 0; page < count; page += 1) yield [{ page, noise: randomBytes(500).toString('hex') }];
}
const stamp = { requestId: 'local-1', timestamp: '2026-03-01T14:05:09.123Z' };
const pipeline = async (event) => {
  const pages = pagesOf(event.pages);
  return { status: 200, headers: {}, body: envelopeStream(pages, await pages.next(), () => stamp), account: event.account };
};
export const handler = globalThis.awslambda.streamifyResponse((event, ...rest) =>
  lambdaHandler(pipeline, { logger, now: () => new Date(), longest: event.longest })(event, ...rest));
`;

let folder: string;
let log: FunctionLog;
let list: LocalFunction;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-limit-'));
  const bundled = { bundle: true, platform: 'node', format: 'esm', logLevel: 'silent' } as const;
  const bootstrap = await bundleWorker(folder);
  const module = join(folder, 'index.mjs');
  await build({ ...bundled, stdin: { contents: source, resolveDir: process.cwd() }, outfile: module });
  log = openFunctionLog(folder, 'list', () => undefined);
  list = createLocalFunction(
    {
      module,
      handler: 'handler',
      functionName: 'list',
      functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:list',
      memoryLimitInMB: 256,
      timeoutMs: longestMs,
      environment: {},
    },
    { bootstrap, log },
  );
});

afterAll(async () => {
  await list.stop();
  await log.close();
  await rm(folder, { recursive: true });
});

interface Asked {
  readonly encoding: string;
  readonly pages?: number;
  readonly longest?: number;
  readonly mark: string;
}

/** The body as a client reads it, which fails when the connection ends early. */
async function ask({ encoding, pages = 40, longest, mark }: Asked): Promise<{ body: string; bytes: number }> {
  const headers = { 'accept-encoding': encoding };
  const stream = list.stream({ headers, pages, longest, account: { mark } });
  await readHead(stream);
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
  });
  if (encoding !== 'gzip') return { body: await text(stream), bytes };
  const plain = createGunzip();
  stream.on('error', (error) => plain.destroy(error));
  return { body: await text(stream.pipe(plain)), bytes };
}

async function linesOf(mark: string): Promise<Record<string, unknown>[]> {
  let lines: Record<string, unknown>[] = [];
  await until(async () => {
    lines = (await readFile(join(folder, 'list.log'), 'utf8'))
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => line['mark'] === mark);
    return lines.length > 0;
  });
  return lines;
}

describe.each(['identity', 'gzip'])('a list (%s)', (encoding) => {
  it('that exceeds the streaming limit breaks off, and logs one line', async () => {
    const mark = `${encoding} too long`;
    await expect(ask({ encoding, longest: 12_000, mark })).rejects.toThrow(
      'An answer has more than 12000 bytes.',
    );
    expect(await linesOf(mark)).toEqual([
      expect.objectContaining({ level: 'ERROR', event: 'response_too_large', status: 200 }),
    ]);
  });

  it('just below the limit is complete', async () => {
    const { body, bytes } = await ask({ encoding, mark: `${encoding} complete`, longest: 60_000 });
    expect(JSON.parse(body).data).toHaveLength(40);
    expect(await linesOf(`${encoding} complete`)).toEqual([
      expect.objectContaining({ level: 'INFO', event: 'request' }),
    ]);
    expect(bytes).toBeLessThanOrEqual(60_000);
    expect(bytes).toBeGreaterThan(12_000);
  });
});

it('a list one byte over the limit breaks off, and is complete if the limit is one byte higher', async () => {
  const bytes = (pages: number) => ask({ encoding: 'identity', pages, mark: 'measured' });
  const { bytes: exactly } = await bytes(7);
  const mark = 'one byte';
  await expect(ask({ encoding: 'identity', pages: 7, longest: exactly - 1, mark })).rejects.toThrow();
  const whole = await ask({ encoding: 'identity', pages: 7, longest: exactly, mark: 'whole' });
  expect(JSON.parse(whole.body).data).toHaveLength(7);
});
