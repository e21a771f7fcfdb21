import { join } from 'node:path';
import { build } from 'esbuild';
import type { FastClock } from './fast-clock.ts';

/**
 * Bundles the worker in which functions run with a faster clock, or with faster timers alone, into a folder, and answers its
 * path.
 */
export async function fastWorker(
  folder: string,
  clock: FastClock | Pick<FastClock, 'speed'>,
): Promise<string> {
  const install = 'since' in clock ? 'installClock' : 'installTimers';
  const outfile = join(folder, 'fast-worker.mjs');
  const contents = `
import { ${install} } from './test/support/fast-clock/fast-clock.ts';
${install}(${JSON.stringify(clock)});
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

/**
 * Options of a local run in which calls of functions may take ten times as long, as functions may in any local run: the machine may be
 * slow, or busy. The worker's bundle goes into the folder.
 */
export const longerTimeouts = async (folder: string) => ({
  workerBundle: await fastWorker(folder, { speed: 1 / 10 }),
});
