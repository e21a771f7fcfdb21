// Builds everything that runs, into dist/:
//   infra/      the CDK app, the local run and the tools that derive files from the route tables (packages stay outside)
//   functions/  one self-contained bundle per Lambda function, with the derived files that it reads beside it
// With `--only infra/restore.ts` that tool alone, and nothing that is there is removed: it has the rest built when it may.
import { readdir, rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { buildFunctions, buildReferenceScript, bundle } from './infra/build/bundling.mjs';

const { values } = parseArgs({ options: { only: { type: 'string' } } });

const buildTools = (entryPoints) =>
  build({ ...bundle, entryPoints, outbase: 'infra', outdir: 'dist/infra', packages: 'external' });

if (values.only !== undefined) {
  await buildTools([values.only]);
} else {
  await rm('dist', { recursive: true, force: true });
  await buildTools([
    'infra/app.ts',
    'infra/build/derive.ts',
    'infra/local/main.ts',
    'infra/local/functions/worker.ts',
    'infra/admin/admin-cli.ts',
    'infra/smoke-test.ts',
  ]);
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
}
