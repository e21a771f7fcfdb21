// Prints what the service costs beside what it is compared with, as tables for README.md beside this file. Nothing here
// fails on a slow machine: a budget that is not kept says "over".
import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { startDynamoDbLocal } from '../../infra/local/engines/dynamodb-local.ts';
import { type Row, table } from './report.ts';

/** Parts as they are named after `npm run bench --`; loaded late, because the tables of the tests know the engine's address from their start. */
const parts: Readonly<Record<string, () => Promise<{ readonly measure: () => Promise<readonly Row[]> }>>> = {
  start: () => import('./start-cost.ts'),
  pipeline: () => import('./pipeline-overhead.ts'),
  decision: () => import('./decision.ts'),
  events: () => import('./events.ts'),
  lists: () => import('./lists.ts'),
  report: () => import('./registry-report.ts'),
  'agency-list': () => import('./agency-list.ts'),
  'sale-checks': () => import('./sale-checks.ts'),
  deliveries: () => import('./deliveries.ts'),
  sweep: () => import('./license-sweep.ts'),
};

async function measurePart(name: string): Promise<void> {
  const load = parts[name];
  if (load === undefined) throw new Error(`The parts are ${Object.keys(parts).join(', ')}.`);
  const engine = await startDynamoDbLocal({ tuning: 'long run' });
  try {
    process.env['TEST_DYNAMODB_ENDPOINT'] = engine.access.endpoint;
    process.stderr.write(`${name} ...\n`);
    process.stdout.write(`${table(await (await load()).measure())}\n\n`);
  } finally {
    await engine.stop();
  }
}

const [first = '', ...others] = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts);
if (others.length === 0) await measurePart(first);
else {
  const [processor] = cpus();
  const commit = execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim();
  const machine = `${processor?.model ?? 'Unknown processor'}, ${cpus().length} cores, Node ${process.version}`;
  process.stdout.write(`${machine}. ${new Date().toISOString().slice(0, 10)}, commit ${commit}.\n\n`);
  // Each in a process of its own: what one leaves in memory neither slows nor ends another.
  for (const name of [first, ...others])
    execFileSync(process.execPath, [import.meta.filename, name], { stdio: 'inherit' });
}
