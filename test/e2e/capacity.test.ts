import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localCapacity } from '../../infra/capacity.ts';
import { type LocalRun, startLocalRun } from '../../infra/local/local-run.ts';

let run: LocalRun;
let logDirectory: string;

const ample = { perSecond: 1_000, burst: 1_000 };

beforeAll(async () => {
  logDirectory = await mkdtemp(join(tmpdir(), 'capacity-'));
  run = await startLocalRun({
    logDirectory,
    onError: () => undefined,
    capacity: {
      ...localCapacity,
      reserved: { auth: 1 },
      // Two requests, and then none for a quarter of an hour.
      throttles: { routes: ample, publicRoutes: ample, unknownRoutes: { perSecond: 0.001, burst: 2 } },
    },
  });
});

afterAll(async () => {
  await run.stop();
  await rm(logDirectory, { recursive: true });
});

/** What so many requests at once are answered. */
const together = async (path: string, times: number) =>
  Promise.all(
    Array.from({ length: times }, async () => {
      const response = await fetch(`${run.baseUrl}${path}`);
      return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
    }),
  );

it('a flood of unknown paths meets 429 in the error shape, and keeps nobody else out', async () => {
  const answers = await together('/v2/nothing', 6);
  expect(answers.map(({ status }) => status).sort()).toEqual([404, 404, 429, 429, 429, 429]);
  const throttled = answers.find(({ status }) => status === 429);
  expect(throttled?.headers.get('retry-after')).toBe('1');
  expect(throttled?.body).toMatchObject({
    statusCode: 429,
    errorType: 'throttled',
    errorMessage: [expect.any(String)],
    requestId: expect.stringMatching(/^local-/),
  });
  expect(await together('/v2/heartbeat', 1)).toMatchObject([{ status: 200 }]);
});

it('a function that has all of its executions at work is answered for with 500, and then goes on', async () => {
  const answers = await together('/v2/openapi.json', 20);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 500]));
  expect(answers.find(({ status }) => status === 500)?.body).toMatchObject({
    statusCode: 500,
    errorType: 'internal_server_error',
  });
  expect(await together('/v2/openapi.json', 1)).toMatchObject([{ status: 200 }]);
});
