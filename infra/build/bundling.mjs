// Options for bundling the command-line programs and the Lambda functions.
import { readFileSync } from 'node:fs';
import { build } from 'esbuild';

/**
 * Options of every bundle.
 * @type {import('esbuild').BuildOptions}
 */
export const bundle = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  sourcemap: 'linked',
  logLevel: 'warning',
  // Lambda runs Node 24. The syntax is limited to ES2023 so that the same bundle runs on older versions of Node locally.
  target: 'es2023',
};

/** The SDK loads this only for operations that stream events, which functions do not call (20 KB). */
const eventStreams = '@smithy/core/event-streams';

/** The SDK uses this only in browsers (35 KB). */
const userAgents = 'bowser';

/**
 * Of its `package.json`, which esbuild would bundle as a whole, a client of the SDK reads its version (2 KB each).
 * @type {import('esbuild').Plugin}
 */
const packageVersions = {
  name: 'package versions',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]@aws-sdk[\\/][^\\/]+[\\/]package\.json$/ }, ({ path }) => {
      const { version } = JSON.parse(readFileSync(path, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    }),
};

/**
 * The entry of a function, as `entry:<name>`: nothing of it differs between functions but the name.
 * @type {import('esbuild').Plugin}
 */
const entries = {
  name: 'entries',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^entry:/ }, ({ path }) => ({
      path: path.slice('entry:'.length),
      namespace: 'entry',
    }));
    onLoad({ filter: /^/, namespace: 'entry' }, ({ path: name }) => {
      const exported = `${name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())}Function`;
      const contents = `
        import { start } from './shared/function/start.ts';
        import { ${exported} } from './functions/${name}/function.ts';
        export const handler = start('${name}', ${exported});`;
      return { contents, resolveDir: process.cwd() };
    });
  },
};

/**
 * Bundles of Lambda functions: self-contained and fast to start.
 * @type {import('esbuild').BuildOptions}
 */
export const functionBundle = {
  ...bundle,
  // Node reads the source map when it loads the bundle. Stack traces do not need the source text, four fifths of the map.
  sourcesContent: false,
  minify: true,
  // What esbuild takes for license texts in our dependencies are hints for coverage tools.
  legalComments: 'none',
  // ESM builds of the SDK tree-shake; its CommonJS ones do not (a third of the import time).
  mainFields: ['module', 'main'],
  // Its file gives the reason.
  alias: { '@aws-sdk/credential-provider-node': './infra/build/environment-credentials.ts' },
  external: [eventStreams],
  plugins: [entries, packageVersions],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
};

const usesOf = (name) => readFileSync(`functions/${name}/uses.ts`, 'utf8');

/** Functions that read or write files: the S3 client needs event streams. */
const hasFiles = (name) => /^ {2}files:/m.test(usesOf(name));

/** Functions that import with `import()` what only some requests need: it is in chunks that are loaded with the first of them. */
const isSplit = (name) => /^ {2}(files|routes):/m.test(usesOf(name));

/**
 * Builds each function into a folder of its own under `outdir`.
 * @param {readonly string[]} names
 * @param {string} outdir
 * @param {import('esbuild').BuildOptions} [options]
 */
export async function buildFunctions(names, outdir, options = {}) {
  const entry = (name) => `entry:${name}`;
  const whole = names.filter((name) => !isSplit(name));
  const builds = await Promise.all([
    build({
      ...functionBundle,
      ...options,
      entryPoints: whole.map((name) => ({ in: entry(name), out: `${name}/index` })),
      outdir,
    }),
    // One build for each, because the entries of one build share chunks.
    ...names.filter(isSplit).map((name) =>
      build({
        ...functionBundle,
        ...options,
        external: hasFiles(name) ? [userAgents] : [userAgents, eventStreams],
        splitting: true,
        entryPoints: [{ in: entry(name), out: `${name}/index` }],
        chunkNames: `${name}/[name]-[hash]`,
        outdir,
      }),
    ),
  ]);
  return builds;
}

const scalar = 'node_modules/@scalar/api-reference/dist/browser/standalone.js';

/**
 * Builds the script of the reference page, which begins with Scalar as it is published, with a hash in its name, as a file beside
 * the bundle of the function that serves it.
 * @param {string} folder
 */
export const buildReferenceScript = (folder) =>
  build({
    entryPoints: ['infra/reference/reference.js'],
    banner: { js: readFileSync(scalar, 'utf8') },
    entryNames: '[name]-[hash]',
    outdir: folder,
    bundle: true,
    format: 'esm',
    minify: true,
    target: 'es2023',
    logLevel: 'warning',
  });
