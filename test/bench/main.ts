// Prints what the service costs beside what it is compared with, and writes it into README.md beside this file. Nothing
// here fails on a slow machine: a budget that is not kept says "over".
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { startDynamoDbLocal } from '../../infra/local/engines/dynamodb-local.ts';
import { measureDecision } from './decision.ts';
import { measurePipeline } from './pipeline-overhead.ts';
import { type Row, table, withSection } from './report.ts';
import { measureStart } from './start-cost.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const step = (text: string): void => void process.stderr.write(`${text} ...\n`);

interface Part {
  /** As it is named after `npm run bench --`. */
  readonly name: string;
  readonly title: string;
  readonly measure: () => Promise<readonly Row[]>;
}

const parts: readonly Part[] = [
  { name: 'start', title: 'Bundle sizes and import times', measure: measureStart },
  { name: 'pipeline', title: 'Pipeline overhead', measure: measurePipeline },
  { name: 'decision', title: 'The decision', measure: measureDecision },
];

/** These have tables in a database; loaded late, because the tables of the tests know the engine's address from their start. */
const partsWithTables: readonly Part[] = [
  {
    name: 'outbox',
    title: 'Writes of the outbox',
    measure: async () => (await import('./outbox-writes.ts')).measureOutboxWrites(),
  },
  {
    name: 'events',
    title: 'Events of the outbox',
    measure: async () => (await import('./published-events.ts')).measurePublishedEvents(),
  },
  {
    name: 'lists',
    title: 'Policies lists',
    measure: async () => (await import('./policies-list.ts')).measureLists(),
  },
  {
    name: 'book',
    title: 'Compliance of all policies',
    measure: async () => (await import('./policy-book.ts')).measureBook(),
  },
  {
    name: 'carrier-lists',
    title: 'A carrier’s own lists',
    measure: async () => (await import('./carrier-lists.ts')).measureCarrierLists(),
  },
  {
    name: 'report',
    title: 'Reports of the registry',
    measure: async () => (await import('./registry-report.ts')).measureReport(),
  },
  {
    name: 'agency-list',
    title: 'Agency list',
    measure: async () => (await import('./agency-list.ts')).measureAgencyList(),
  },
  {
    name: 'sale-checks',
    title: 'Sale checks',
    measure: async () => (await import('./sale-checks.ts')).measureSaleChecks(),
  },
  {
    name: 'deliveries',
    title: 'Deliveries to webhooks',
    measure: async () => (await import('./deliveries.ts')).measureDeliveries(),
  },
  {
    name: 'fairness',
    title: 'Fairness of deliveries',
    measure: async () => (await import('./delivery-fairness.ts')).measureFairness(),
  },
  {
    name: 'sweep',
    title: 'License sweep',
    measure: async () => (await import('./license-sweep.ts')).measureSweep(),
  },
];

const chosen = process.argv.slice(2);
const names = [...parts, ...partsWithTables].map(({ name }) => name);
for (const name of chosen) {
  if (!names.includes(name))
    throw new Error(`There is no part "${name}"; the parts are ${names.join(', ')}.`);
}

const rows: Row[] = [];

async function measureAll(all: readonly Part[]): Promise<void> {
  for (const { name, title, measure } of all) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    step(title);
    rows.push(...(await measure()));
  }
}

await measureAll(parts);
const engine = await startDynamoDbLocal({ tuning: 'long run' });
try {
  process.env['TEST_DYNAMODB_ENDPOINT'] = engine.access.endpoint;
  await measureAll(partsWithTables);
} finally {
  await engine.stop();
}

const [processor] = cpus();
const commit = execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim();
const machine = `${processor?.model ?? 'Unknown processor'}, ${cpus().length} cores, Node ${process.version}`;
const results = `${machine}. ${new Date().toISOString().slice(0, 10)}, commit ${commit}.\n\n${table(rows)}`;
say(results);

/** From the root of the repository, where the bench runs. The page has a whole run, never parts of several. */
const page = 'test/bench/README.md';
if (chosen.length === 0) writeFileSync(page, withSection(readFileSync(page, 'utf8'), 'bench', results));
