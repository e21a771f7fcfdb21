/** What every bundle has in common. */
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

/** Bundles of Lambda functions: self-contained, and as quick to start as they can be made. */
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
    '@aws-lambda-powertools/jmespath': './shared/request/member-search.ts',
    '@aws-lambda-powertools/jmespath/functions': './shared/request/member-search.ts',
    '@aws-sdk/credential-provider-node': './shared/data/environment-credentials.ts',
    '@aws-sdk/endpoint-cache': './shared/data/no-endpoint-cache.ts',
    debug: './shared/file-documents/no-debug-output.ts',
  },
  // Loaded by the SDK only for operations that stream events; none of the functions' clients has one (14 KB).
  external: ['@smithy/core/event-streams'],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
};
