import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import * as z from 'zod/mini';
import { chainedInvocations, invocationBytes, MB, streamedAnswerBytes } from '#platform/aws/limits.ts';
import { type FunctionLog, openFunctionLog } from '../../../infra/local/functions/instance.ts';
import {
  createLocalFunction,
  type FunctionSettings,
  type LocalFunction,
} from '../../../infra/local/functions/local-function.ts';
import {
  FunctionError,
  RecursiveInvocationError,
  ThrottledError,
} from '../../../infra/local/functions/worker-messages.ts';
import { readHead } from '../../../infra/local/gateway/responses.ts';
import { longestMs, until } from '../../support/until.ts';

/** Bundles the worker in which the local run has functions into a folder, and returns its path. */
async function bundleWorker(folder: string): Promise<string> {
  const outfile = join(folder, 'worker.mjs');
  await build({
    entryPoints: ['infra/local/functions/worker.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  });
  return outfile;
}

/** Handlers as a function's bundle would hold them. */
const bundle = `
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
const { streamifyResponse, HttpResponseStream } = globalThis.awslambda;
const head = { statusCode: 201, headers: { 'content-type': 'text/plain' } };
let written = 0;
export const plain = async (event, context) => ({
  event,
  variable: process.env.OWN,
  session: process.env.AWS_SESSION_TOKEN,
  foreign: process.env.PATH,
  functionName: context.functionName,
  remaining: context.getRemainingTimeInMillis(),
  written,
});
export const failing = async () => { throw new TypeError('no'); };
export const slow = async () => { await new Promise((resolve) => setTimeout(resolve, 60_000)); };
export const talking = async () => { console.log('plain words'); console.log(JSON.stringify({ level: 'INFO', message: 'a line \\u2028 of one' })); };
export const tracing = async (event) => {
  await new Promise((resolve) => setTimeout(resolve, event.ms));
  return globalThis.awslambda.InvokeStore.getXRayTraceId();
};
export const large = async (event) => 'a'.repeat(event.bytes);
export const endless = streamifyResponse(async (event, stream) => {
  const out = HttpResponseStream.from(stream, head);
  const megabytes = Readable.from((async function* () { for (;;) yield Buffer.alloc(1024 * 1024, 97); })());
  await pipeline(megabytes, out);
});
export const all = streamifyResponse(async (event, stream) => {
  written = 0;
  const out = HttpResponseStream.from(stream, head);
  const source = Readable.from((async function* () {
    for (let page = 0; page < event.pages; page += 1) {
      if (page === event.failAt) throw new Error('the database is gone');
      yield Buffer.alloc(16 * 1024, 97);
      written += 16 * 1024;
    }
  })(), { highWaterMark: 1 });
  await pipeline(source, out);
});
export const headless = streamifyResponse(async (event, stream) => { HttpResponseStream.from(stream, head).end(); });
export const mixed = streamifyResponse(async (event, stream) => {
  if (event.report) { const out = HttpResponseStream.from(stream, head); out.write(String(written)); out.end(); return; }
  await all(event, stream);
});
`;

let folder: string;
let bootstrap: string;
let log: FunctionLog;
const functions: LocalFunction[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'local-function-'));
  bootstrap = await bundleWorker(folder);
  await writeFile(join(folder, 'index.mjs'), bundle);
  log = openFunctionLog(folder, 'sample', () => undefined);
});

afterAll(async () => {
  await Promise.all(functions.map((each) => each.stop()));
  await log.close();
  await rm(folder, { recursive: true });
});

function sample(
  handler: string,
  timeoutMs = longestMs,
  more: Pick<FunctionSettings, 'recursiveLoop' | 'reservedConcurrency'> = {},
  timeoutFactor = 1,
): LocalFunction {
  const created = createLocalFunction(
    {
      ...more,
      module: join(folder, 'index.mjs'),
      handler,
      functionName: 'sample',
      functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:sample',
      memoryLimitInMB: 256,
      timeoutMs,
      environment: { OWN: 'value' },
    },
    { bootstrap, log, timeoutFactor },
  );
  functions.push(created);
  return created;
}

