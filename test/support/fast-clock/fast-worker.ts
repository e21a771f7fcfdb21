import { join } from 'node:path';
import { build } from 'esbuild';
import type { FastClock } from './fast-clock.ts';

/** Bundles the worker in which functions run with a faster clock into a folder, and answers its path. */
export async function fastWorker(folder: string, clock: FastClock): Promise<string> {
  const outfile = join(folder, 'fast-worker.mjs');
  const contents = `
import { installClock } from './test/support/fast-clock/fast-clock.ts';
installClock(${JSON.stringify(clock)});
await import('./infra/local/functions/worker.ts');
`;
  await build({
    stdin: { contents, resolveDir: '.', loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  });
  return outfile;
}
