// Builds everything that runs, into dist/:
//   infra/      the CDK app, the local run and the tools that derive files from the route tables (packages stay outside)
//   functions/  one self-contained bundle per Lambda function, with the derived files that it reads beside it
import { readdir, rm } from 'node:fs/promises';
import { build } from 'esbuild';
import { buildFunctions, buildReferenceScript, bundle } from './infra/build/bundling.mjs';

await rm('dist', { recursive: true, force: true });
await build({
  ...bundle,
  entryPoints: [
    'infra/app.ts',
    'infra/build/derive.ts',
    'infra/local/main.ts',
    'infra/local/functions/worker.ts',
    'infra/admin/admin-cli.ts',
    'infra/restore.ts',
    'infra/smoke-test.ts',
  ],
  outbase: 'infra',
  outdir: 'dist/infra',
  packages: 'external',
});
const functions = (await readdir('functions', { withFileTypes: true }))
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);
await Promise.all([
  buildFunctions(functions, 'dist/functions'),
  buildReferenceScript('dist/functions/reference'),
]);
const { writeDerivedFiles, writeReferencePage } = await import('./dist/infra/build/derive.mjs');
await writeDerivedFiles('dist/functions');
await writeReferencePage('dist/functions/reference');
