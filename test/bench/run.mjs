// Builds the bench into dist/bench, beside the functions that it measures, and runs it.
import { build } from 'esbuild';
import { functionBundle } from '../../infra/build/bundling.mjs';

const outdir = 'dist/bench';

await build({
  ...functionBundle,
  alias: {},
  external: [],
  entryPoints: ['test/bench/plain-client.ts'],
  outdir,
});
await build({
  ...functionBundle,
  minify: false,
  splitting: true,
  entryPoints: ['main', 'import-timer', 'lists-server'].map((name) => `test/bench/${name}.ts`),
  outdir,
});

await import('../../dist/bench/main.mjs');
