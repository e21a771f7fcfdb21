// Prints what the service costs beside what it is compared with, as a table for README.md beside this file. Nothing here
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

const chosen = process.argv.slice(2);
const rows: Row[] = [];
const engine = await startDynamoDbLocal({ tuning: 'long run' });
try {
  process.env['TEST_DYNAMODB_ENDPOINT'] = engine.access.endpoint;
  for (const name of chosen.length === 0 ? Object.keys(parts) : chosen) {
    const load = parts[name];
    if (load === undefined) throw new Error(`The parts are ${Object.keys(parts).join(', ')}.`);
    process.stderr.write(`${name} ...\n`);
    rows.push(...(await (await load()).measure()));
  }
} finally {
  await engine.stop();
}

const [processor] = cpus();
const commit = execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim();
const machine = `${processor?.model ?? 'Unknown processor'}, ${cpus().length} cores, Node ${process.version}`;
process.stdout.write(
  `${machine}. ${new Date().toISOString().slice(0, 10)}, commit ${commit}.\n\n${table(rows)}\n`,
);
