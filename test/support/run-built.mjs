// `node test/support/run-built.mjs <folder> …`: builds test/<folder>/main.ts into dist/<folder>, and runs it, with the rest of the
// arguments, against the built functions.
import { build } from 'esbuild';
import { bundle } from '../../infra/build/bundling.mjs';

const [folder] = process.argv.splice(2, 1);
await build({
  ...bundle,
  entryPoints: [`test/${folder}/main.ts`],
  outdir: `dist/${folder}`,
  packages: 'external',
});
await import(`../../dist/${folder}/main.mjs`);
