// `npm run capacity:measure -- [routes|events|policies|releases|producers|synchronizations]`: what each route and each kind of work asks of AWS, written to
// infra/capacity/measured-costs.json.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { MeasuredCosts } from '../../infra/capacity/measured-costs.ts';
import { startLocalRun } from '../../infra/local/local-run.ts';
import { createMeter } from './meter.ts';
import { steady } from './steady.ts';

/** A part of the measurement, the rest staying as it is in the file; everything if undefined. */
const [only] = process.argv.slice(2);
const file = 'infra/capacity/measured-costs.json';

const meter = createMeter();
const logDirectory = await mkdtemp(join(tmpdir(), 'insurance-compliance-capacity-'));
const errors: string[] = [];
const run = await startLocalRun({
  seed: true,
  logDirectory,
  awsMiddleware: meter.middleware,
  onError: (line) => errors.push(line),
});

/**
 * Waits until nothing is under way. A function that failed made calls that belong to nobody's cost, or was cut off by a
 * busy machine; its message would be repeated much later.
 */
async function settle(what: string): Promise<void> {
  let isIdle = false;
  const idle = run.waitUntilIdle().then(() => {
    isIdle = true;
  });
  while (!isIdle) {
    if (errors.length > 0) throw new Error(`Functions failed, so "${what}" was not measured: ${errors[0]}`);
    await Promise.race([idle, pause(200)]);
  }
  // Until what was logged last is in the files.
  await pause(300);
  process.stderr.write(`${what}\n`);
}

const before = async (): Promise<Partial<MeasuredCosts>> =>
  JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
const withoutZeros = (_: string, value: unknown): unknown => (value === 0 ? undefined : value);

type Measured = Partial<Omit<MeasuredCosts, 'work'>> & { readonly work?: Partial<MeasuredCosts['work']> };

async function save(measured: Measured): Promise<void> {
  const saved = await before();
  const work = { ...saved.work, ...measured.work };
  const { routes, ...rest } = steady(saved, { ...saved, ...measured, work } as MeasuredCosts);
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const on = { measuredOn: new Date().toISOString().slice(0, 10), commit };
  await writeFile(file, `${JSON.stringify({ ...rest, ...on, routes }, withoutZeros, 2)}\n`);
}

try {
  const { demo } = run;
  if (demo === undefined) throw new Error('The demo data is missing.');
  // What the e2e project's setup gives to its suites.
  process.env['TEST_BASE_URL'] = run.baseUrl;
  process.env['TEST_AWS_ENDPOINT'] = run.awsEndpoint;
  process.env['TEST_OPERATOR_KEY'] = run.operatorAccessKeyId;
  process.env['TEST_DEMO'] = JSON.stringify(demo);
  const { measureRoutes } = await import('./measure-routes.ts');
  const { measureWork } = await import('./measure-work.ts');
  const { measureSignIn } = await import('./measure-sign-in.ts');
  const { itemSizes } = await import('./item-sizes.ts');
  if (only === undefined || only === 'routes') {
    const routes = await measureRoutes(demo, meter);
    await settle('routes');
    await save({ authorizer: await measureSignIn(meter), routes });
  }
  if (only !== 'routes') {
    const work = await measureWork({ run, meter, logDirectory, only, settle });
    const itemBytes = only === undefined ? { itemBytes: await itemSizes(run.dynamo) } : {};
    await save({ ...itemBytes, work });
  }
} finally {
  await run.stop();
}
