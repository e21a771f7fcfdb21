import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { KB, MB } from '#platform/aws/limits.ts';
import { inShort } from '../support/extent.ts';
import { createKnownIds } from './known-ids.ts';
import { anyRequest, type FuzzedRequest } from './requests.ts';
import { serveApi } from './served-api.ts';

const total = Number(process.env['FUZZ_REQUESTS'] ?? 60);
/** Which requests are sent follows from it; how those under way at once interleave does not. */
const seed = Number(process.env['FUZZ_SEED'] ?? inShort(1, Math.floor(Math.random() * 2 ** 31)));
const concurrency = 16;
const tenths = 10;
/** What the heap may grow after its first two tenths, in which caches fill. */
const growth = 32 * MB;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** A second for each request, so that the rate limits let most of them through. */
let clock = Date.parse('2026-03-01T12:00:00.000Z');
const longestLine = { length: 0, line: '' };
const faults: string[] = [];
const serverErrors: string[] = [];
let api: Awaited<ReturnType<typeof serveApi>>;
let credentials: Awaited<ReturnType<typeof api.credentials>>;
const ids = createKnownIds();

beforeAll(async () => {
  api = await serveApi({
    now: () => new Date(clock),
    connections: concurrency,
    onLog: (line) => {
      if (line.length > longestLine.length)
        Object.assign(longestLine, { length: line.length, line: line.slice(0, 2_000) });
      if (line.includes('"request_failed"')) serverErrors.push(line.slice(0, 2_000));
    },
    onFault: (fault) => void faults.push(fault.slice(0, 500)),
  });
  credentials = await api.credentials();
}, 300_000);
afterAll(() => api.close());

const counts = new Map<number, number>();
async function play(fuzzed: FuzzedRequest): Promise<void> {
  clock += 1_000;
  const path = ids.fill(fuzzed.path);
  const body =
    fuzzed.body &&
    (fuzzed.body.byteLength < 64 * KB
      ? Buffer.from(ids.fill(Buffer.from(fuzzed.body).toString('latin1')), 'latin1')
      : fuzzed.body);
  const { status, text } = await api.send({
    ...fuzzed,
    path,
    body,
    headers: { ...fuzzed.headers, ...credentials[fuzzed.caller] },
  });
  counts.set(status, (counts.get(status) ?? 0) + 1);
  const description = `${fuzzed.method} ${path.slice(0, 300)} as ${fuzzed.caller}, ${JSON.stringify(
    Buffer.from(body ?? '')
      .toString('utf8')
      .slice(0, 500),
  )}: ${status} ${text.slice(0, 500)}`;
  if (status >= 500)
    throw new Error(`A 5xx: ${description}\n${serverErrors.at(-1) ?? ''}\n${faults.at(-1) ?? ''}`);
  if (status >= 400 && text.length > 64 * KB)
    throw new Error(`A refusal of ${text.length} bytes: ${description}`);
  if (status < 300) ids.learn(fuzzed.template, text);
}

it(`${total} requests from the seed ${seed} get no 5xx, no long refusal and no long log line, and leave the heap flat`, async () => {
  const heap: number[] = [];
  let sent = 0;
  for (let tenth = 0; tenth < tenths; tenth += 1) {
    const until = Math.round((total * (tenth + 1)) / tenths);
    while (sent < until) {
      // A batch at a time: all requests at once would be what fills the heap.
      const numRuns = Math.min(500, until - sent);
      const requests = fc.sample(anyRequest, { seed: seed + sent, numRuns }).values();
      await Promise.all(
        Array.from({ length: concurrency }, async () => {
          for (const one of requests) await play(one);
        }),
      );
      sent += numRuns;
      credentials = await api.credentials();
    }
    collectGarbage();
    heap.push(process.memoryUsage().heapUsed);
  }
  const inMB = heap.map((used) => Math.round((used / MB) * 10) / 10).join(', ');
  const statuses = [...counts]
    .sort(([one], [other]) => one - other)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ');
  process.stdout.write(
    `Seed ${seed}. Answers ${statuses}. Heap at each tenth, in MB: ${inMB}. Longest log line: ${longestLine.length} bytes.\n`,
  );
  expect(longestLine.length).toBeLessThanOrEqual(16 * KB);
  expect(Math.max(...heap.slice(2)) - (heap[1] ?? 0)).toBeLessThan(growth);
  expect(counts.get(200)).toBeGreaterThan(0);
  // One request of 150 creates something, so that a short run may have none.
  expect(counts.get(201) ?? 0).toBeGreaterThanOrEqual(total < 10_000 ? 0 : 1);
}, 3_600_000);
