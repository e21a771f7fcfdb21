// Prints what the service costs beside what it is compared with, and writes it into README.md beside this file. Nothing
// here fails on a slow machine: a budget that is not kept says "over".
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { startDynamoDbLocal } from '../../infra/local/engines/dynamodb-local.ts';
import { withSection } from '../../infra/marked-section.ts';
import { measureImportEvents } from './import-events.ts';
import { measurePipeline } from './pipeline-overhead.ts';
import { type Row, table } from './report.ts';
import { measureStart } from './start-cost.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const step = (text: string): void => void process.stderr.write(`${text} ...\n`);

const rows: Row[] = [];

step('Bundle sizes and import times');
rows.push(...(await measureStart()));
step('Pipeline overhead');
rows.push(...(await measurePipeline()));

step('Events beside an import');
rows.push(...(await measureImportEvents()));

const engine = await startDynamoDbLocal();
try {
  process.env['TEST_DYNAMODB_ENDPOINT'] = `http://127.0.0.1:${engine.port}`;
  // Loaded now, because the tables of the tests are made with a client that knows the engine's address from its start.
  const { measureAgencyList } = await import('./agency-list.ts');
  const { measureDeliveries } = await import('./deliveries.ts');
  const { measureFairness } = await import('./delivery-fairness.ts');
  const { measureSweep } = await import('./license-sweep.ts');
  const { measureOutboxWrites } = await import('./outbox-writes.ts');
  const { measureMatching } = await import('./matching.ts');
  const { measureImport } = await import('./policy-import.ts');
  const { measureMemory } = await import('./record-memory.ts');
  const { measureLists } = await import('./policies-list.ts');
  step('Writes of the outbox');
  rows.push(...(await measureOutboxWrites()));
  step('Import of policy transactions');
  rows.push(...(await measureImport()));
  step('Matching of policy transactions');
  rows.push(...(await measureMatching()));
  step('Policies lists');
  rows.push(...(await measureLists()));
  step('Agency list');
  rows.push(...(await measureAgencyList()));
  step('Memory of licenses and appointments');
  rows.push(...(await measureMemory()));
  step('Deliveries to webhooks');
  rows.push(...(await measureDeliveries()));
  step('Fairness of deliveries');
  rows.push(...(await measureFairness()));
  step('License sweep');
  rows.push(...(await measureSweep()));
} finally {
  await engine.stop();
}

const [processor] = cpus();
const commit = execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim();
const machine = `${processor?.model ?? 'Unknown processor'}, ${cpus().length} cores, Node ${process.version}`;
const results = `${machine}. ${new Date().toISOString().slice(0, 10)}, commit ${commit}.\n\n${table(rows)}`;
say(results);

/** From the root of the repository, where the bench runs. */
const page = 'test/bench/README.md';
writeFileSync(page, withSection(readFileSync(page, 'utf8'), 'bench', results));
