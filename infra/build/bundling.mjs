// How everything that runs is bundled, and what the bundles of Lambda functions leave out.
import { build } from 'esbuild';

/**
 * What every bundle has in common.
 * @type {import('esbuild').BuildOptions}
 */
export const bundle = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  sourcemap: 'linked',
  logLevel: 'warning',
  // The Lambda runtime is Node 24; the syntax stays at ES2023 so that the same bundle runs on this machine's Node.
  target: 'es2023',
  // See `shared/contract/described.ts`.
  define: { DOCUMENTED: 'true' },
};

/** Loaded by the SDK only for operations that stream events, of which functions call none (20 KB). */
const eventStreams = '@smithy/core/event-streams';

/** Read by the SDK in browsers alone (35 KB). */
const userAgents = 'bowser';

/**
 * Bundles of Lambda functions: self-contained, and as quick to start as they can be made.
 * @type {import('esbuild').BuildOptions}
 */
export const functionBundle = {
  ...bundle,
  // Node reads a map when it loads the bundle; a stack trace needs no source text, which is four fifths of it.
  sourcesContent: false,
  minify: true,
  define: { DOCUMENTED: 'false' },
  // ESM builds of the SDK tree-shake; its CommonJS ones do not (a third of the import time).
  mainFields: ['module', 'main'],
  // What a function needs less of than its packages bring; each file says why it may stand in.
  alias: {
    '@aws-lambda-powertools/jmespath': './infra/build/member-search.ts',
    '@aws-lambda-powertools/jmespath/functions': './infra/build/member-search.ts',
    '@aws-sdk/credential-provider-node': './infra/build/environment-credentials.ts',
  },
  external: [eventStreams],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
};

/**
 * Functions that hold files. The client of S3 takes as long to import as all else of theirs, so they import it with
 * their first file, from a chunk beside their entry; it can't do without event streams.
 */
export const functionsWithFiles = ['admin', 'file-documents', 'surplus-lines-filings'];

/**
 * Builds functions into a folder for each, under `outdir`.
 * @param {readonly string[]} names
 * @param {string} outdir
 * @param {import('esbuild').BuildOptions} [options]
 */
export async function buildFunctions(names, outdir, options = {}) {
  const entry = (name) => `functions/${name}/index.ts`;
  const whole = names.filter((name) => !functionsWithFiles.includes(name));
  const builds = await Promise.all([
    build({
      ...functionBundle,
      ...options,
      entryPoints: whole.map((name) => ({ in: entry(name), out: `${name}/index` })),
      outdir,
    }),
    // Each on its own, for chunks are shared by the entries of one build.
    ...names
      .filter((name) => functionsWithFiles.includes(name))
      .map((name) =>
        build({
          ...functionBundle,
          ...options,
          external: [userAgents],
          splitting: true,
          entryPoints: [{ in: entry(name), out: `${name}/index` }],
          chunkNames: `${name}/[name]-[hash]`,
          outdir,
        }),
      ),
  ]);
  return builds;
}