describe('a function', () => {
  it('gets the event and the context, and only its own variables', async () => {
    expect(await sample('plain').invoke({ a: 1, gone: undefined })).toMatchObject({
      event: { a: 1 },
      variable: 'value',
      functionName: 'sample',
      remaining: expect.any(Number),
    });
    expect(await sample('plain').invoke({})).not.toHaveProperty('foreign');
  });

  it('gets new credentials before an invocation could outlast them', async () => {
    const target = sample('plain');
    const sessionOf = async (hoursLater: number) => {
      const clock = jest.spyOn(Date, 'now').mockReturnValue(start + hoursLater * 60 * 60 * 1_000);
      const { session } = z.parse(z.object({ session: z.string() }), await target.invoke({}));
      clock.mockRestore();
      return session;
    };
    const start = Date.now();
    const first = await sessionOf(0);
    expect(await sessionOf(11.7)).toBe(first);
    expect(await sessionOf(11.8)).not.toBe(first);
  });

  it('that throws fails with the type and the message of the error', async () => {
    await expect(sample('failing').invoke({})).rejects.toMatchObject({
      payload: { errorType: 'TypeError', errorMessage: 'no' },
    });
  });

  it('that cannot be loaded fails its invocations', async () => {
    await expect(sample('missing').invoke({})).rejects.toThrow(/exports no function "missing"/);
  });

  it('that times out is terminated, and the next call gets a new instance', async () => {
    const slow = sample('slow', 50);
    await expect(slow.invoke({})).rejects.toThrow('Task timed out after 0.05 seconds');
    await expect(slow.invoke({})).rejects.toBeInstanceOf(FunctionError);
  });

  it('may take as many times longer as the run is patient', async () => {
    const limitMs = 20;
    const target = sample('tracing', limitMs, {}, longestMs / limitMs);
    await expect(target.invoke({ ms: 10 * limitMs })).resolves.toMatch(/^Lineage=/);
  });

  it('that returns more than 6 MB fails', async () => {
    const large = sample('large');
    const quotes = 2;
    expect(await large.invoke({ bytes: invocationBytes - quotes })).toHaveLength(invocationBytes - quotes);
    await expect(large.invoke({ bytes: invocationBytes })).rejects.toMatchObject({
      payload: { errorType: 'Function.ResponseSizeTooLarge' },
    });
  });

  it('gives each of its invocations a trace header of its own, also when several run at once', async () => {
    const tracing = sample('tracing');
    const [slow, quick] = await Promise.all([
      tracing.invoke({ ms: 100 }, ['Root=1;Lineage=other:7']),
      tracing.invoke({ ms: 0 }, ['Root=2;Lineage=other:8']),
    ]);
    expect(slow).toMatch(/^Lineage=other:7\|[0-9a-f]{8}:1$/);
    expect(quick).toMatch(/^Lineage=other:8\|[0-9a-f]{8}:1$/);
  });

  it('is invoked sixteen times in a chain, and beyond them only if it allows it', async () => {
    const chain = async (target: LocalFunction): Promise<string> => {
      let header = String(await target.invoke({ ms: 0 }));
      for (let made = 1; made < chainedInvocations; made += 1) {
        header = String(await target.invoke({ ms: 0 }, [header]));
      }
      return header;
    };
    const terminating = sample('tracing');
    const last = await chain(terminating);
    await expect(terminating.invoke({ ms: 0 }, [last])).rejects.toBeInstanceOf(RecursiveInvocationError);
    // Another chain is not held back by it.
    await expect(terminating.invoke({ ms: 0 })).resolves.toMatch(/:1$/);
    const allowing = sample('tracing', longestMs, { recursiveLoop: 'Allow' });
    await expect(allowing.invoke({ ms: 0 }, [await chain(allowing)])).resolves.toMatch(/:17$/);
  });

  it('runs at most its reserved number of concurrent executions, whether they succeed or fail', async () => {
    const capped = sample('mixed', longestMs, { reservedConcurrency: 2 });
    const held = [capped.stream({ pages: 400 }), capped.stream({ pages: 400 })];
    await expect(capped.invoke({})).rejects.toBeInstanceOf(ThrottledError);
    await expect(text(capped.stream({ report: true }))).rejects.toBeInstanceOf(ThrottledError);
    await Promise.all(held.map((stream) => text(stream)));
    expect(await text(capped.stream({ report: true }))).toMatch(/^\{"statusCode":201/);

    const failing = sample('failing', longestMs, { reservedConcurrency: 1 });
    await expect(failing.invoke({})).rejects.toBeInstanceOf(FunctionError);
    await expect(failing.invoke({})).rejects.toBeInstanceOf(FunctionError);
    const missing = sample('missing', longestMs, { reservedConcurrency: 1 });
    await expect(missing.invoke({})).rejects.toThrow(/exports no function/);
    await expect(missing.invoke({})).rejects.not.toBeInstanceOf(ThrottledError);
  });

  it('writes its log as JSON lines', async () => {
    await sample('talking').invoke({});
    const messages = async () =>
      (await readFile(join(folder, 'sample.log'), 'utf8'))
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line).message);
    await until(async () => (await messages()).includes('a line \u2028 of one'));
    expect(await messages()).toEqual(expect.arrayContaining(['plain words', 'a line \u2028 of one']));
  });
});

