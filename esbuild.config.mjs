// Builds everything that runs, into dist/:
//   infra/      the CDK app, the local run and the tools that derive files from the route tables (packages stay outside)
//   functions/  one self-contained bundle per Lambda function, with the derived files that it reads beside it
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { build } from 'esbuild';

const shared = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  sourcemap: 'linked',
  logLevel: 'warning',
};

await rm('dist', { recursive: true, force: true });

await build({
  ...shared,
  entryPoints: [
    'infra/app.ts',
    'infra/derive.ts',
    'infra/local/main.ts',
    'infra/local/worker.ts',
    'infra/admin-cli.ts',
  ].filter((file) => existsSync(file)),
  outbase: 'infra',
  outdir: 'dist/infra',
  packages: 'external',
  target: 'es2023',
});

const functions = (await readdir('functions', { withFileTypes: true }))
  .filter((entry) => entry.isDirectory() && existsSync(`functions/${entry.name}/index.ts`))
  .map((entry) => `functions/${entry.name}/index.ts`);

await build({
  ...shared,
  entryPoints: functions,
  outbase: 'functions',
  outdir: 'dist/functions',
  // The Lambda runtime is Node 24; the syntax stays at ES2023 so that the same bundle runs on this machine's Node.
  target: 'es2023',
  minify: true,
  // ESM builds of the SDK tree-shake; its CommonJS ones do not (a third of the import time).
  mainFields: ['module', 'main'],
  // In Lambda credentials are always in the environment: the provider chain (130 KB) is replaced by that one source.
  alias: { '@aws-sdk/credential-provider-node': './shared/data/environment-credentials.ts' },
  // Loaded by the SDK only for operations that stream events; none of the functions' clients has one (14 KB).
  external: ['@smithy/core/event-streams'],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  metafile: true,
});

const { writeDerivedFiles } = await import('./dist/infra/derive.mjs');
await writeDerivedFiles('dist/functions');
