// Builds everything that runs, into dist/:
//   infra/      the CDK app, the local run and the tools that derive files from the route tables (packages stay outside)
//   functions/  one self-contained bundle per Lambda function, with the derived files that it reads beside it
import { readdir, rm } from 'node:fs/promises';
import { build } from 'esbuild';
import { bundle, functionBundle } from './infra/bundling.mjs';

await rm('dist', { recursive: true, force: true });

await build({
  ...bundle,
  entryPoints: [
    'infra/app.ts',
    'infra/derive.ts',
    'infra/local/main.ts',
    'infra/local/worker.ts',
    'infra/admin-cli.ts',
    'infra/write-admin-page.ts',
  ],
  outbase: 'infra',
  outdir: 'dist/infra',
  packages: 'external',
});

const functions = (await readdir('functions', { withFileTypes: true }))
  .filter((entry) => entry.isDirectory())
  .map((entry) => `functions/${entry.name}/index.ts`);

await build({
  ...functionBundle,
  entryPoints: functions,
  outbase: 'functions',
  outdir: 'dist/functions',
});

const { writeDerivedFiles } = await import('./dist/infra/derive.mjs');
await writeDerivedFiles('dist/functions');
