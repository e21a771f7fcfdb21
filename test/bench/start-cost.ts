import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { KB } from '../../shared/platform/aws/limits.ts';
import { builtFunction, longestImport } from '../support/bundle-budgets.ts';
import { requestFunctions, startEnvironment } from '../support/start-environment.ts';
import { count, median, type Row } from './report.ts';

const run = promisify(execFile);

const rounds = 61;

const plainClient = resolve('dist/bench/plain-client.mjs');

/** Milliseconds of processor time that a new process takes to import a bundle. */
async function importOnce(file: string, environment: Readonly<Record<string, string>> = {}): Promise<number> {
  const { stdout } = await run(
    process.execPath,
    [resolve('dist/bench/import-timer.mjs'), pathToFileURL(file).href],
    { env: { ...process.env, ...environment } },
  );
  return Number(stdout);
}

/**
 * Size of each function's bundle and the time to import it in a new process. Each import is compared with one of a plain client
 * right before it: what else the machine does slows both. A function's imports follow each other, so that its bundle is in the
 * machine's caches as the client's is.
 */
export async function measure(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const name of requestFunctions) {
    const file = resolve('dist/functions', name, 'index.mjs');
    const environment = startEnvironment(name, 'dist/functions');
    const times: { readonly plain: number; readonly whole: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const plain = await importOnce(plainClient);
      times.push({ plain, whole: await importOnce(file, environment) });
    }
    const { code, budget } = builtFunction(name);
    rows.push({
      what: `${name}: bundle, minified`,
      measured: `${count(code.length)} B = ${count(code.length / KB)} KB (${count(gzipSync(code).length / KB)} KB gzipped)`,
      budget: `${budget / KB} KB`,
      isWithin: code.length <= budget,
    });
    const ratio = median(times.map(({ plain, whole }) => whole / plain));
    rows.push({
      what: `${name}: import in a new process`,
      measured: `${median(times.map(({ whole }) => whole)).toFixed(1)} ms`,
      comparedWith: `plain DynamoDB client ${median(times.map(({ plain }) => plain)).toFixed(1)} ms`,
      ratio,
      budget: `at most ${longestImport}`,
      isWithin: ratio <= longestImport,
    });
  }
  return rows;
}