describe('a streamed response', () => {
  it('starts with its metadata and arrives complete', async () => {
    const stream = sample('all').stream({ pages: 40 });
    expect(await readHead(stream)).toEqual({ status: 201, headers: { 'content-type': 'text/plain' } });
    expect(await text(stream)).toHaveLength(40 * 16 * 1_024);
  });

  it('waits for its reader, so that little is buffered', async () => {
    const target = sample('mixed');
    const stream = target.stream({ pages: 1_000 });
    await readHead(stream);
    await sleep(200);
    const report = target.stream({ report: true });
    await readHead(report);
    expect(Number(await text(report))).toBeLessThan(400 * 1_024);
    stream.destroy();
  });

  it('breaks off at 200 MB', async () => {
    const stream = sample('endless').stream({});
    await readHead(stream);
    let bytes = 0;
    const reading = (async () => {
      for await (const chunk of stream) bytes += z.parse(z.instanceof(Uint8Array), chunk).byteLength;
    })();
    await expect(reading).rejects.toMatchObject({ payload: { errorType: 'Function.ResponseSizeTooLarge' } });
    expect(bytes).toBeLessThanOrEqual(streamedAnswerBytes);
    expect(bytes).toBeGreaterThan(streamedAnswerBytes - 2 * MB);
  });

  it('breaks off when the function fails midway', async () => {
    const stream = sample('all').stream({ pages: 10, failAt: 5 });
    await readHead(stream);
    await expect(text(stream)).rejects.toThrow('the database is gone');
  });

  it('stops the function’s work when its reader leaves', async () => {
    const target = sample('mixed');
    const stream = target.stream({ pages: 100_000 });
    stream.on('error', () => {});
    await readHead(stream);
    stream.destroy();
    const written = async (): Promise<number> => {
      const report = target.stream({ report: true });
      await readHead(report);
      return Number(await text(report));
    };
    let last = -1;
    await until(async () => {
      const before = last;
      last = await written();
      return last === before;
    }, 100);
    expect(last).toBeLessThan(100_000 * 16 * 1_024);
  });

  it.each([
    ['headless', /ended before its metadata/],
    ['plain', /ended before its metadata/],
    ['failing', /^no$/],
  ])('without metadata is malformed: %s', async (handler, message) => {
    await expect(readHead(sample(handler).stream({}))).rejects.toThrow(message);
  });
});
