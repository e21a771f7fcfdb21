import { join } from 'node:path';
import { build } from 'esbuild';

/** Bundles the worker in which the local run has functions into a folder, and returns its path. */
export async function bundleWorker(folder: string): Promise<string> {
  const outfile = join(folder, 'worker.mjs');
  await build({
    entryPoints: ['infra/local/functions/worker.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  });
  return outfile;
}
