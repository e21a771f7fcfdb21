import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { KB } from '../../shared/platform/aws/limits.ts';
import { budgetOf, builtFunction } from '../support/bundle-budgets.ts';
import { requestFunctions, startEnvironment } from '../support/start-environment.ts';
import { count, median, type Row } from './report.ts';

const run = promisify(execFile);

const rounds = 31;

const bareClient = resolve('dist/bench/bare-client.mjs');

interface Bundle {
  readonly file: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly milliseconds: number[];
}

async function importOnce({ file, environment, milliseconds }: Bundle): Promise<void> {
  const { stdout } = await run(
    process.execPath,
    [resolve('dist/bench/import-timer.mjs'), pathToFileURL(file).href],
    { env: { ...process.env, ...environment } },
  );
  milliseconds.push(Number(stdout));
}

/** Size of each function's bundle and the time to import it in a new process, the bundles taking turns. */
export async function measureStart(): Promise<Row[]> {
  const bare: Bundle = { file: bareClient, environment: {}, milliseconds: [] };
  const bundles = requestFunctions.map((name) => ({
    name,
    file: resolve('dist/functions', name, 'index.mjs'),
    environment: startEnvironment(name, 'dist/functions'),
    milliseconds: [],
  }));
  for (let round = 0; round < rounds; round += 1) {
    for (const bundle of [bare, ...bundles]) await importOnce(bundle);
  }
  const bareSize = (await stat(bareClient)).size;
  const bareTime = median(bare.milliseconds);
  const rows: Row[] = [];
  for (const { name, milliseconds } of bundles) {
    const { code, clients } = builtFunction(name);
    const budget = budgetOf(clients);
    rows.push({
      what: `${name}: bundle, minified`,
      measured: `${count(code.length)} B = ${count(code.length / KB)} KB (${count(gzipSync(code).length / KB)} KB gzipped)`,
      comparedWith: `bare DynamoDB client ${count(bareSize)} B`,
      ratio: code.length / bareSize,
      budget: `${budget.bytes / KB} KB`,
      isWithin: code.length <= budget.bytes,
    });
    const time = median(milliseconds);
    rows.push({
      what: `${name}: import in a new process`,
      measured: `${time.toFixed(1)} ms`,
      comparedWith: `bare DynamoDB client ${bareTime.toFixed(1)} ms`,
      ratio: time / bareTime,
      budget: `at most ${budget.importTime}`,
      isWithin: time / bareTime <= budget.importTime,
    });
  }
  return rows;
}
