// Builds the measurement of capacity into dist/capacity, and runs it against the built functions.
import { build } from 'esbuild';
import { bundle } from '../../infra/build/bundling.mjs';

await build({
  ...bundle,
  entryPoints: ['test/capacity/main.ts'],
  outdir: 'dist/capacity',
  packages: 'external',
});
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true';
await import('../../dist/capacity/main.mjs');
